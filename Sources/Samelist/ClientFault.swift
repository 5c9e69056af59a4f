public import ListModel

/// Why a client could not be made.
public enum ClientFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its own state cannot be kept or read.
    case state(String)
    case network(String)
    case badName(String)
    /// The server, or the list, said no.
    case refused(Refusal)

    public var description: String {
        switch self {
        case .state(let sentence), .network(let sentence), .badName(let sentence): sentence
        case .refused(let refusal): refusal.sentence
        }
    }
}
