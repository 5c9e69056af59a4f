import Glibc

/// A point on a clock that never goes back; only differences mean something.
struct Moment: Hashable, Comparable, Sendable {
    var nanoseconds: UInt64

    static var now: Moment { Moment(nanoseconds: Self.read(CLOCK_MONOTONIC)) }

    /// How long after `earlier`, in nanoseconds; 0 where it is not after it.
    func nanoseconds(since earlier: Moment) -> UInt64 {
        nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0
    }

    func seconds(since earlier: Moment) -> Double {
        Double(nanoseconds(since: earlier)) / 1e9
    }

    func adding(seconds: Double) -> Moment {
        Moment(nanoseconds: nanoseconds + UInt64(max(0, seconds) * 1e9))
    }

    static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Any clock of the system, in nanoseconds; 0 where there is no such clock.
    static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(clamping: time.tv_sec) * 1_000_000_000 + UInt64(clamping: time.tv_nsec)
    }
}
