internal import Glibc
internal import ListModel
internal import ProgramArguments
internal import Samelist

/// What holds for every verb: from flags, else from variables, else by default.
struct Settings {
    let server: ServerAddress
    let name: UserName
    /// How long to wait for an answer, in milliseconds.
    let timeout: Int64
    /// Where the clients' state is kept.
    let folder: String
    let asks: Bool
    /// The flags that a command needs in order to mean the same again.
    let repeated: String

    /// - Parameter environment: the value of a variable, if it has one.
    init(
        _ arguments: Arguments, environment: (String) -> String?, login: () -> String?
    ) throws(Failure) {
        if arguments[.server] == "" {
            throw .usage("--server needs a server, such as ws://HOST:PORT or HOST:PORT.")
        }
        let address = arguments[.server] ?? environment("SAMELIST_SERVER") ?? ""
        guard let server = address.isEmpty ? .local : ServerAddress(address) else {
            throw .usage(
                "\(masked(address)) is no server: it is spelt ws://HOST:PORT, or HOST:PORT.")
        }
        let text = arguments[.user] ?? environment("SAMELIST_NAME") ?? login() ?? "somebody"
        guard let name = UserName(text) else {
            throw .usage("\(masked(text)) is no name: 1-64 bytes without control characters.")
        }
        self.server = server
        self.name = name
        timeout = try Self.milliseconds(arguments, .timeout) ?? 10_000
        folder = try Self.folder(environment)
        asks = !arguments.has(.noInput)
        repeated =
            (arguments[.server].map { " --server " + ShellQuoting.quoted($0) } ?? "")
            + (arguments[.user].map { " --as " + ShellQuoting.quoted($0) } ?? "")
    }

    /// A number of seconds, fractions allowed.
    static func milliseconds(_ arguments: Arguments, _ flag: Flag) throws(Failure) -> Int64? {
        guard let text = arguments[flag] else { return nil }
        guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
            throw .usage("--\(flag.name) takes seconds, such as 10 or 0.5, not \(masked(text)).")
        }
        return max(1, Int64(seconds * 1_000))
    }

    static func number(_ arguments: Arguments, _ flag: Flag) throws(Failure) -> Int? {
        guard let text = arguments[flag] else { return nil }
        guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw .usage("--\(flag.name) takes a number from 1, not \(masked(text)).")
        }
        return number
    }

    private static func folder(_ environment: (String) -> String?) throws(Failure) -> String {
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
            return state + "/samelist"
        }
        guard let home = environment("HOME") else {
            throw .usage("neither XDG_STATE_HOME nor HOME says where this user's files are.")
        }
        return home + "/.local/state/samelist"
    }

    /// The name of the user who runs the program.
    static func login() -> String? {
        if let entry = getpwuid(getuid()) { return String(cString: entry.pointee.pw_name) }
        return StandardStreams.environment("USER")
    }
}
