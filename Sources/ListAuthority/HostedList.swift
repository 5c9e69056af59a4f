internal import ListModel
internal import ListProtocol

/// A list in the server's memory: the confirmed list with the work that waits for the log on top, what
/// is sent to its subscribers, and who is there.
final class HostedList {
    let name: ListName
    var epoch: Epoch
    var speculation: Speculation
    /// Of what is durable.
    var sessions: Sessions
    /// What waits for the log, one for each of `speculation.pending`.
    var waiting: [Waiting] = []
    /// How many of `waiting` the append under way carries; `nil`: none is under way.
    var appending: Int?
    var durable: Version
    var tail: LogTail
    /// The oldest entry that catch-up may use.
    var first: Version
    var snapshotVersion: Version
    var isSaving = false
    /// Sparse: versions with their times, for a history by age.
    var times: [(version: Version, at: Timestamp)] = []

    var subscriptions: [ConnectionID: Subscription] = [:]
    var pages: SnapshotPages?
    /// The frame of entries made last, with the range it carries; all who stand there share it.
    var frames: [FrameRange: [UInt8]] = [:]
    var presence = ListPresence()
    /// When the last subscription ended; `nil` while there is one.
    var idleSince: Timestamp?
    /// A removal is on its way to the storage.
    var removal: Removal?

    struct FrameRange: Hashable {
        let after: Version
        let through: Version
    }

    struct Removal {
        let connection: ConnectionID
        let request: RequestID
        let deletion: Deletion
    }

    /// A mutation that waits for the log, and whom to answer.
    struct Waiting {
        let connection: ConnectionID
        let submission: ClientMessage.Submission
        let client: ClientID
        let digest: UInt64
        /// Encoded when it leaves for the log.
        var entry: Entry?
        var record: [UInt8] = []
        var answer: Held<ServerMessage.Answer>
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
    }

    var position: Position { Position(epoch: epoch, version: durable) }

    /// The list as the log has it, without the work that waits for it. Cost: that work, twice.
    func withConfirmed<Result>(_ limits: Limits, _ body: (ListState) -> Result) -> Result {
        guard !speculation.pending.isEmpty else { return body(speculation.list) }
        var result: Result?
        speculation.rebase({ self.context(of: $0, limits) }, dropping: { _ in false }) {
            result = body($0)
        }
        return result ?? body(speculation.list)
    }

    /// What resolution needs to know when a pending mutation is played again.
    func context(of pending: Speculation.Pending, _ limits: Limits) -> ResolutionContext {
        context(at: pending.at, by: pending.by, of: pending.mutation.client, nil, limits)
    }

    func context(
        at: Timestamp, by: UserName, of client: ClientID, _ connection: ConnectionID?,
        _ limits: Limits
    ) -> ResolutionContext {
        let connection = connection ?? waiting.first { $0.client == client }?.connection
        return ResolutionContext(
            at: at, by: by, limits: limits,
            editor: { self.presence.editors(of: $0, without: connection).first },
            isLogged: { self.isLogged($0, by: client) })
    }

    /// Whether an earlier mutation was logged, or is on its way into the log.
    private func isLogged(_ n: MutationNumber, by client: ClientID) -> Bool {
        if sessions.isLogged(n, by: client) { return true }
        return speculation.pending.contains {
            $0.mutation.client == client && $0.mutation.n == n && $0.resolution.isLogged
        }
    }
}
