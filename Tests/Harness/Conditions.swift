package import ListAuthority
package import ListModel

/// How the world of a test behaves; times are in milliseconds. May be changed while it runs.
package struct Conditions: Sendable {
    /// How long a message is on its way, in one direction.
    package var latency: ClosedRange<Int64> = 5...5
    /// How long the server's log takes for one piece of work.
    package var flush: ClosedRange<Int64> = 2...2
    /// How long a client takes to make its state durable.
    package var save: ClosedRange<Int64> = 1...1
    /// Until a connection takes the next write.
    package var writePause: Int64 = 1
    /// Bytes that a connection takes in one write: small ones cut deliveries into many.
    package var writeBytes = 64 << 10
    /// How many appends, and other writes to the server's disk, in a thousand fail with nothing
    /// written.
    package var failedAppends = 0
    /// How many appends and saves in a thousand are written though they seem to fail: the answer
    /// was lost.
    package var lostAnswers = 0
    /// How many reads in a thousand of the server's disk fail.
    package var failedReads = 0
    /// How many in a thousand of a client's attempts to make its state durable fail.
    package var failedSaves = 0
    /// How many in a thousand arrive twice of what clients say of a list, and of entries and
    /// outcomes.
    package var duplicates = 0
    /// How far the server's clock is off.
    package var serverClock: Int64 = 0
    /// Whether a crash leaves of the work under way some that was done, and some half done.
    package var tears = false
    package var history = History.all
    package var limits = Limits()

    package init() {}
}
