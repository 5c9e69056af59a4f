import Threads

/// What comes from another thread, for one who waits for it; nobody is blocked meanwhile.
final class Inbox<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var values: [Value] = []
        var waiting: CheckedContinuation<Value, any Error>?
    }

    private let state = Locked(State())

    func put(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard let waiting = state.waiting else {
                state.values.append(value)
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: value)
    }

    /// Takes the oldest. Throws when the test is cancelled, as its time limit does.
    func next() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    guard state.values.isEmpty else { return state.values.removeFirst() }
                    state.waiting = continuation
                    return nil
                }
                if let value { continuation.resume(returning: value) }
                if Task.isCancelled { giveUp() }
            }
        } onCancel: {
            giveUp()
        }
    }

    private func giveUp() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(throwing: CancellationError())
    }
}
