/// A place for one value, which one thread fills and another waits for.
package final class Handover<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let wake = Wake()

    package init() {}

    package func fulfil(_ value: Value) {
        self.value.withLock { $0 = value }
        wake.call()
    }

    /// To be called once.
    package func wait() -> Value {
        while true {
            wake.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}
