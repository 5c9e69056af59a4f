internal import Threads

/// Wakes tasks that wait for the main actor's state to change. A wake that comes while nobody waits
/// is remembered, so that none is lost between looking and waiting.
final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var next: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Locked(State())

    func raise() {
        let woken = state.withLock { state in
            defer { state.waiting = [:] }
            if state.waiting.isEmpty { state.isRaised = true }
            return Array(state.waiting.values)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Returns when it is raised, or its task is cancelled.
    func wait() async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isRaised || Task.isCancelled {
                        state.isRaised = false
                        return true
                    }
                    state.waiting[number] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}
