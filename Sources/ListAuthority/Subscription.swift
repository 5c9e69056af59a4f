internal import ListModel
internal import ListProtocol

/// One connection's reading of one list: a cursor, never a queue. What it has not taken is read again
/// from the log when it can take it.
///
/// ```
/// snapshot(pages) ──last part──▶ entries ◀──page sent── page ◀──read── reading
///                                   └──────the log's tail does not reach back──────▶
/// ```
struct Subscription {
    /// All entries up to here were sent.
    var cursor: Version
    var phase: Phase
    /// Elements whose fates the client wants before it is caught up.
    var fates: [ElementID]
    var wantsPresence: Bool
    /// What the client had heard when it opened the list.
    var heard: MutationNumber
    /// Whether `caughtUp` was sent.
    var isCaughtUp = false

    enum Phase {
        /// Part `next` of these pages is sent next.
        case snapshot(SnapshotPages, next: Int)
        case entries
        /// Waits for records from the storage.
        case reading
        /// These records, read from the storage, are sent next.
        case page([[UInt8]])
    }
}

/// One client's connection: who it is, and what waits for it besides entries.
struct Connection {
    let id: ConnectionID
    var greeting: Greeting?
    var outbox: [Outgoing] = []
    /// The lists that it has open.
    var lists: Set<ListName> = []
    /// Said its last word; nothing follows.
    var isClosing = false

    struct Greeting {
        let client: ClientID
        let name: UserName
    }

    /// A message, and the entries that must have been sent before it.
    struct Outgoing {
        let bytes: [UInt8]
        let after: (list: ListName, version: Version)?
    }
}
