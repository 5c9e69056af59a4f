public import ListModel
internal import ListReplica

/// How a client stands with its server.
public enum ConnectionState: Hashable, Sendable {
    case connecting
    case online
    /// Work goes on and is kept; the next attempt comes by itself.
    case offline(since: Timestamp?)
    /// The server said not to come back, and why.
    case refused(Refusal)

    init(_ link: Link) {
        switch link.state {
        case .online: self = .online
        case .connecting where link.offlineSince == nil, .greeting where link.offlineSince == nil:
            self = .connecting
        case .connecting, .greeting, .idle, .waiting: self = .offline(since: link.offlineSince)
        case .refused(let refusal): self = .refused(refusal)
        }
    }
}
