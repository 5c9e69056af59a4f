internal import ListModel
internal import ListProtocol
package import ListReplica
package import Storage
internal import WebSockets

/// Decodes on the loop's thread, so that a long snapshot does not keep the main actor busy.
final class LoopDecoder: @unchecked Sendable {
    // because it is made for one socket and used on that socket's loop alone.
    private let decoder = MessageDecoder(limits: Limits())

    func decode(_ bytes: UnsafeRawBufferPointer) -> Arrival {
        do throws(DecodingFault) {
            return .message(try decoder.decodeServerMessage(bytes))
        } catch {
            return .garbled(error.sentence)
        }
    }
}

extension CloseReason {
    /// How a connection ended, or why there was none. The code is that of either side.
    var arrival: Arrival {
        let error = ListError(trouble, description)
        return switch self {
        case .peer(let code, _), .local(let code, _): .disconnected(code: code, error)
        case .lost, .failed: .disconnected(code: nil, error)
        }
    }

    private var trouble: ListError.Code {
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
    package var change: StateChange {
        switch self {
        case .put(let key, let bytes): .put(key, bytes)
        case .remove(let key): .remove(key)
        case .removePrefix(let prefix): .removePrefix(prefix)
        }
    }
}
