internal import Glibc
internal import ListModel
internal import ProgramArguments
internal import Samelist

/// What holds for every verb: from flags, else from variables, else from the configuration, else by
/// default.
struct Settings {
    let server: ServerAddress
    let name: UserName
    /// What the server is shown; `nil`: nothing.
    let token: TokenSource?
    /// The authorities to trust instead of the system's.
    let caFile: String?
    /// How long to wait for an answer, in milliseconds.
    let timeout: Int64
    /// Where the clients' state is kept.
    let folder: String
    let asks: Bool
    /// The flags that a command needs in order to mean the same again.
    let repeated: String

    /// Where each of them came from.
    let origins: [Origin]
    /// The user's contexts, for completion.
    let contexts: [(name: String, about: String)]
    /// The configuration file, and what it says.
    let configFile: String?
    let config: ConfigFile

    struct Origin {
        let key: String
        let value: String
        let origin: String
    }

    /// - Parameters:
    ///   - environment: the value of a variable, if it has one.
    ///   - isLenient: a configuration with faults goes as far as it can be read.
    init(
        _ arguments: Arguments, environment: @escaping (String) -> String?,
        login: () -> String?, isLenient: Bool = false
    ) throws(Failure) {
        if arguments[.server] == "" {
            throw .usage("--server needs a server, such as ws://HOST:PORT or HOST:PORT.")
        }
        configFile = ConfigPlace.file(environment)
        config = try configFile.map(ConfigPlace.read) ?? ConfigFile()
        if !isLenient, let fault = config.faults.first {
            throw .usage("\(configFile ?? "") line \(fault.line): \(fault.sentence)")
        }
        let choices = try GivenSettings(
            arguments, environment: environment, config: config, file: configFile,
            isLenient: isLenient)
        let address = choices.of(.server, flag: .server, variable: "SAMELIST_SERVER")
        guard let server = address.map({ ServerAddress($0.value) }) ?? .local else {
            throw .usage(Self.noServer(address?.value ?? ""))
        }
        let tokenFile = choices.of(.tokenFile, flag: .tokenFile, variable: "SAMELIST_TOKEN_FILE")
        token = try Self.token(tokenFile, isLenient: isLenient)
        let trusted = choices.of(.caFile, flag: .caFile, variable: "SAMELIST_CA_FILE")
        caFile = trusted?.value
        let named = try Self.named(choices, token, tokenFile, login)
        guard let name = UserName(named.value) else { throw .usage(Self.noName(named.value)) }
        let waiting = choices.of(.timeout, flag: .timeout, variable: nil) ?? .usual("10")
        timeout = try Self.timeout(waiting.value)
        self.server = server
        self.name = name
        folder = try Self.folder(environment)
        asks = !arguments.has(.noInput)
        repeated = [Flag.context, .server, .user, .tokenFile, .caFile].compactMap { flag in
            arguments[flag].map { " --\(flag.name) " + ShellQuoting.quoted($0) }
        }.joined()
        contexts = config.contexts.map { context in
            (context.name, context.entries.last { $0.key == .server }?.value ?? "")
        }
        origins =
            Self.origins(
                server, address, named, waiting, choices, folder, environment)
            + Self.origins(tokenFile, trusted)
    }

    /// Those that are left out where nobody gave them.
    private static func origins(_ tokenFile: Choice?, _ caFile: Choice?) -> [Origin] {
        [("token-file", tokenFile), ("ca-file", caFile)].compactMap { key, choice in
            choice.map { Origin(key, $0) }
        }
    }

    /// Throws where there is none to be had.
    private static func token(
        _ choice: Choice?, isLenient: Bool
    ) throws(Failure) -> TokenSource? {
        guard let choice, !isLenient else { return nil }
        let source: TokenSource =
            choice.value == "-"
            ? .text(StandardStreams.readLine() ?? "") : .file(choice.value)
        do throws(ListError) {
            _ = try source.read()
        } catch {
            throw Failure(.notAllowed, error.code.rawValue, error.sentence)
        }
        return source
    }

    /// The name of the token, which nobody can choose; else the user's choice.
    private static func named(
        _ choices: GivenSettings, _ token: TokenSource?, _ file: Choice?, _ login: () -> String?
    ) throws(Failure) -> Choice {
        let chosen = choices.of(.name, flag: .user, variable: "SAMELIST_NAME")
        if let name = token?.name {
            guard let chosen, chosen.origin == "--as", chosen.value != name.text else {
                return Choice(
                    value: name.text, origin: file?.value == "-" ? "token" : file?.value ?? "")
            }
            throw .usage("the token is one of \(masked(name.text)); --as cannot change that.")
        }
        return chosen ?? login().map { Choice(value: $0, origin: "login") } ?? .usual("somebody")
    }

    private static func origins(
        _ server: ServerAddress, _ address: Choice?, _ named: Choice, _ waiting: Choice,
        _ given: GivenSettings, _ folder: String, _ environment: (String) -> String?
    ) -> [Origin] {
        [
            Origin("server", server.description, address?.origin), Origin("name", named),
            Origin("timeout", waiting),
            Origin("context", given.context?.value ?? "", given.context?.origin),
            Origin("config", given.file ?? "", origin("XDG_CONFIG_HOME", environment)),
            Origin("state", folder, origin("XDG_STATE_HOME", environment)),
        ]
    }

    static func noServer(_ text: String) -> String {
        "\(masked(text)) is no server: it is spelt ws://HOST:PORT, or HOST:PORT."
    }

    static func noName(_ text: String) -> String {
        "\(masked(text)) is no name: 1-64 bytes without control characters."
    }

    private static func origin(
        _ variable: String, _ environment: (String) -> String?
    ) -> String? {
        environment(variable).map { $0.hasPrefix("/") ? variable : nil } ?? nil
    }

    private static func timeout(_ text: String) throws(Failure) -> Int64 {
        guard let timeout = milliseconds(text) else { throw .usage(noSeconds(.timeout, text)) }
        return timeout
    }

    /// A number of seconds, fractions allowed.
    static func milliseconds(_ arguments: Arguments, _ flag: Flag) throws(Failure) -> Int64? {
        guard let text = arguments[flag] else { return nil }
        guard let number = milliseconds(text) else { throw .usage(noSeconds(flag, text)) }
        return number
    }

    static func milliseconds(_ text: String) -> Int64? {
        guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else { return nil }
        return max(1, Int64(seconds * 1_000))
    }

    private static func noSeconds(_ flag: Flag, _ text: String) -> String {
        "--\(flag.name) takes seconds, such as 10 or 0.5, not \(masked(text))."
    }

    static func number(_ arguments: Arguments, _ flag: Flag) throws(Failure) -> Int? {
        guard let text = arguments[flag] else { return nil }
        guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw .usage("--\(flag.name) takes a number from 1, not \(masked(text)).")
        }
        return number
    }

    static func version(_ arguments: Arguments, _ flag: Flag) throws(Failure) -> Version? {
        guard let text = arguments[flag] else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw .usage("--\(flag.name) takes the number of a version, not \(masked(text)).")
        }
        return Version(UInt64(number))
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

extension Settings.Origin {
    fileprivate init(_ key: String, _ value: String, _ origin: String?) {
        self.init(key: key, value: value, origin: origin ?? "default")
    }

    fileprivate init(_ key: String, _ choice: Choice) {
        self.init(key, choice.value, choice.origin)
    }
}
