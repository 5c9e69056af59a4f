/// Why a client could not be made.
public enum ClientFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its own state cannot be kept or read.
    case state(String)
    case network(String)

    public var description: String {
        switch self {
        case .state(let sentence), .network(let sentence): sentence
        }
    }
}
