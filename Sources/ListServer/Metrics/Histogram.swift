import Glibc

/// How often something had which size, in steps as Prometheus has them.
package struct Histogram: Sendable {
    /// The upper ends of the steps, rising; what is above the last counts in the sum only.
    package let bounds: [Double]
    /// How many are in each step, the rest last.
    package private(set) var counts: [UInt64]
    package private(set) var sum = 0.0

    package init(_ bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// Cost: a look at each step.
    package mutating func add(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }

    /// From 50 µs to 10 s.
    static let seconds = Histogram(
        [
            0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
            0.5, 1, 2.5, 10,
        ])
    /// From one to ten thousand.
    static let numbers = Histogram([1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000])
}

/// Seconds of a clock that nobody sets.
func steadySeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
