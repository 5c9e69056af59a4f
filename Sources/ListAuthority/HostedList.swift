internal import ListModel
internal import ListProtocol

/// A list in the server's memory: the confirmed list with the work that waits for the log on top,
/// what is sent to its subscribers, and who is there.
final class HostedList {
    let name: ListName
    var epoch: Epoch
    var speculation: Speculation
    /// Of what is durable.
    var sessions: Sessions
    /// Whose clients wrote here first since the list is in memory, where access is demanded.
    var claims: [ClientID: UserName] = [:]
    /// What waits for the log, one for each of `speculation.pending`.
    var waiting: [Waiting] = []
    /// Of all in `waiting`.
    var origins: Set<Origin> = []
    var append = Append.free
    var durable: Version
    var tail: LogTail
    /// The oldest entry that catch-up may use.
    var first: Version
    var snapshotVersion: Version
    var isSaving = false
    var times: Times

    var subscriptions = Readers()
    /// There may be something to send to all who read it.
    var isDue = false
    var pages = KeptPages()
    /// Of entries, made since the last append; all who stand there share them.
    @exclusivity(unchecked)  // as in `Connection`
    var frames = SharedFrames()
    var presence = ListPresence()
    /// When the last subscription ended; `nil` while there is one.
    var idleSince: Timestamp?
    /// Those who open the list at a version that the log does not reach; see `Authority.renewed`.
    var ahead: [(ConnectionID, ClientMessage.Open)] = []
    /// A removal is on its way to the storage; until then all that comes waits.
    var removal: Removal?

    /// Nothing of it is under way, and it may leave memory.
    var isAtRest: Bool {
        waiting.isEmpty && ahead.isEmpty && append == .free && !isSaving && removal == nil
    }

    /// What we wait for from the log; see `Authority.settle`.
    enum Append: Equatable {
        case free
        /// The append carries so many of `waiting`.
        case underWay(Int)
        /// Something stands behind our head, and is being read; our work may be among it.
        case conflicted
        /// The append of so many seems to have failed, for this reason; what stands in the log is
        /// being read, since the answer may be all that failed.
        case failed(Int, String)
        /// The log is being given this epoch.
        case renewing(Epoch)

        /// Whether what stands in the log is being read.
        var isReading: Bool {
            switch self {
            case .free, .underWay, .renewing: false
            case .conflicted, .failed: true
            }
        }
    }

    struct Removal {
        let connection: ConnectionID
        let request: RequestID
        let deletion: Deletion
        var later: [(ConnectionID, ClientMessage)] = []
    }

    /// A mutation that waits for the log, and whom to answer.
    struct Waiting {
        var connection: ConnectionID
        let submission: ClientMessage.Submission
        let client: ClientID
        let digest: UInt64
        let asked = Asked()
        var entry: Entry?
        /// The entry, encoded when it leaves for the log.
        var record: [UInt8] = []
        var answer: Held<ServerMessage.Answer>
        /// Who asked for this list to be created, and is told once it is as asked for.
        var creations: [(connection: ConnectionID, request: RequestID)] = []

        var origin: Origin { Origin(client, submission.n) }
    }

    /// Whose mutation, and which.
    struct Origin: Hashable {
        let client: ClientID
        let n: MutationNumber

        init(_ client: ClientID, _ n: MutationNumber) {
            self.client = client
            self.n = n
        }
    }

    init(name: ListName, stored: StoredList) {
        self.name = name
        epoch = stored.epoch
        speculation = Speculation(stored.state)
        sessions = stored.sessions
        durable = stored.state.head
        tail = stored.tail
        first = stored.first
        snapshotVersion = stored.snapshotVersion
        times = stored.times
    }

    var position: Position { Position(epoch: epoch, version: durable) }

    /// Takes all that waits for the log out of the list, for `body`; the caller proposes it again.
    func withoutPending(_ body: (inout ListState) -> Void) {
        speculation.rebase(
            { ResolutionContext(at: $0.at, by: $0.by, limits: Limits()) },
            dropping: { _ in true }, body)
    }

    /// Whether an earlier mutation was logged, or is on its way into the log. Of those whose
    /// outcome the client has heard nothing is kept: it judged for itself, and submits what may
    /// follow.
    func isLogged(_ n: MutationNumber, by client: ClientID) -> Bool {
        switch sessions.standing(of: n, by: client) {
        case .logged, .heard: return true
        case .new, .forgotten:
            guard let index = index(of: Origin(client, n)) else { return false }
            return waiting[index].entry != nil
        }
    }

    /// Where in `waiting` a mutation stands. O(n), but only where it is there.
    func index(of origin: Origin) -> Int? {
        guard origins.contains(origin) else { return nil }
        return waiting.firstIndex { $0.origin == origin }
    }
}

/// What resolving a mutation asked of the world outside the list, and was answered. Work that was
/// sent to the log and is played again must come to the same, whoever began to edit meanwhile.
final class Asked {
    private var editors: [ElementID: UserName?] = [:]
    private var logged: [MutationNumber: Bool] = [:]

    func editor(of id: ElementID, _ answer: () -> UserName?) -> UserName? {
        if let known = editors[id] { return known }
        let answer = answer()
        editors[id] = .some(answer)
        return answer
    }

    func isLogged(_ n: MutationNumber, _ answer: () -> Bool) -> Bool {
        if let known = logged[n] { return known }
        let answer = answer()
        logged[n] = answer
        return answer
    }

    func forget() {
        editors = [:]
        logged = [:]
    }
}
