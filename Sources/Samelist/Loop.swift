internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import Storage
internal import WebSockets

/// Decodes on the loop's thread, so that a long snapshot does not keep the main actor busy.
final class LoopDecoder: @unchecked Sendable {
    // because it is made for one socket and used on that socket's loop alone.
    private let decoder = MessageDecoder(limits: Limits())

    func decode(_ bytes: UnsafeRawBufferPointer) -> Result<ServerMessage, DecodingFault> {
        do throws(DecodingFault) {
            return .success(try decoder.decodeServerMessage(bytes))
        } catch {
            return .failure(error)
        }
    }
}

/// Brings a client's inbox to its attention on the main actor.
final class Wake: @unchecked Sendable {
    // because `client` is set once, before anything can be put into the inbox, and only read then.
    weak var client: ListClient?

    func fire() { Task { @MainActor in client?.drain() } }
}

/// How a connection ended, or why there was none.
struct ClosedSocket: Sendable {
    /// The code of the other side, or of this one; `nil`: there was none.
    let code: UInt16?
    let error: ListError

    init(_ reason: CloseReason) {
        switch reason {
        case .peer(let code, _), .local(let code, _): self.code = code
        case .lost, .failed: code = nil
        }
        error = ListError(reason.trouble, reason.description)
    }
}

extension CloseReason {
    fileprivate var trouble: ListError.Code {
        guard case .failed(let failure, _) = self else { return .unreachable }
        return switch failure {
        case .unknownHost: .unknownHost
        case .untrusted: .untrusted
        case .timedOut: .timedOut
        case .protocolRefused: .unsupportedVersion
        case .httpStatus(401): .notAuthenticated
        case .httpStatus(403): .notAllowed
        case .httpStatus(429): .tooManyRequests
        case .refused, .httpStatus, .stopped, .other: .unreachable
        }
    }
}

extension StateWrite {
    var change: StateChange {
        switch self {
        case .put(let key, let bytes): .put(key, bytes)
        case .remove(let key): .remove(key)
        case .removePrefix(let prefix): .removePrefix(prefix)
        }
    }
}
