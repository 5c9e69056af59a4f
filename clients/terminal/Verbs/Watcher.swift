internal import ListModel
internal import ListReplica

/// What `watch` tells: each change once, and a word where the connection was away or changes were
/// swallowed by a list that came whole.
@MainActor
struct Watcher {
    private let replica: Replica
    private let core: ClientCore
    private let output: Output
    /// What is to be told next, in order.
    private var due: [Told] = []
    private let most: Int?
    /// The version up to which changes were shown.
    private(set) var seen: Version
    private(set) var shown = 0
    private var epoch: Epoch?
    private var isAway = false

    init(_ replica: Replica, _ core: ClientCore, _ output: Output, most: Int?) {
        self.replica = replica
        self.core = core
        self.output = output
        self.most = most
        seen = replica.speculation.confirmedHead
        epoch = replica.epoch
    }

    var isDone: Bool { most.map { shown >= $0 } ?? false }

    struct Told {
        let plain: String
        let cells: [String]
        let members: Output.Members
    }

    var hasDue: Bool { !due.isEmpty }

    mutating func takeDue() -> [Told] {
        defer { due = [] }
        return due
    }

    /// Begins behind an earlier version, with the entries since then as far as the server has them.
    mutating func rewind(to version: Version, _ entries: [Entry]) {
        let head = seen
        guard version < head else { return }
        seen = version
        show(entries.filter { $0.version > version && $0.version <= head })
        if seen < head, !isDone { resynced(at: head) }
    }

    /// Looks how the connection and the list stand, while nothing has come.
    mutating func look() {
        if !core.link.isOnline, !isAway {
            isAway = true
            output.note("The server is away; trying again.")
        }
        guard replica.isLive else { return }
        if isAway {
            isAway = false
            output.note("The server is back.")
        }
        let head = replica.speculation.confirmedHead
        if epoch != replica.epoch || head > seen { resynced(at: head) }
    }

    mutating func show(_ entries: [Entry]) {
        if let first = entries.first, first.version > seen.next {
            resynced(at: Version(first.version.number - 1))
        }
        let fresh = entries.filter { $0.version > seen }
        let list = replica.list
        let changes = ChangeText.all(of: fresh) { id in
            switch list.standing(of: id) {
            case .living(let element): element.fields[.title]?.text
            case .grave(let grave): grave?.last.fields[.title]?.text
            case .unknown: nil
            }
        }
        let left = most.map { $0 - shown } ?? Int.max
        due += changes.prefix(left).map {
            Told(plain: $0.plain, cells: $0.cells, members: $0.members)
        }
        shown += min(left, changes.count)
        seen = max(seen, fresh.last?.version ?? seen)
    }

    private mutating func resynced(at version: Version) {
        if let epoch, let now = replica.epoch, epoch != now {
            output.note(LogReplacement(former: seen, version: version).words.sentence)
        }
        epoch = replica.epoch
        seen = version
        let plain = "resynced  at version \(version); changes in between are not known one by one"
        due.append(
            Told(
                plain: plain, cells: ["\(version)", "", "", "resynced", ""],
                members: [
                    ("event", .text("resynced")),
                    ("version", .int(Int64(clamping: version.number))),
                ]))
    }
}
