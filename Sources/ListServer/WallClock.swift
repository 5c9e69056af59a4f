import Glibc
internal import ListModel

/// What the pure parts must be given: the time of day, and words that nobody can guess.
enum WallClock {
    /// May go back, when somebody sets the clock; the authority knows how to live with that.
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

/// Twelve characters of `a-z 0-9`, 62 random bits: enough that no two lists ever share one.
func freshWord() -> String {
    var random = SystemRandomNumberGenerator()
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<12).map { _ in letters[Int.random(in: 0..<36, using: &random)] })
}
