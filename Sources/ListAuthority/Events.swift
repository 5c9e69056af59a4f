package import ListModel
package import ListProtocol

/// The number of a connection in one run of the server; also the number of its presence.
package struct ConnectionID: Hashable, Sendable {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// What happens to the authority.
package enum Event: Sendable {
    case connected(ConnectionID)
    /// What the token of a connection gives it; before its hello.
    case admitted(ConnectionID, Access)
    /// From here on only those are served who were admitted; the others go.
    case accessDemanded
    /// Another token for the same name, by the client's wish (`request`) or because what the token
    /// gives was changed.
    case accessRenewed(ConnectionID, RequestID?, Access)
    /// What the connection showed is no token, or no longer.
    case accessEnded(ConnectionID)
    case message(ConnectionID, ClientMessage)
    /// Something came that could not be understood.
    case refused(ConnectionID, Refusal, request: RequestID?, list: ListName?)
    /// The same for a mutation whose number could be read: its author waits for an outcome.
    case refusedSubmission(ConnectionID, ListName, MutationNumber, Refusal)
    /// What came may not be heeded: too much came before it.
    case unheeded(ConnectionID, ClientMessage, Refusal)
    /// The shell serves it no longer; it may come back after `retry` milliseconds.
    case sentAway(ConnectionID, CloseCode, Refusal, retry: Int64)
    case disconnected(ConnectionID)
    /// The lists that the storage holds, and the deletions that it remembers; once, at the start.
    case started(lists: [StoredName], deletions: [Deletion])
    case created(ListName, Refusal?)
    case loaded(ListName, Result<StoredList, Refusal>)
    case dropped(ListName, Refusal?)
    /// The log goes on under this epoch, unless it was refused.
    case renewed(ListName, Epoch, Refusal?)
    /// The append that was under way is durable; the log's head is now this.
    case appended(ListName, Version)
    case appendFailed(ListName, AppendFailure)
    /// Records behind the head as this authority knew it, written by another.
    case foreign(ListName, [[UInt8]])
    /// `nil`: the log no longer reaches back so far.
    case read(ListName, for: ConnectionID, [[UInt8]]?)
    case history(ListName, for: ConnectionID, RequestID, Result<[Entry], Refusal>)
    /// A stored snapshot was written; `first` is the oldest entry that the log still holds.
    case saved(ListName, at: Version, first: Version)
    /// Time passes: presence leaves, idle lists are put away. See `Authority.nextTick`.
    case tick
    /// The server is about to end: no new work, and every client is told when to come back.
    case drain(retry: Int64)
}

extension Event {
    /// What came in and could not be understood. The author of a mutation waits for its outcome,
    /// however garbled it was.
    package init(_ fault: DecodingFault, from id: ConnectionID) {
        let refusal = Refusal(fault.code, fault.sentence)
        if let list = fault.list, let n = fault.n {
            self = .refusedSubmission(id, list, n, refusal)
        } else {
            self = .refused(id, refusal, request: fault.request, list: fault.list)
        }
    }
}

package enum AppendFailure: Error, Sendable {
    /// Somebody else's records stand behind our head.
    case conflict
    /// Nothing was written, as far as the storage knows.
    case failed(String)
}

package struct StoredName: Hashable, Sendable {
    package let name: ListName
    package let epoch: Epoch
    package init(name: ListName, epoch: Epoch) {
        self.name = name
        self.epoch = epoch
    }
}

/// A list that is no more: kept so that clients who were away can be told who deleted it.
package struct Deletion: Hashable, Sendable {
    package let name: ListName
    package let epoch: Epoch
    package let by: UserName
    package let at: Timestamp

    package init(name: ListName, epoch: Epoch, by: UserName, at: Timestamp) {
        self.name = name
        self.epoch = epoch
        self.by = by
        self.at = at
    }
}

/// What the authority asks of its storage. Work on one list is done in the order asked.
package enum StorageWork: Sendable {
    case create(ListName, Epoch)
    case load(ListName)
    case drop(ListName, Deletion)
    /// Give the log this epoch.
    case renew(ListName, Epoch)
    case append(ListName, after: Version, records: [[UInt8]])
    case readForeign(ListName, after: Version)
    case read(ListName, after: Version, bytes: Int, for: ConnectionID)
    case history(
        ListName, of: ElementID?, before: Version?, limit: Int, for: ConnectionID, RequestID)
    /// Store a snapshot, then forget the log up to `through`.
    case save(ListName, at: Version, parts: [[UInt8]], through: Version?)
}

/// How much of each log is kept for catch-up.
package enum History: Hashable, Sendable {
    case all
    /// So many entries at least.
    case entries(Int)
    /// All entries younger than this, in milliseconds.
    case age(Int64)
}

extension History {
    /// The oldest entry that is kept of a log.
    ///
    /// - Parameter last: a version before which every entry is older than a time, if one is known.
    package func oldestKept(
        first: Version, head: Version, at now: Timestamp,
        last: (_ since: Timestamp) throws -> Version?
    ) rethrows -> Version {
        switch self {
        case .all: return first
        case .entries(let count):
            let oldest = head.number + 1 - min(head.number, UInt64(max(0, count)))
            return max(first, Version(oldest))
        case .age(let age):
            return max(first, try last(now.adding(milliseconds: -age))?.next ?? .zero)
        }
    }
}
