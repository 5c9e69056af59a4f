package import ListModel
package import ListProtocol

/// The token of a connection expires: another is shown in good time, and again until one holds
/// longer, so that nothing that is open ends meanwhile.
struct Renewal: Sendable {
    let expires: Timestamp
    private(set) var at: Timestamp
    /// The question that is under way; its answer plans the next.
    var request: RequestID?

    /// How long before the end it is tried first, where the token holds that long, in milliseconds.
    private static let lead: Int64 = 60_000
    /// Between attempts, at least, in milliseconds.
    private static let pause: Int64 = 1_000

    init(of expires: Timestamp, at now: Timestamp) {
        self.expires = expires
        let left = max(0, expires.milliseconds - now.milliseconds)
        let wait = max(left - Self.lead, left / 2, Self.pause)
        at = now.adding(milliseconds: wait)
    }

    func isDue(_ now: Timestamp) -> Bool { request == nil && at <= now }
}

extension ClientCore {
    func expires(_ expires: Timestamp?, _ now: Timestamp) {
        renewal = expires.map { Renewal(of: $0, at: now) }
    }

    func renewIfDue(_ now: Timestamp) {
        guard renewal?.isDue(now) == true else { return }
        lastRequest += 1
        renewal?.request = lastRequest
        work.append(.renew(lastRequest))
    }

    var nextRenewal: Timestamp? {
        guard link.isOnline, let renewal, renewal.request == nil else { return nil }
        return renewal.at
    }

    /// What was shown is no better, or there was nothing to show: it is tried again later.
    package func notRenewed(_ request: RequestID, at now: Timestamp) {
        guard let renewal, renewal.request == request else { return }
        expires(renewal.expires, now)
    }
}
