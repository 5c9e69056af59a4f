import Synchronization

/// What comes from another thread, for one who waits for it; nobody is blocked meanwhile.
final class Inbox<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var values: [Value] = []
        var waiting: CheckedContinuation<Value, Never>?
    }

    private let state = Mutex(State())

    func put(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard let waiting = state.waiting else {
                state.values.append(value)
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: value)
    }

    /// Takes the oldest. A test that waits for what never comes is ended by its time limit.
    func next() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                guard state.values.isEmpty else { return state.values.removeFirst() }
                state.waiting = continuation
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
