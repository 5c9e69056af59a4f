internal import CLibwebsockets
import Glibc

/// C values that libwebsockets keeps pointers to for as long as its context lives, which is for
/// ever. The same value is kept once.
struct KeptMemory {
    private var texts: [String: UnsafePointer<CChar>] = [:]
    private var policy: UnsafeMutablePointer<lws_retry_bo_t>?

    mutating func text(_ text: String) -> UnsafePointer<CChar>? {
        if let copy = texts[text] { return copy }
        let copy = UnsafePointer(strdup(text))
        texts[text] = copy
        return copy
    }

    /// That libwebsockets pings nobody and hangs up on nobody; see `KeepAlive`.
    mutating func noPings() -> UnsafePointer<lws_retry_bo_t> {
        if let policy { return UnsafePointer(policy) }
        let policy = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
        policy.initialize(to: lws_retry_bo_t())
        self.policy = policy
        return UnsafePointer(policy)
    }
}
