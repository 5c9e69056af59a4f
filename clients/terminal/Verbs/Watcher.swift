internal import ListModel
internal import ListReplica

/// What `watch` prints: each change once, and a word where the connection was away or changes were
/// swallowed by a list that came whole.
@MainActor
struct Watcher {
    private let replica: Replica
    private let core: ClientCore
    private let output: Output
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
        if let first = entries.first, first.version > seen.next { resynced(at: first.version) }
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
        output.results(changes.prefix(left), plain: \.plain, members: \.members)
        shown += min(left, changes.count)
        seen = max(seen, fresh.last?.version ?? seen)
    }

    private mutating func resynced(at version: Version) {
        epoch = replica.epoch
        seen = version
        output.result(
            "resynced  at version \(version); changes in between are not known one by one",
            [("event", .text("resynced")), ("version", .int(Int64(clamping: version.number)))])
    }
}
