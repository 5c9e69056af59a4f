package import ListModel
package import ListProtocol

/// The server without its sockets, its disk and its clock: what comes in changes memory only, and
/// what is to be done about it is taken out afterwards.
///
/// Order of calls: `handle` any number of times, then `takeDue` and, for each of those connections
/// when it can take something, `takeFrames`; then `takeStorageWork`, since frames may have to be
/// read first, and `takeClosed` last. Extra calls do nothing. Results of storage work come back as
/// events. Used from one thread at a time.
///
/// Nothing is told before it is durable: answers are `Held`, entries are sent from what the log
/// has.
package final class Authority {
    package let limits: Limits
    let history: History
    /// Of records.
    let decoder: MessageDecoder
    /// Fresh random words, for epochs.
    let freshWord: () -> String

    var connections: [ConnectionID: Connection] = [:]
    var byClient: [ClientIdentity: ConnectionID] = [:]
    /// Whether only those are served whom the shell has admitted; it is never taken back.
    var demandsAccess = false
    /// The first time at which some access may expire.
    var nextExpiry: Timestamp?
    var lists: [ListName: Place] = [:]
    var deletions: [ListName: Deletion] = [:]
    var state = State.starting
    /// What it has answered so far.
    package internal(set) var tally = AnswerTally()
    /// Whether it keeps what it refuses, for `takeRefused`.
    package var keepsRefused = false
    var refused: [Refused] = []

    var work: [StorageWork] = []
    var due: [Connection] = []
    /// Lists that all who read them are due for.
    var dueLists: [HostedList] = []
    var closed: [(ConnectionID, ServerMessage.Goodbye)] = []
    /// Lists that have something for the log.
    var dirty: Set<ListName> = []
    /// Lists for which time does something: presence to be told, or nobody reading them.
    var restless: Set<ListName> = []
    /// What is known of lists that are not in memory.
    var counted: [ListName: ListSummary] = [:]
    var surveys: [ConnectionID: Survey] = [:]
    let snapshotRoom: SnapshotRoom
    /// Those who wait for a whole list until there is room for it, and since when; the first one
    /// first.
    var snapshotQueue: [(name: ListName, id: ConnectionID, since: Timestamp)] = []
    /// What came before the names of the stored lists.
    var early: [(ConnectionID, ClientMessage)] = []
    /// Of the event in hand.
    var now = Timestamp.zero

    enum State {
        /// Waits for the names of the stored lists; what comes meanwhile waits too.
        case starting
        case serving
        /// No new work; each client has been told when to come back.
        case draining
    }

    /// Where a list is.
    enum Place {
        /// On disk, with nothing of it in memory.
        case stored(Epoch)
        /// Waits for the storage; so do the messages that came meanwhile.
        case coming(Epoch, Coming, [(ConnectionID, ClientMessage)])
        case hosted(HostedList)
        /// Cannot be read; it is left on disk as it is.
        case unreadable(Epoch, Refusal)
    }

    enum Coming {
        case loading
        case creating(title: String?, schema: Schema?, by: UserName, client: ClientID)
    }

    package init(
        limits: Limits = Limits(), history: History = .all,
        snapshotRoom: SnapshotRoom = SnapshotRoom(), freshWord: @escaping () -> String
    ) {
        self.snapshotRoom = snapshotRoom
        self.limits = limits
        self.history = history
        decoder = MessageDecoder(limits: limits)
        self.freshWord = freshWord
    }

    package func handle(_ event: Event, at now: Timestamp) {
        self.now = now
        switch event {
        case .connected(let id): connected(id)
        case .admitted(let id, let access): admitted(id, access)
        case .accessDemanded: demandAccess()
        case .accessRenewed(let id, let request, let access): renewAccess(id, request, access)
        case .accessEnded(let id): endAccess(id)
        case .message(let id, let message): received(message, from: id, now)
        case .refused(let id, let refusal, let request, let list):
            send(.error(request, list, refusal), to: id)
        case .refusedSubmission(let id, let list, let n, let refusal):
            refuse(n, of: list, from: id, refusal)
        case .unheeded(let id, let message, let refusal): refuse(message, from: id, refusal)
        case .sentAway(let id, let code, let refusal, let retry):
            send(.error(nil, nil, refusal), to: id)
            close(id, code, refusal.sentence, retry: retry)
        case .disconnected(let id): disconnected(id)
        case .started(let names, let deletions): started(names, deletions)
        case .created(let name, let refusal): created(name, refusal, now)
        case .loaded(let name, let result): loaded(name, result, now)
        case .dropped(let name, let refusal): dropped(name, refusal, now)
        case .renewed(let name, let epoch, let refusal): renewed(name, epoch, refusal)
        case .appended(let name, let head): appended(name, head, now)
        case .appendFailed(let name, let failure): appendFailed(name, failure)
        case .foreign(let name, let records): absorb(records, into: name)
        case .read(let name, let connection, let records): read(name, connection, records)
        case .history(let name, let connection, let request, let result):
            answerHistory(name, connection, request, result)
        case .saved(let name, let version, let first): saved(name, version, first)
        case .tick: tick(now)
        case .drain(let retry): drain(retry)
        }
        for name in dirty { settle(name) }
        dirty = []
    }

    /// What the storage is to do now, in order.
    package func takeStorageWork() -> [StorageWork] {
        defer { work = [] }
        return work
    }

    /// Connections for which there may be something to send.
    package func takeDue() -> [ConnectionID] {
        for list in dueLists {
            for subscription in list.subscriptions.all { markDue(subscription.connection) }
            list.isDue = false
        }
        dueLists = []
        let taken = due.map(\.id)
        for connection in due { connection.isDue = false }
        due.removeAll(keepingCapacity: true)
        return taken
    }

    /// The same, as what their owner attached to each, those first who have more to hear than the
    /// others; `taken` is emptied first, and its room used again. Who reads two lists may come
    /// twice.
    package func takeDue(into taken: inout [AnyObject]) {
        taken.removeAll(keepingCapacity: true)
        for connection in due {
            if let attachment = connection.attachment { taken.append(attachment) }
        }
        for list in dueLists {
            list.isDue = false
            for subscription in list.subscriptions.all {
                let connection = subscription.connection
                guard !connection.isDue, let attachment = connection.attachment else { continue }
                taken.append(attachment)
            }
        }
        for connection in due { connection.isDue = false }
        due.removeAll(keepingCapacity: true)
        dueLists.removeAll(keepingCapacity: true)
    }

    /// What is known of a connection until it is disconnected. An owner who keeps it need not look
    /// it up for each delivery.
    package func connection(_ id: ConnectionID) -> Connection? { connections[id] }

    /// Connections to be closed, once what `takeFrames` still has for them is sent.
    package func takeClosed() -> [(ConnectionID, ServerMessage.Goodbye)] {
        defer { closed = [] }
        return closed
    }

    /// When `tick` has something to do next; `nil`: only after the next event.
    package func nextTick(after now: Timestamp) -> Timestamp? {
        var next = (surveys.values.map(\.until) + [nextExpiry].compactMap { $0 }).min()
        if !snapshotQueue.isEmpty {
            let soon = now.adding(milliseconds: Self.queuePause)
            next = min(next ?? soon, soon)
        }
        for name in restless {
            guard let list = hosted(name) else { continue }
            if list.presence.isDirty {
                let soon = now.adding(milliseconds: Self.presencePause)
                return min(next ?? soon, soon)
            }
            if let idle = list.idleSince {
                let at = idle.adding(milliseconds: Self.idleTime)
                next = min(next ?? at, at)
            }
        }
        return next
    }

    /// Presence is told at most so often, in milliseconds: many who come together are told at once.
    static let presencePause: Int64 = 50
    /// How long a list stays in memory with nobody reading it, in milliseconds.
    static let idleTime: Int64 = 60_000

    func markDue(_ connection: Connection) {
        guard !connection.isDue else { return }
        connection.isDue = true
        due.append(connection)
    }

    /// All who read it.
    func markDue(_ list: HostedList) {
        guard !list.isDue else { return }
        list.isDue = true
        dueLists.append(list)
    }

    func hosted(_ name: ListName) -> HostedList? {
        if case .hosted(let list) = lists[name] { return list }
        return nil
    }
}
