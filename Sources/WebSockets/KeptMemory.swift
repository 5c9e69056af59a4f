internal import CLibwebsockets
import Glibc

/// C values that libwebsockets keeps pointers to for as long as its context lives, which is for
/// ever. The same value is kept once.
struct KeptMemory {
    private var texts: [String: UnsafePointer<CChar>] = [:]
    private var policies: [UInt32: UnsafePointer<lws_retry_bo_t>] = [:]

    mutating func text(_ text: String) -> UnsafePointer<CChar>? {
        if let copy = texts[text] { return copy }
        let copy = UnsafePointer(strdup(text))
        texts[text] = copy
        return copy
    }

    /// When to ask a silent peer for a sign of life, and when to hang up on it, in seconds;
    /// never, if the first is 0.
    mutating func idlePolicy(
        pingAfter: UInt16, hangUpAfter: UInt16
    ) -> UnsafePointer<lws_retry_bo_t> {
        let key = UInt32(pingAfter) << 16 | UInt32(hangUpAfter)
        if let policy = policies[key] { return policy }
        let policy = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
        policy.initialize(to: lws_retry_bo_t())
        if pingAfter > 0 {
            // libwebsockets asserts that the second is the larger one.
            policy.pointee.secs_since_valid_ping = min(pingAfter, .max - 1)
            policy.pointee.secs_since_valid_hangup = max(hangUpAfter, min(pingAfter, .max - 1) + 1)
        }
        policies[key] = UnsafePointer(policy)
        return UnsafePointer(policy)
    }
}
