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

extension CloseReason {
    var code: UInt16? {
        switch self {
        case .peer(let code, _), .local(let code, _): code
        case .lost, .failed: nil
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
