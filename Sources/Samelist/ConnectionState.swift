public import FoundationEssentials
internal import ListModel
internal import ListReplica

/// How a client stands with its server.
public enum ConnectionState: Hashable, Sendable {
    /// The first answer is still to come.
    case connecting
    /// The server is there.
    case online
    /// Work goes on and is kept: since when, how many changes wait, and how long from now until the
    /// next attempt; `nil`: it tries at this moment, or not until `goOnline`.
    case offline(since: Date, pending: Int, retryIn: Duration?)
    /// The server is about to end, and said when to come back.
    case draining(retryIn: Duration?)
    /// The server said not to come back, and why.
    case refused(ListError)

    init(_ link: Link, pending: Int, at now: Timestamp) {
        switch link.state {
        case .online: self = .online
        case .refused(let refusal): self = .refused(ListError(refusal))
        case .connecting, .greeting, .idle, .waiting:
            guard let since = link.offlineSince else {
                self = .connecting
                return
            }
            var retry: Duration?
            if case .waiting(let until) = link.state {
                retry = .milliseconds(max(0, until.milliseconds - now.milliseconds))
            }
            self =
                link.isDraining
                ? .draining(retryIn: retry)
                : .offline(since: Date(since), pending: pending, retryIn: retry)
        }
    }
}
