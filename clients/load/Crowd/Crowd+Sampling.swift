internal import ListModel

/// What can be asked of a crowd while it runs, and when it is over.
extension Crowd {
    struct Sample: Sendable {
        let figures: Figures
        /// CPU time of the loop's thread so far.
        let cpu: UInt64
        let live: Int
        let unanswered: Int
        /// When somebody was caught up last.
        let lastJoin: Moment
    }

    /// What came since the last one.
    func sample() -> Sample {
        settle(all: false)
        defer { figures = Figures() }
        return Sample(
            figures: figures, cpu: ProcessUsage.thisThread, live: liveCount,
            unanswered: unansweredCount, lastJoin: lastJoin)
    }

    var liveCount: Int { (clients + idle).count { $0.isLive } }

    var keepersAreLive: Bool { lanes.allSatisfy { $0.keeper.isLive } }

    var unansweredCount: Int {
        clients.prefix(settings.writers).reduce(0) { $0 + $1.author.pending.count }
            + lanes.reduce(0) { $0 + $1.keeper.author.pending.count }
    }

    /// Whether everybody is there with everything.
    var isComplete: Bool {
        unansweredCount == 0 && liveCount == clients.count + idle.count && keepersAreLive
            && lanes.allSatisfy { $0.common == $0.log.head && $0.log.earlyCount == 0 }
    }

    /// Times the entries that everybody has by now; all of them once the run is over.
    func settle(all: Bool) {
        for lane in lanes {
            let through = all ? lane.log.head : lane.timed
            lane.deliveries.settle(through: through) { intended, nanoseconds in
                if let stalledAt, intended < stalledAt {
                    figures.before.record(nanoseconds)
                } else {
                    figures.deliveries.record(nanoseconds)
                }
            }
        }
    }

    /// Looks at everything once more: what never came, what was acknowledged and is not there, what
    /// snapshots told, those of the clients of `joinAgain` among them.
    func prove() {
        for lane in lanes {
            for reader in lane.readers where reader.cursor < lane.log.head {
                note(.lost(lane.list, lane.log.head - reader.cursor))
            }
            if lane.log.missing > 0 { note(.lost(lane.list, lane.log.missing)) }
            for flaw in RowProof.flaws(in: lane.snapshots, of: lane.log, decoder) { note(flaw) }
        }
        for writer in clients.prefix(settings.writers) + lanes.map(\.keeper) {
            let forgotten = writer.author.forgotten
            if forgotten > 0 { note(.forgotten(lanes[writer.lane].list, UInt64(forgotten))) }
        }
    }

    /// Joins whose snapshots were not kept for comparison, for want of memory.
    var unproven: Int { lanes.reduce(0) { $0 + $1.snapshots.unproven.count } }
}
