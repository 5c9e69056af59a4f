package import ListModel
package import ListProtocol

/// One list as this client has it: the confirmed list with its own pending work on top, the editors
/// on its elements, and how it is kept in step with the server.
///
/// Confined to its `ClientCore`, which feeds it messages and takes out what it leaves behind:
/// messages to send, writes to make durable, news for the user.
package final class Replica {
    package let name: ListName
    let client: ClientID
    package internal(set) var user: UserName
    package var limits: Limits

    package internal(set) var speculation = Speculation()
    /// Of the confirmed list; `nil` before the first synchronisation.
    package internal(set) var epoch: Epoch?
    /// Time of the entry at which the confirmed list stands; `nil`: it came as a snapshot.
    var lastEntryAt: Timestamp?
    package internal(set) var sync = Sync.away
    /// Opened by the user since it was last in step: another list under this name is followed then,
    /// and created where there is none if that was asked for.
    var isAskedFor = false
    var createsIfMissing = false
    /// Fetch the whole list, wherever this replica stands.
    var wantsWhole = false
    /// How often in a row it was fetched anew because something did not fit.
    var tries = 0
    /// Asked for again by itself, where the server could not give it for now.
    var retrying: Retrying?
    var wantsPresence = true
    /// Whether the list, its pending work and its editors outlive the program. Otherwise only the
    /// numbers of mutations do, so that none is ever used twice.
    var keepsCopy = true
    /// Whether every entry is told as news, for those who watch the list.
    package var tellsEntries = false

    /// Mutations whose outcome was not heard, oldest first. Those that are in the log already are
    /// no longer among the speculation's.
    package internal(set) var unresolved: [Unresolved] = [] { didSet { waitingInserts = nil } }
    /// The first mutation among them that inserts an element, by its ID; `nil`: to be gathered.
    var waitingInserts: [ElementID: MutationNumber]?
    package internal(set) var lastNumber = MutationNumber.zero
    /// Those whose outcome was heard, with what they rest on, and the state writes that take them
    /// from what is stored.
    var leaving: [MutationNumber: UInt64] = [:]
    /// The newest of them that went out on this connection.
    var sentThrough = MutationNumber.zero
    /// Outcomes that came while the list is fetched.
    var early: [(MutationNumber, ServerMessage.Answer)] = []
    /// For whom own deletions were refused, until that is looked at.
    var keptFor: [ElementID: UserName] = [:]
    /// Set while several changes are told as one.
    var together: Touched?
    /// The newest that went out on any connection, or may have before the program ended.
    var everSent = MutationNumber.zero
    /// The newest that may go out, by what is written down; it is written before anything goes.
    var released = MutationNumber.zero
    /// The newest that may have gone out before this connection.
    var everSentBefore = MutationNumber.zero
    /// The list was taken away since it was last in step, and what waits lies aside.
    var hasLostAccess = false
    /// Own inserts that were refused or will be, while later work may rest on them.
    var rejected: [MutationNumber: Code] = [:] {
        didSet { if !(oldValue.isEmpty && rejected.isEmpty) { replaysNext = true } }
    }
    /// Own inserts that were discarded here and may be in the log, until the list says whether they
    /// are: an editor that was opened on one returns then.
    var discardedUnknown: Set<MutationNumber> = []
    /// Whether the pending work was last played knowing less, or more, of what is rejected.
    var replaysNext = false

    package internal(set) var editors: [ElementID: Editor] = [:]
    /// Editors without a draft, any number on an element.
    package internal(set) var companions: [EditorNumber: Editor] = [:]
    var companionEvents: [CompanionEvent] = []
    var nextSerial: UInt64 = 1
    /// Text that was typed for an element which does not exist yet; kept like a draft.
    package internal(set) var note = ""
    var undoStack = UndoStack()
    package internal(set) var views: [ViewNumber: View] = [:]
    var lastView: UInt64 = 0
    /// Whether what rows change is gathered, for `takeTouched`.
    package var tellsTouched = false
    var touchedRows = Touched()
    package internal(set) var presence: [UInt64: Presence] = [:]
    /// Number of this connection's own presence.
    var session: UInt64?

    var outbox: [ClientMessage] = []
    var writes: [StateWrite] = []
    /// The position is to be written with them.
    var isPositionDue = false
    let keys: ListKeys
    var news: [News] = []
    var storedEntries = 0
    /// The number of the state write that what is done now will be part of; the core's to set.
    var ticket: UInt64 = 1
    /// The last of them that is durable; the core's to set.
    var saved: UInt64 = 0 {
        didSet {
            if saved > oldValue, !leaving.isEmpty {
                leaving = leaving.filter { $0.value > saved }
            }
        }
    }

    package enum Sync: Sendable {
        /// No connection, or not open.
        case away
        /// To be opened anew. Until the server has answered the ping `fence`, what comes belongs to
        /// the old subscription and is let go; `nil`: the ping is not sent yet.
        case leaving(fence: RequestID?)
        /// Opened; what came so far is kept aside until "caught up", and then applied as one.
        case opening(Incoming)
        case live
        /// The list is no more.
        case gone(ServerMessage.Gone)
        case failed(Refusal)
    }

    package struct Incoming: Sendable {
        /// The elements whose fates were asked for.
        var named: Set<ElementID> = []
        var snapshot: ListState?
        var parts: [SnapshotPart] = []
        var entries: [Entry] = []
        var fates: [Fate] = []
    }

    package struct Unresolved: Sendable {
        package internal(set) var mutation: Mutation {
            didSet { needs = mutation.lowestNeed }
        }
        /// The oldest mutation on which it rests.
        private(set) var needs: MutationNumber?
        package let at: Timestamp
        /// The state write that makes it durable; it is not sent before.
        var ticket: UInt64
        /// Whether it may be in the log, though no entry showed it, because the list came as a
        /// snapshot since it was sent.
        package internal(set) var isUncertain = false
        /// The editor whose draft it carries.
        var editor: ElementID?
        /// How that editor sent it.
        var commit: Editor.Commit?
        /// The number under which its outcome is reported, where it proposes an earlier one again.
        package internal(set) var origin: MutationNumber?
        /// The mutation that it takes back.
        package internal(set) var undoes: MutationNumber?

        init(
            mutation: Mutation, at: Timestamp, ticket: UInt64, isUncertain: Bool = false,
            editor: ElementID? = nil, commit: Editor.Commit? = nil,
            origin: MutationNumber? = nil, undoes: MutationNumber? = nil
        ) {
            self.mutation = mutation
            needs = mutation.lowestNeed
            self.at = at
            self.ticket = ticket
            self.isUncertain = isUncertain
            self.editor = editor
            self.commit = commit
            self.origin = origin
            self.undoes = undoes
        }
    }

    package init(name: ListName, client: ClientID, user: UserName, limits: Limits) {
        self.name = name
        keys = ListKeys(name)
        self.client = client
        self.user = user
        self.limits = limits
    }

    /// Whether the outcome of a mutation, as it is reported, is still to come.
    package func isWaiting(_ n: MutationNumber) -> Bool {
        unresolved.contains { ($0.origin ?? $0.mutation.n) == n }
    }

    /// The list as it is visible: confirmed, with the pending work on top.
    package var list: ListState { speculation.list }

    package var isLive: Bool {
        if case .live = sync { return true }
        return false
    }

    /// Whether the server will be heard from without anybody doing something.
    package var isReachable: Bool {
        switch sync {
        case .leaving, .opening, .live: true
        case .away, .gone, .failed: false
        }
    }

    /// Whether a mutation, though its outcome is not known, may be in the log.
    package func mayBeLogged(_ n: MutationNumber) -> Bool { n <= everSent }

    package var gone: ServerMessage.Gone? {
        if case .gone(let gone) = sync { return gone }
        return nil
    }

    /// All outcomes up to here were heard, and nothing that waits rests on one of them. What a
    /// crash would bring back counts as not heard: its outcome is asked for again then.
    var heard: MutationNumber {
        var lowest = lastNumber.number + 1
        for (n, ticket) in leaving where ticket > saved && !Faults.has(.heardTooEarly) {
            lowest = min(lowest, n.number)
        }
        for n in discardedUnknown { lowest = min(lowest, n.number) }
        if let first = unresolved.first { lowest = min(lowest, first.mutation.n.number) }
        for index in unresolved.indices {
            if let needed = unresolved[index].needs { lowest = min(lowest, needed.number) }
        }
        return MutationNumber(lowest - 1)
    }

    /// Who else, by what was last told, has an editor open on an element.
    package func othersEditing(_ id: ElementID) -> [UserName] {
        let names = presence.values.filter { $0.session != session && $0.editing.contains(id) }
        return Set(names.map(\.name)).sorted()
    }

    func context(at: Timestamp, by: UserName) -> ResolutionContext {
        ResolutionContext(
            at: at, by: by, limits: limits, editor: { self.othersEditing($0).first },
            isLogged: { self.rejected[$0] == nil })
    }

    func context(of pending: Speculation.Pending) -> ResolutionContext {
        context(at: pending.at, by: pending.by)
    }
}

extension Mutation {
    fileprivate var lowestNeed: MutationNumber? {
        var lowest: MutationNumber?
        for index in operations.indices {
            guard let needed = operations[index].condition?.needs else { continue }
            lowest = min(lowest ?? needed, needed)
        }
        return lowest
    }
}
