internal import CLibwebsockets
import Glibc

/// C values that libwebsockets keeps pointers to for as long as its context lives.
struct KeptMemory {
    private var pointers: [UnsafeMutableRawPointer] = []

    mutating func text(_ text: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(text) else { return nil }
        pointers.append(copy)
        return UnsafePointer(copy)
    }

    /// The list, with the empty one behind it that ends such lists in C.
    mutating func protocols(_ list: [lws_protocols]) -> UnsafePointer<lws_protocols> {
        let copy = UnsafeMutablePointer<lws_protocols>.allocate(capacity: list.count + 1)
        copy.initialize(from: list + [lws_protocols()], count: list.count + 1)
        pointers.append(copy)
        return UnsafePointer(copy)
    }

    /// When to ask a silent peer for a sign of life, and when to hang up on it.
    mutating func idlePolicy(
        pingAfter: UInt16, hangUpAfter: UInt16
    ) -> UnsafePointer<lws_retry_bo_t> {
        let policy = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
        policy.initialize(to: lws_retry_bo_t())
        policy.pointee.secs_since_valid_ping = pingAfter
        // libwebsockets asserts that this is the larger one.
        policy.pointee.secs_since_valid_hangup = max(hangUpAfter, pingAfter + 1)
        pointers.append(policy)
        return UnsafePointer(policy)
    }

    /// Only after the context is gone.
    mutating func free() {
        for pointer in pointers { Glibc.free(pointer) }
        pointers = []
    }
}
