internal import ListAuthority
internal import ListProtocol
internal import WebSockets

/// One client's connection, between the authority that says what is due and the socket that takes
/// it. The socket keeps it as its attachment.
final class Session {
    let id: ListAuthority.ConnectionID
    let connection: WebSocketConnection
    /// Where its client's lists are; that of its tenant once it has said hello.
    private(set) var realm: Realm
    /// What the authority of that knows of it.
    private var known: ListAuthority.Connection?
    /// What its token gave it; `nil`: it showed none yet, or needs none.
    var admission: Admission?
    /// The first was heeded; the authority says what it thinks of a second.
    var saidHello = false
    /// How much it may say.
    var allowance: Allowance
    /// Whether what it says is no longer looked at.
    var isSentAway = false
    /// Taken from the authority, but not yet by the socket.
    private var held: [[UInt8]] = []
    /// Said once all else is sent; nothing follows it.
    var goodbye: ServerMessage.Goodbye?

    /// Bytes of messages in one write: half of `WebSocketServer.Options.maxWrite`, so that their
    /// headers have as much room.
    private static let bytesOfWrite = 128 << 10
    /// Writes in a row, after which other connections have their turn.
    private static let writesInTurn = 4

    init(
        _ id: ListAuthority.ConnectionID, _ connection: WebSocketConnection, _ realm: Realm,
        _ allowance: Allowance
    ) {
        self.id = id
        self.realm = realm
        self.allowance = allowance
        self.connection = connection
    }

    /// Sends what the authority has for it while the socket takes it; then waits for `writable`.
    /// What others get as well goes out with `broadcast`.
    ///
    /// - Parameter frames: room that is used again for each connection; its contents do not matter.
    func deliver(
        _ frames: inout [[UInt8]], in broadcast: inout Broadcast, counting sent: inout Sent
    ) {
        guard let known, connection.isWritable else { return }
        guard held.isEmpty, goodbye == nil,
            let frame = realm.authority.takeOnlyFrame(for: known, bytes: Self.bytesOfWrite)
        else { return deliverAll(to: known, &frames, counting: &sent) }
        broadcast.add(frame, to: connection)
        sent.add(frame)
    }

    private func deliverAll(
        to known: ListAuthority.Connection, _ frames: inout [[UInt8]], counting sent: inout Sent
    ) {
        for _ in 0..<Self.writesInTurn {
            guard connection.isWritable else { return }
            frames.removeAll(keepingCapacity: true)
            var isMore = true
            if held.isEmpty {
                isMore = realm.authority.takeFrames(
                    for: known, bytes: Self.bytesOfWrite, into: &frames)
            } else {
                swap(&held, &frames)
            }
            guard !frames.isEmpty else {
                if let goodbye { leave(goodbye) }
                return
            }
            let sending = connection.send(frames)
            if case .overflow = sending {
                held = frames
                return
            }
            for frame in frames { sent.add(frame) }
            if case .queued = sending { return }
            if !isMore, goodbye == nil { return }
        }
        connection.notifyWhenWritable()
    }

    /// It has been told to the authority of this realm, and of no other.
    func enter(_ realm: Realm) {
        leaveRealm()
        self.realm = realm
        known = realm.authority.connection(id)
        known?.attachment = self
    }

    /// Nothing more is sent to it.
    func leaveRealm() {
        known?.attachment = nil
        known = nil
    }

    /// Says the last word now, whether or not the peer took what came before.
    func leave(_ goodbye: ServerMessage.Goodbye) {
        connection.close(code: goodbye.code, reason: goodbye.reason)
    }
}

/// What one round of deliveries came to; counted together, since each count by itself would cost as
/// much as the rest of a delivery.
struct Sent {
    var messages: UInt64 = 0
    var bytes: UInt64 = 0

    mutating func add(_ frame: [UInt8]) {
        messages += 1
        bytes += UInt64(frame.count)
    }
}

extension ServerMessage.Goodbye {
    /// A close frame has room for 123 bytes of text.
    var reason: String {
        sentence.utf8.count <= 123 ? sentence : String(sentence.unicodeScalars.prefix(40))
    }
}
