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
    /// Taken from the authority, but not yet by the socket.
    private var held: ArraySlice<[UInt8]> = []
    /// Said once all else is sent; nothing follows it.
    var goodbye: ServerMessage.Goodbye?

    /// Each frame has a header of at most this size in front of it.
    static let frameHeader = 14
    /// Writes in a row, after which other connections have their turn.
    private static let writesInTurn = 4

    init(
        _ id: ListAuthority.ConnectionID, _ connection: WebSocketConnection, _ realm: Realm
    ) {
        self.id = id
        self.realm = realm
        self.connection = connection
    }

    /// Sends what `authority` has for it while the socket takes it; then waits for `writable`.
    func deliver(from authority: Authority, maxWrite: Int) {
        for _ in 0..<Self.writesInTurn {
            guard connection.isWritable else { return }
            if held.isEmpty { held = authority.takeFrames(for: id, bytes: maxWrite / 2)[...] }
            guard !held.isEmpty else {
                if let goodbye { leave(goodbye) }
                return
            }
            let batch = firstWrite(maxWrite)
            switch connection.send(Array(batch)) {
            case .sent: held = held.dropFirst(batch.count)
            case .queued:
                held = held.dropFirst(batch.count)
                return
            case .overflow: return
            }
        }
        connection.notifyWhenWritable()
    }

    /// Says the last word now, whether or not the peer took what came before.
    func leave(_ goodbye: ServerMessage.Goodbye) {
        connection.close(code: goodbye.code, reason: goodbye.reason)
    }

    /// As many frames as go into one write, and at least one: a long frame goes alone.
    private func firstWrite(_ maxWrite: Int) -> ArraySlice<[UInt8]> {
        var room = maxWrite
        let fits = held.prefix { frame in
            room -= frame.count + Self.frameHeader
            return room >= 0
        }
        return fits.isEmpty ? held.prefix(1) : fits
    }
}

extension ServerMessage.Goodbye {
    /// A close frame has room for 123 bytes of text.
    var reason: String {
        sentence.utf8.count <= 123 ? sentence : String(sentence.unicodeScalars.prefix(40))
    }
}
