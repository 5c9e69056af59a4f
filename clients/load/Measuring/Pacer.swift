internal import Threads

/// Calls at the moments of a schedule, from a thread of its own: the loop's timers know
/// milliseconds only.
///
/// Moments that follow one another closely are called once; whoever is called takes all that is
/// due from a schedule of its own.
final class Pacer: Sendable {
    private let alarm = Alarm()
    private let thread: Thread?

    /// No more than 5,000 calls a second.
    private static let shortest: UInt64 = 200_000

    /// `call` runs on the pacer's thread, until all schedules are over.
    init(_ schedules: [Schedule], call: @escaping @Sendable () -> Void) {
        let alarm = alarm
        thread = Thread.start {
            var schedules = schedules
            while let next = schedules.compactMap(\.next).min() {
                guard alarm.wait(until: next) else { return }
                call()
                let pause = Moment(nanoseconds: Moment.now.nanoseconds + Self.shortest)
                for index in schedules.indices {
                    while schedules[index].take(by: pause) != nil {}
                }
                guard alarm.wait(until: pause) else { return }
                call()
            }
        }
    }

    /// Ends the thread, whatever it waits for. To be called once.
    func stop() {
        alarm.stop()
        thread?.join()
    }
}
