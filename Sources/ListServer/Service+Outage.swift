internal import ListAuthority
internal import ListModel

/// The time from a write that failed to the next that is done.
struct Outage {
    /// When a write last failed, by the loop's clock.
    var failedAt: UInt64
    let isTold: Bool

    /// Where nobody writes, nobody finds out that the disk is well again: so it is believed to be
    /// after a while.
    func isBelieved(at now: UInt64) -> Bool { now < failedAt + Self.time }

    /// In milliseconds.
    private static let time: UInt64 = 60_000
}

/// Whether the storage does its work is seen by what comes of it, and told once an outage.
extension Service {
    func note(_ event: Event) {
        switch event {
        case .appendFailed(_, .failed(let reason)): writeFailed(reason)
        case .created(_, .some(let refusal)), .dropped(_, .some(let refusal)):
            if refusal.code == .storageFailed { writeFailed(refusal.sentence) }
        case .appended, .created(_, nil), .dropped(_, nil): writeDone()
        default: break
        }
    }

    private func writeFailed(_ reason: String) {
        if outage != nil {
            outage?.failedAt = loop.now
            return
        }
        // A disk that takes every other write would fill the log.
        let isTold = outageToldAt.map { loop.now >= $0 + Self.outagePause } != false
        outage = Outage(failedAt: loop.now, isTold: isTold)
        if isTold { outageToldAt = loop.now }
        log(isTold ? .error : .debug, "storage-failed", ["reason": reason])
    }

    private func writeDone() {
        guard let ended = outage else { return }
        outage = nil
        log(ended.isTold ? .warning : .debug, "storage-works")
    }

    /// In milliseconds.
    private static let outagePause: UInt64 = 10_000
}
