/// Every bound, in one value: unit, reason, and what happens when it is hit.
public struct Limits: Hashable, Sendable {
    /// Bytes of one message from a client. Beyond: the connection is closed with 1009.
    public var messageBytes = 1 << 20
    /// Bytes of one element's fields as JSON. Beyond: refused `too_large`.
    public var elementBytes = 64 << 10
    /// Fields of one element. Beyond: refused `too_many`.
    public var fields = 64
    /// Operations of one mutation, and elements of one move. Beyond: refused `too_many`.
    public var operations = 1_000
    /// Living elements of one list. Beyond: refused `too_many`.
    public var elements = 1_000_000
    /// Lists of one server. Beyond: creation refused `too_many`.
    public var lists = 100_000
    /// Depth of a value: objects and arrays within each other. Beyond: `malformed`.
    public var depth = 64
    /// Connections of one server, so that memory and descriptors are bounded. Beyond: refused at
    /// once.
    public var connections = 20_000
    /// Connections from one address that is not this machine's own; with IPv6, from one network of
    /// 64 bits. Beyond: answered 429.
    public var connectionsPerAddress = 2_000
    /// Connections of one user, where tokens are asked for. Beyond: closed, to come back.
    public var connectionsPerUser = 1_000
    /// Seconds for the handshake, so that slow ones hold no descriptors. Beyond: dropped.
    public var handshakeSeconds = 10
    /// Seconds from there to the first message. Beyond: closed, to come back.
    public var helloSeconds = 30
    /// Messages of one connection a second, ten seconds' worth at once. Beyond: questions are
    /// refused `too_many_requests`; what is no question, and the hundredth one, closes the
    /// connection, to come back.
    public var messagesPerSecond = 5_000
    /// Mutations of one connection a second, likewise. Beyond: closed, to come back.
    public var editsPerSecond = 2_000
    /// Bytes from one connection a second, likewise. Beyond: closed, to come back.
    public var bytesPerSecond = 16 << 20
    /// Lists that one connection has open. Beyond: refused `too_many`.
    public var openLists = 100
    /// Elements one connection says it edits, or asks the fates of, in one list. Beyond:
    /// `too_many`.
    public var editing = 1_000
    /// Mutations of one client and list whose outcome it has not confirmed hearing. Beyond:
    /// refused.
    public var unheard = 10_000
    /// Mutations of one client and list that wait for the server, since all are played again
    /// whenever something comes from it. Beyond: `queue_full`, in the library's typed lists.
    public var pending = 10_000
    /// Bytes of a part of a snapshot or of a frame of entries, so that no connection holds more.
    public var frameBytes = 64 << 10
    /// Bytes of the snapshots that are being sent, the last one not counted. Beyond: who opens a
    /// list waits for its turn; who takes nothing for 10 s meanwhile is closed, to come back.
    public var snapshotBytes = 256 << 20
    /// Messages that wait for one connection besides its entries, more than `unheard`, since so
    /// many outcomes may come at once. Beyond: it is closed, to come back.
    public var outbox = 20_000
    /// Messages that wait while their list is loaded or deleted. Beyond: the connection is closed,
    /// to come back.
    public var early = 1_000
    /// Bytes of the messages of an outbox, the last one not counted. Beyond: it is closed, too.
    public var outboxBytes = 8 << 20
    /// Graves kept in the order of one list; the oldest are forgotten first.
    public var graves = 100_000
    /// How long a grave is kept at least as far as their number allows, in milliseconds (400 days).
    public var graveAge: Int64 = 400 * 86_400_000
    /// How long a client is remembered after its last entry, in milliseconds (400 days).
    public var clientAge: Int64 = 400 * 86_400_000
    /// Bytes of a token. Beyond: it is none.
    public var tokenBytes = 8 << 10
    /// Bytes of a list's title.
    public var titleBytes = 1_024

    public init() {}
}
