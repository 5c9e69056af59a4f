package import ListModel

/// What the server decides about one mutation; known once, kept as long as somebody holds it.
@MainActor
package final class Decision {
    /// `nil` while it is not known.
    package private(set) var outcome: Outcome?
    /// Whether somebody is told of it by waiting.
    var isAwaited: Bool { waiters > 0 }
    private var waiters = 0
    private var waiting: [Signal] = []

    init(_ outcome: Outcome? = nil) { self.outcome = outcome }

    func decided(_ outcome: Outcome) {
        self.outcome = outcome
        for signal in waiting { signal.raise() }
        waiting = []
    }

    /// Waits for the server as long as it takes.
    package func outcome() async -> Outcome {
        waiters += 1
        defer { waiters -= 1 }
        while true {
            if let outcome { return outcome }
            if Task.isCancelled { return .refused(Refusal(.unreachable, "cancelled")) }
            let signal = Signal()
            waiting.append(signal)
            await signal.wait()
            waiting.removeAll { $0 === signal }
        }
    }

    /// The version at which it was logged; throws what of it was not done.
    func acknowledged() async throws(ListError) -> Version? {
        let outcome = await self.outcome()
        if self.outcome == nil {
            throw ListError(
                .cancelled, "nobody waits for this any more; the work itself goes on")
        }
        if let error = ListError(outcome) { throw error }
        if case .logged(let version, _) = outcome { return version }
        return nil
    }
}
