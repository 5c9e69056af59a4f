/// Counts of durations in nanoseconds, exact below 256 ns and to less than 1 % above, up to 19
/// hours; what is longer counts as that long. Recording costs a few nanoseconds and no memory.
///
/// As HdrHistogram does it: each power of two is cut into 128 parts of equal width.
struct Histogram: Sendable {
    private var counts: [UInt64]
    private(set) var count: UInt64 = 0
    /// The longest, exactly; 0 where nothing was recorded.
    private(set) var longest: UInt64 = 0

    private static let parts = 128
    private static let shifts = 39
    private static let limit: UInt64 = 1 << 46 - 1

    init() {
        counts = [UInt64](repeating: 0, count: Self.parts * (Self.shifts + 2))
    }

    mutating func record(_ nanoseconds: UInt64) {
        counts[Self.index(of: min(nanoseconds, Self.limit))] += 1
        count += 1
        longest = max(longest, nanoseconds)
    }

    mutating func add(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        longest = max(longest, other.longest)
    }

    mutating func removeAll() {
        self = Histogram()
    }

    /// The time within which this share of all, in percent, was done: never less than it was, and
    /// less than 1 % more. `nil` where nothing was recorded.
    func percentile(_ percent: Double) -> UInt64? {
        guard count > 0 else { return nil }
        let exact = (percent / 100 * Double(count)).rounded(.up)
        let rank = min(max(UInt64(max(exact, 1)), 1), count)
        var passed: UInt64 = 0
        for (index, amount) in counts.enumerated() where amount > 0 {
            passed += amount
            if passed >= rank { return min(Self.upperBound(of: index), longest) }
        }
        return longest
    }

    private static func index(of value: UInt64) -> Int {
        guard value >= UInt64(2 * parts) else { return Int(value) }
        let shift = 63 - value.leadingZeroBitCount - 7
        return shift * parts + Int(value >> UInt64(shift))
    }

    /// The largest value that is counted at this index.
    private static func upperBound(of index: Int) -> UInt64 {
        guard index >= 2 * parts else { return UInt64(index) }
        let shift = index / parts - 1
        return UInt64(index - shift * parts + 1) << UInt64(shift) - 1
    }
}
