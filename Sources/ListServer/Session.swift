internal import ListAuthority
internal import ListProtocol
internal import WebSockets

/// One client's connection, between the authority that says what is due and the socket that takes
/// it. The socket keeps it as its attachment.
final class Session {
    let id: ListAuthority.ConnectionID
    let connection: WebSocketConnection
    /// Where its client's lists are; that of its tenant once it has said hello.
    var realm: Realm
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

    /// Bytes of messages in one write; their headers have as much room.
    private static let bytesOfWrite = WebSocketServer.Options().maxWrite / 2
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

    /// Sends what `authority` has for it while the socket takes it; then waits for `writable`.
    ///
    /// - Parameter frames: room that is used again for each connection; its contents do not matter.
    func deliver(
        from authority: Authority, _ frames: inout [[UInt8]], counting figures: inout Figures
    ) {
        for _ in 0..<Self.writesInTurn {
            guard connection.isWritable else { return }
            frames.removeAll(keepingCapacity: true)
            var isMore = true
            if held.isEmpty {
                isMore = authority.takeFrames(for: id, bytes: Self.bytesOfWrite, into: &frames)
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
            figures.deliveries += UInt64(frames.count)
            figures.bytesOut += frames.reduce(0) { $0 + UInt64($1.count) }
            if case .queued = sending { return }
            if !isMore, goodbye == nil { return }
        }
        connection.notifyWhenWritable()
    }

    /// Says the last word now, whether or not the peer took what came before.
    func leave(_ goodbye: ServerMessage.Goodbye) {
        connection.close(code: goodbye.code, reason: goodbye.reason)
    }
}

extension ServerMessage.Goodbye {
    /// A close frame has room for 123 bytes of text.
    var reason: String {
        sentence.utf8.count <= 123 ? sentence : String(sentence.unicodeScalars.prefix(40))
    }
}
