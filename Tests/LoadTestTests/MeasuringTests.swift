import Testing
import Threads

@testable import LoadTest

@Suite("Times are counted exactly enough, from when they were meant") struct MeasuringTests {
    private let start = Moment(nanoseconds: 1_000_000_000)

    @Test func `small times are exact`() {
        var histogram = Histogram()
        for value in 1...200 as ClosedRange<UInt64> { histogram.record(value) }
        #expect(histogram.percentile(50) == 100)
        #expect(histogram.percentile(99) == 198)
        #expect(histogram.percentile(100) == 200)
        #expect(histogram.percentile(0) == 1)
        #expect(histogram.count == 200 && histogram.longest == 200)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `any time is told within a hundredth, never less`(seed: UInt64) {
        var random = Numbers(state: seed)
        var histogram = Histogram()
        var values: [UInt64] = []
        for _ in 0..<20_000 {
            let value = random.next() >> (18 + random.next() % 40)
            values.append(value)
            histogram.record(value)
        }
        values.sort()
        for percent in [1, 10, 50, 90, 95, 99, 99.9, 99.99, 100] {
            let rank = max(1, Int((percent / 100 * Double(values.count)).rounded(.up)))
            let exact = values[rank - 1]
            let told = histogram.percentile(percent) ?? 0
            #expect(told >= exact && Double(told) <= Double(exact) * 1.01, "\(percent)")
        }
    }

    @Test func `nothing recorded has no percentile, and the longest is exact beyond all bounds`() {
        var histogram = Histogram()
        #expect(histogram.percentile(50) == nil)
        histogram.record(.max)
        #expect(histogram.longest == .max && histogram.percentile(50) != nil)
    }

    @Test func `two together are as if all were recorded in one`() {
        var (left, right, both) = (Histogram(), Histogram(), Histogram())
        for value in 0..<1_000 as Range<UInt64> {
            if value % 3 == 0 { left.record(value * 977) } else { right.record(value * 977) }
            both.record(value * 977)
        }
        left.add(right)
        for percent in Figure.percents {
            #expect(left.percentile(percent) == both.percentile(percent))
        }
        #expect(left.count == both.count)
    }

    @Test func `a schedule gives every moment, however late it is asked`() {
        var schedule = Schedule(rate: 100, from: start, seconds: 1)
        #expect(schedule.take(by: Moment(nanoseconds: 0)) == nil)
        #expect(schedule.take(by: start) == start)
        #expect(schedule.take(by: start) == nil)
        // The server stalled for half a second: all that was meant to be sent meanwhile is due.
        let late = start.adding(seconds: 0.5)
        var moments: [Moment] = []
        while let moment = schedule.take(by: late) { moments.append(moment) }
        #expect(moments.count == 50 && moments.first == start.adding(seconds: 0.01))
        #expect(moments.last == late)
    }

    @Test func `a schedule ends`() {
        var schedule = Schedule(rate: 10, from: start, seconds: 2)
        let far = start.adding(seconds: 100)
        var count = 0
        while schedule.take(by: far) != nil { count += 1 }
        #expect(count == 20 && schedule.next == nil)
        var none = Schedule(rate: 0, from: start, seconds: 2)
        #expect(none.take(by: far) == nil)
    }

    @Test func `the pacer calls at the first moment and after the last, and can be stopped`() {
        let calls = Calls()
        let soon = Moment.now
        let pacer = Pacer([Schedule(rate: 1_000, from: soon, seconds: 0.05)]) { calls.note() }
        while calls.last < soon.adding(seconds: 0.049) {}
        pacer.stop()
        let far = Schedule(rate: 0.001, from: soon, seconds: 1_000_000)
        let endless = Pacer([far]) { calls.note() }
        endless.stop()
        #expect(calls.count > 1)
    }

    @Test func `a delivery is that of the last who was there`() {
        var deliveries = Deliveries()
        deliveries.began(1, intended: start)
        deliveries.began(2, intended: start.adding(seconds: 1))
        deliveries.began(3, intended: nil)
        let early = Moment(nanoseconds: 0)
        deliveries.arrived(
            after: 0, through: 1, at: start.adding(seconds: 0.1), since: early)
        deliveries.arrived(
            after: 0, through: 3, at: start.adding(seconds: 1.5), since: early)
        // Who came after the first edit was meant does not make it late.
        deliveries.arrived(
            after: 0, through: 3, at: start.adding(seconds: 3), since: start.adding(seconds: 0.5))
        var told: [UInt64] = []
        deliveries.settle(through: 1) { told.append($1) }
        #expect(told == [1_500_000_000])
        deliveries.settle(through: 3) { told.append($1) }
        #expect(told == [1_500_000_000, 2_000_000_000])
        deliveries.settle(through: 3) { told.append($1) }
        #expect(told.count == 2)
    }
}

/// Counts from any thread.
private final class Calls: Sendable {
    private let state = Locked((count: 0, last: Moment(nanoseconds: 0)))

    func note() { state.withLock { $0 = ($0.count + 1, .now) } }

    var count: Int { state.withLock { $0.count } }
    var last: Moment { state.withLock { $0.last } }
}

/// SplitMix64.
private struct Numbers {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
