/// When things are meant to begin: at an even rate, whatever becomes of those before.
///
/// Times are taken from these moments, not from when something could really be sent, so that a
/// stalled server, or a generator that lags, is not excused.
struct Schedule: Sendable {
    private let start: Moment
    private let end: Moment
    /// A second.
    private let rate: Double
    private var taken = 0

    /// - Parameter rate: a second; 0 for nothing at all.
    init(rate: Double, from start: Moment, seconds: Double) {
        self.start = start
        self.rate = rate
        end = start.adding(seconds: seconds)
    }

    /// `nil` once all was taken.
    var next: Moment? {
        guard rate > 0 else { return nil }
        let moment = start.adding(seconds: Double(taken) / rate)
        return moment < end ? moment : nil
    }

    /// The next moment, if it has come.
    mutating func take(by now: Moment) -> Moment? {
        guard let next, next <= now else { return nil }
        taken += 1
        return next
    }
}
