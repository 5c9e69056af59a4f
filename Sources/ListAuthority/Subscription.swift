internal import ListModel
internal import ListProtocol

/// One connection's reading of one list: a cursor, never a queue. What it has not taken is read
/// again from the log when it can take it.
///
/// ```
/// queued ──room──▶ snapshot(pages) ──last part──▶ entries ◀──page sent── page ◀──read── reading
///                                                    └──the log's tail does not reach back──▶
/// ```
final class Subscription {
    /// Whose it is; it is ended before the connection is.
    unowned let connection: Connection
    /// All entries up to here were sent.
    var cursor: Version
    var phase: Phase
    /// Elements whose fates the client wants before it is caught up.
    var fates: [ElementID]
    var wantsPresence: Bool
    /// Whether parts of a snapshot may have a `base`.
    let readsBase: Bool
    /// What the client had heard when it opened the list.
    var heard: MutationNumber
    /// Whether `caughtUp` was sent.
    var isCaughtUp = false
    /// When it last took a part of a snapshot.
    var movedAt = Timestamp.zero

    init(
        of connection: Connection, cursor: Version, phase: Phase, fates: [ElementID],
        wantsPresence: Bool, readsBase: Bool, heard: MutationNumber
    ) {
        self.connection = connection
        self.cursor = cursor
        self.phase = phase
        self.fates = fates
        self.wantsPresence = wantsPresence
        self.readsBase = readsBase
        self.heard = heard
    }

    enum Phase {
        /// Waits for room for the whole list.
        case queued
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
///
/// What each delivery reads is marked `exclusivity(unchecked)`: checking at run time that nobody
/// changes it meanwhile cost more than the delivery, and no change of it calls anything of others.
package final class Connection {
    package let id: ConnectionID
    /// The owner's own for this connection; it saves a look-up for each delivery.
    @exclusivity(unchecked)
    package var attachment: AnyObject?
    /// What its token gives it; `nil`: it showed none that holds.
    var access: Access?
    var greeting: Greeting?
    @exclusivity(unchecked)
    private(set) var outbox: [Outgoing] = []
    private(set) var outboxBytes = 0
    /// The lists that it has open, by name.
    @exclusivity(unchecked)
    private(set) var opened: [Opened] = []
    /// Numbers that it gave to something else than what the list knows under them.
    private(set) var reused: [ListName: Set<MutationNumber>] = [:]
    /// Said its last word; nothing follows.
    var isClosing = false
    /// There may be something to send.
    var isDue = false

    struct Opened {
        let list: HostedList
        let subscription: Subscription
    }

    struct Greeting {
        let client: ClientID
        /// That of the token, where there is one.
        let name: UserName
        let identity: ClientIdentity
    }

    /// A message, and the entries that must have been sent before it.
    struct Outgoing {
        let bytes: [UInt8]
        let after: (list: ListName, position: Position)?
        /// The list out of which it tells something.
        var list: ListName?
        /// Whether it tells what became of a mutation.
        var isOutcome = false
    }

    init(id: ConnectionID) { self.id = id }

    func enter(_ list: HostedList, _ subscription: Subscription) {
        leave(list.name)
        let at = opened.firstIndex { $0.list.name > list.name } ?? opened.endIndex
        opened.insert(Opened(list: list, subscription: subscription), at: at)
    }

    func leave(_ name: ListName) { opened.removeAll { $0.list.name == name } }

    func hasOpen(_ name: ListName) -> Bool { opened.contains { $0.list.name == name } }

    /// Whoever reuses more than may be unheard of is no client that was set back: its numbers are
    /// not kept.
    func noteReused(_ n: MutationNumber, in list: ListName, atMost most: Int) {
        guard reused.values.reduce(0, { $0 + $1.count }) < most else { return }
        reused[list, default: []].insert(n)
    }

    func put(_ message: Outgoing) {
        outbox.append(message)
        outboxBytes += message.bytes.count
    }

    /// Takes the oldest `count` messages out.
    func take(_ count: Int) {
        outboxBytes -= outbox.prefix(count).reduce(0) { $0 + $1.bytes.count }
        outbox.removeFirst(count)
    }

    func drop(where isDropped: (Outgoing) -> Bool) {
        outbox.removeAll(where: isDropped)
        outboxBytes = outbox.reduce(0) { $0 + $1.bytes.count }
    }
}
