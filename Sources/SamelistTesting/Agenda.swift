internal import ListModel

/// What is still to happen, and a clock that stands still: it moves on when it is told to, or when
/// all that is left waits for time to pass.
@MainActor
final class Agenda {
    private(set) var now = Timestamp(milliseconds: 1_700_000_000_000)
    /// Called when something was planned.
    var onPlan: () -> Void = {}

    /// What happens at once, in order.
    private var ready: [() -> Void] = []
    /// What waits for a time, in the order in which it was planned.
    private var alarms: [Alarm] = []
    private var isRunning = false

    private struct Alarm {
        let time: Timestamp
        let isWanted: () -> Bool
        let action: () -> Void
    }

    func plan(_ action: @escaping () -> Void) {
        ready.append(action)
        onPlan()
    }

    /// - Parameter isWanted: whether somebody waits for it, so that the clock moves on to it.
    func plan(
        at time: Timestamp, while isWanted: @escaping () -> Bool, _ action: @escaping () -> Void
    ) {
        alarms.append(Alarm(time: time, isWanted: isWanted, action: action))
        onPlan()
    }

    /// Runs until nothing is left that is wanted. Within itself it does nothing.
    func settle() {
        run { [self] in
            alarms.indices.filter { alarms[$0].isWanted() }.min { isEarlier($0, $1) }
        }
    }

    /// Lets time pass, with all that happens meanwhile.
    func advance(to end: Timestamp) {
        run { [self] in
            alarms.indices.filter { alarms[$0].time <= end }.min { isEarlier($0, $1) }
        }
        now = max(now, end)
    }

    private func isEarlier(_ one: Int, _ other: Int) -> Bool {
        (alarms[one].time, one) < (alarms[other].time, other)
    }

    private func run(_ nextAlarm: () -> Int?) {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        for _ in 0..<Self.most {
            let actions = ready
            ready = []
            for action in actions { action() }
            if !ready.isEmpty { continue }
            guard let next = nextAlarm() else { return }
            let alarm = alarms.remove(at: next)
            now = max(now, alarm.time)
            alarm.action()
        }
        preconditionFailure("after \(Self.most) rounds things still go on: a live-lock")
    }

    /// Rounds after which something must be wrong.
    private static let most = 100_000
}
