/// Names one connection of this process; never used twice.
package struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt

    package var description: String { String(rawValue) }
}

/// A client's connection, as its server sees it: from `opened` to `closed`.
///
/// It is used on the loop's thread alone. After it is closed every call does nothing.
package final class WebSocketConnection: @unchecked Sendable {
    // because all that changes is touched on the loop's thread alone, which is checked.

    package let id: ConnectionID
    /// The peer's address in numbers.
    package let remoteAddress: String
    /// The owner's session for this connection; it saves a look-up for each message.
    package var attachment: AnyObject?
    /// The header `Authorization` of its handshake; the owner takes it out when it has read it.
    package var authorization: String?

    let socket: OpenSocket

    init(id: ConnectionID, remoteAddress: String, socket: OpenSocket) {
        self.id = id
        self.remoteAddress = remoteAddress
        self.socket = socket
    }

    /// Whether something may be sent now: it is open, and nothing sent before is held back.
    package var isWritable: Bool {
        socket.loop.preconditionOnLoop()
        return socket.isWritable
    }

    /// Sends each payload as one text message, all of them in one write.
    ///
    /// `.overflow` means that nothing was taken: wait for `writable`, or send less at once.
    package func send(_ payloads: [[UInt8]]) -> SendResult {
        socket.send(payloads)
    }

    /// Asks for `writable`, once, at the next moment when something may be sent.
    package func notifyWhenWritable() {
        socket.notifyWhenWritable()
    }

    /// Says goodbye with a code. What was sent before arrives before it; nothing is received
    /// from here on. `closed` follows when the peer has answered, or when its time is over.
    ///
    /// May be called inside any callback. Repeating it does nothing.
    package func close(code: UInt16, reason: String) {
        socket.close(code: code, reason: reason)
    }
}
