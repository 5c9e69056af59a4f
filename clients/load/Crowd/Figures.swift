/// What the crowd counted and timed, since a run began or within a second of it.
struct Figures: Sendable {
    /// From when an edit was meant to be written to its outcome.
    var answers = Histogram()
    /// From when an edit was meant to be written to when the last subscriber had it.
    var deliveries = Histogram()
    /// The same of edits before some clients stopped reading.
    var before = Histogram()
    /// From when a client was meant to come, or lost its connection, to "caught up".
    var joins = Histogram()
    /// From when something was meant to be sent to when it was: the generator's own delay.
    var late = Histogram()

    /// Edits that were logged.
    var edits = 0
    /// Entries that clients received, live or catching up.
    var delivered = 0
    /// Bytes of messages received.
    var bytes = 0
    /// Edits that were refused; operations that were skipped.
    var refused = 0
    var skipped = 0
    /// Connections that broke without being asked to; attempts that came to nothing.
    var cuts = 0
    var failedConnects = 0
    /// Answers `error`.
    var errors = 0

    mutating func add(_ more: Figures) {
        answers.add(more.answers)
        deliveries.add(more.deliveries)
        before.add(more.before)
        joins.add(more.joins)
        late.add(more.late)
        edits += more.edits
        delivered += more.delivered
        bytes += more.bytes
        refused += more.refused
        skipped += more.skipped
        cuts += more.cuts
        failedConnects += more.failedConnects
        errors += more.errors
    }
}
