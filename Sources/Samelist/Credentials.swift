/// Who a client says it is.
public struct Credentials: Sendable {
    /// As which the client keeps its state; with a token the server has the last word.
    let name: String
    var token: TokenSource?

    /// A name, for servers that take everybody's word: 1-64 bytes, no control characters.
    public static func name(_ name: String) -> Credentials { Credentials(name: name) }

    /// A token in a file that nobody else can read; the name is the token's. The file is read again
    /// for each connection, and before the token expires.
    public static func tokenFile(_ path: String) -> Credentials {
        let source = TokenSource.file(path)
        return Credentials(name: source.name?.text ?? "token", token: source)
    }
}

/// Where a client keeps what must outlive the program: copies of lists, changes that wait for the
/// server, and drafts.
public struct StatePlace: Sendable {
    let folder: String?

    /// In a folder of one's own. Several programs may share it.
    public static func folder(_ path: String) -> StatePlace { StatePlace(folder: path) }

    /// Nowhere: what the server does not have is lost when the program ends.
    public static let memory = StatePlace(folder: nil)
}

/// What `open` does where the server has no list of that name.
public enum IfMissing: Sendable {
    /// Throws `no_such_list`.
    case fail
    /// Makes it, empty.
    case create
}
