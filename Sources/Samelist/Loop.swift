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
    var code: UInt16? {
        switch self {
        case .peer(let code, _), .local(let code, _): code
        case .lost, .failed: nil
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
