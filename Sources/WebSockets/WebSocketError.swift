/// Why an event loop or a server could not start. The text is a sentence for people.
package enum WebSocketError: Error, Hashable, CustomStringConvertible {
    case addressInUse(String)
    case notPermitted(String)
    case unknownHost(String)
    case cannotListen(String)
    case badCertificate(String)
    case eventLibraryMissing(String)
    case cannotStart(String)

    package var description: String {
        switch self {
        case .addressInUse(let sentence), .notPermitted(let sentence), .unknownHost(let sentence),
            .cannotListen(let sentence), .badCertificate(let sentence),
            .eventLibraryMissing(let sentence), .cannotStart(let sentence):
            sentence
        }
    }
}

/// Why a connection is over.
package enum CloseReason: Sendable, Hashable, CustomStringConvertible {
    /// The other side closed with this code and text; 1005 when it gave no code.
    case peer(UInt16, String)
    /// This side closed with this code and text.
    case local(UInt16, String)
    /// It broke off without a word: network, crash, or no answer to pings.
    case lost
    /// It never opened. The text is a sentence for people.
    case failed(ConnectFailure, String)

    package var description: String {
        switch self {
        case .peer(let code, let text): "closed by the peer with \(code) \(text)"
        case .local(let code, let text): "closed with \(code) \(text)"
        case .lost: "connection lost"
        case .failed(_, let sentence): sentence
        }
    }

    static let stopped = CloseReason.failed(.stopped, "The event loop was stopped.")
}

/// What kept a connection from opening.
package enum ConnectFailure: Sendable, Hashable {
    /// Nobody listens there, or the network does not lead there.
    case refused
    case unknownHost
    /// The server's certificate was not accepted, or there is no TLS at the other end.
    case untrusted
    case timedOut
    /// It answered, but does not speak the subprotocol.
    case protocolRefused
    /// It answered with this HTTP status instead of a WebSocket.
    case httpStatus(Int)
    /// This side gave up: the client was closed, or its loop stopped.
    case stopped
    case other
}

/// What became of a `send`.
package enum SendResult: Sendable {
    /// Taken, and more may be sent at once.
    case sent
    /// Taken; the next may be sent after `writable` (a client's queue takes more before).
    case queued
    /// Nothing was taken: not writable now, too large, or no longer open.
    case overflow
}
