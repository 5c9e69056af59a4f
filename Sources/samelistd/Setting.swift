internal import ProgramArguments

/// A setting of `serve`: a flag, a variable and a key of the configuration file in one.
struct Setting {
    let flag: Flag
    /// What holds where nobody says otherwise; `nil`: nothing.
    let usual: String?

    var key: String { flag.name }

    private init(_ flag: Flag, _ usual: String? = nil) {
        self.flag = flag
        self.usual = usual
    }

    static let all = [
        Setting(.listen, "127.0.0.1:7420"), Setting(.data, "./samelist-data"),
        Setting(.history, "all"), Setting(.logLevel, "info"), Setting(.logFormat, "logfmt"),
        Setting(.metrics), Setting(.certificate), Setting(.key), Setting(.insecure, "false"),
        Setting(.origins), Setting(.signingKey), Setting(.signingAlgorithm), Setting(.issuer),
        Setting(.audience), Setting(.limit),
    ]
}

extension Flag {
    /// The variable that stands for it: `SAMELIST_LOG_LEVEL` for `--log-level`.
    var variable: String { "SAMELIST_" + name.uppercased().replacing("-", with: "_") }
}

/// What was said about each setting: flags win over variables, these over the file.
struct GivenSettings {
    let arguments: Arguments
    let environment: (String) -> String?
    let config: ServerConfig

    struct Given {
        let value: String
        /// What gave it, as sentences name it.
        let name: String
        /// Where that is.
        let origin: String
    }

    /// Reads the file that is named, else the usual one if it is there.
    init(
        _ arguments: Arguments, environment: @escaping (String) -> String?
    ) throws(UsageError) {
        self.arguments = arguments
        self.environment = environment
        if let file = arguments[.config] {
            config = try ServerConfig.read(file)
        } else if let file = environment(Flag.config.variable) {
            config = try ServerConfig.read(file)
        } else {
            config = try ServerConfig.read(ServerConfig.usualFile, isNeeded: false)
        }
    }

    /// `nil`: nobody said.
    func callAsFunction(_ flag: Flag) -> Given? {
        if arguments.has(flag) {
            let name = "--\(flag.name)"
            let value = flag.value == nil ? "true" : arguments[flag] ?? ""
            return Given(value: value, name: name, origin: name)
        }
        if let value = environment(flag.variable) {
            return Given(value: value, name: flag.variable, origin: flag.variable)
        }
        return config.entries[flag.name].map { entry in
            let origin = "\(config.file) line \(entry.line)"
            return Given(value: entry.value, name: "\(origin): \(flag.name)", origin: origin)
        }
    }

    /// Nothing is done by a file that has faults.
    func checkFile() throws(UsageError) {
        guard let first = config.faults.first else { return }
        let more = config.faults.count - 1
        let rest = more == 0 ? "" : " \(more) more: samelistd config check."
        throw UsageError("\(config.file) line \(first.line): \(first.sentence)\(rest)")
    }

    /// Where the lists are; all that most verbs need to know.
    func folder() throws(UsageError) -> String {
        try checkFile()
        guard let given = self(.data) else { return "./samelist-data" }
        guard !given.value.isEmpty else {
            throw UsageError("\(given.name) needs the name of a folder.")
        }
        return given.value
    }
}
