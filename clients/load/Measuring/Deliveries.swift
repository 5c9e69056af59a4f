/// When each entry of one list was to be written, and when the last of those who were there had it.
struct Deliveries {
    private struct Delivery {
        /// `nil` where its time is not measured.
        let intended: Moment?
        var last: Moment?
    }

    /// Of the versions behind `settled`, in order.
    private var open: [Delivery] = []
    private var first = 0
    /// All entries up to here were counted.
    private var settled: UInt64 = 0

    /// - Parameter version: the next one in the log.
    /// - Parameter intended: `nil` where its time is not to be measured.
    mutating func began(_ version: UInt64, intended: Moment?) {
        open.append(Delivery(intended: intended))
    }

    /// A client that had all up to `cursor` has now all up to `through`. What was meant to be
    /// written before it was there (`since`) came late for another reason, and does not count.
    mutating func arrived(after cursor: UInt64, through: UInt64, at now: Moment, since: Moment) {
        let from = max(cursor, settled)
        guard from < through else { return }
        for version in (from + 1)...through {
            let index = first + Int(version - settled) - 1
            guard index < open.count else { return }
            if let intended = open[index].intended, intended >= since { open[index].last = now }
        }
    }

    /// Counts all entries up to `version`, which everybody has by now.
    mutating func settle(
        through version: UInt64, _ record: (_ intended: Moment, _ nanoseconds: UInt64) -> Void
    ) {
        while settled < version, first < open.count {
            if let intended = open[first].intended, let last = open[first].last {
                record(intended, last.nanoseconds(since: intended))
            }
            first += 1
            settled += 1
        }
        if first > 4_096, first * 2 > open.count {
            open.removeFirst(first)
            first = 0
        }
    }
}
