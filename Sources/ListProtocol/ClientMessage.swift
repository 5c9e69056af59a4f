package import ListModel

/// A number that a client gives a question, and finds in its answer.
package typealias RequestID = UInt64

/// Where a replica stands in a log: its epoch, and the last version that it applied.
package struct Position: Hashable, Sendable {
    package let epoch: Epoch
    package let version: Version

    package init(epoch: Epoch, version: Version) {
        self.epoch = epoch
        self.version = version
    }
}

/// What a client says: one JSON object a message. `hello` comes first.
package enum ClientMessage: Hashable, Sendable {
    case hello(Hello)
    case open(Open)
    case close(ListName)
    case submit(Submission)
    /// The elements which this client's editors hold in a list, all of them, each time.
    case presence(ListName, editing: [ElementID])
    case who(RequestID, ListName)
    /// Idempotent with the same title and schema.
    case create(RequestID, ListName, title: String?, schema: Schema?)
    case remove(RequestID, ListName)
    case lists(RequestID)
    /// The newest entries first that touch `id` (or any), at most `limit`, of versions below
    /// `before`.
    case history(RequestID, ListName, of: ElementID?, before: Version?, limit: Int)
    case fates(RequestID, ListName, [ElementID])
    /// Answered by `pong` once all that was durable when it came has been sent; with a list, of
    /// that list.
    case ping(RequestID, ListName?)
    /// Another token for the same name, before the one in use expires.
    case renew(RequestID, token: String)

    package struct Hello: Hashable, Sendable {
        /// Version of the protocol: 1.
        package var version: Int
        package var client: ClientID
        package var name: UserName
        package var token: String?

        package init(version: Int = 1, client: ClientID, name: UserName, token: String? = nil) {
            self.version = version
            self.client = client
            self.name = name
            self.token = token
        }
    }

    /// Subscribes to a list: entries after `position`, or a snapshot, then `caughtUp`, then
    /// entries.
    package struct Open: Hashable, Sendable {
        package var list: ListName
        /// Create the list if there is none.
        package var create: Bool
        /// Where the replica stands; `nil` asks for a snapshot.
        package var position: Position?
        /// The elements under the client's editors: their fates come before `caughtUp`.
        package var editing: [ElementID]
        /// All outcomes of this client and list up to here were heard.
        package var heard: MutationNumber
        /// Whether the list's presence is to be told.
        package var presence: Bool
        /// Of the entry at `position`, which thus proves to be that of the log; `nil`: not known.
        package var last: Timestamp?
        /// Whether the client reads parts of a snapshot that have a base.
        package var base: Bool

        package init(
            list: ListName, create: Bool = false, position: Position? = nil,
            editing: [ElementID] = [], heard: MutationNumber = .zero, presence: Bool = false,
            last: Timestamp? = nil, base: Bool = false
        ) {
            self.list = list
            self.create = create
            self.position = position
            self.editing = editing
            self.heard = heard
            self.presence = presence
            self.last = last
            self.base = base
        }
    }

    /// A mutation on its way to the authority. The list need not be open.
    package struct Submission: Hashable, Sendable {
        package var list: ListName
        package var n: MutationNumber
        package var heard: MutationNumber
        package var operations: [Operation]
        package var atomic: Bool
        /// The epoch for which the client numbered it; `nil` on a client's first word to a list.
        package var epoch: Epoch?
        /// It may have been submitted before, on another connection.
        package var again: Bool

        package init(
            list: ListName, n: MutationNumber, heard: MutationNumber, operations: [Operation],
            atomic: Bool = false, epoch: Epoch? = nil, again: Bool = false
        ) {
            self.list = list
            self.n = n
            self.heard = heard
            self.operations = operations
            self.atomic = atomic
            self.epoch = epoch
            self.again = again
        }
    }
}
