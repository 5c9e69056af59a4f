internal import ProgramArguments
internal import Samelist

/// A setting as somebody gave it, and where.
struct Choice: Equatable {
    let value: String
    let origin: String

    /// Nobody said.
    static func usual(_ value: String) -> Choice { Choice(value: value, origin: "default") }
}

/// What was said about each setting: flags win over variables, these over the context, and it over
/// the rest of the file. A context that is named by a flag wins over variables too. Of a context,
/// nothing holds for another server than its own.
struct GivenSettings {
    let arguments: Arguments
    let environment: (String) -> String?
    let config: ConfigFile
    let file: String?
    /// The context, if there is one.
    let context: Choice?
    private let entries: [ConfigFile.Entry]

    init(
        _ arguments: Arguments, environment: @escaping (String) -> String?, config: ConfigFile,
        file: String?, isLenient: Bool = false
    ) throws(Failure) {
        self.arguments = arguments
        self.environment = environment
        self.config = config
        self.file = file
        if let name = arguments[.context] {
            context = Choice(value: name, origin: "--context")
        } else if let name = environment("SAMELIST_CONTEXT") {
            context = Choice(value: name, origin: "SAMELIST_CONTEXT")
        } else {
            context = config.general.last { $0.key == .context }.map {
                Choice(value: $0.value, origin: "\(file ?? "") line \($0.line)")
            }
        }
        guard let context else {
            entries = []
            return
        }
        guard let found = config.context(context.value) else {
            if isLenient, !arguments.has(.context) {
                entries = []
                return
            }
            let names = config.contexts.map(\.name)
            let advice = suggestion(for: context.value, among: names)
            throw .usage(
                "there is no context \(masked(context.value)) (\(context.origin)). "
                    + (advice.map { "Did you mean \($0)?" } ?? "samelist context list shows them."))
        }
        entries = found
    }

    func of(_ key: ConfigFile.Key, flag: Flag, variable: String?) -> Choice? {
        if let value = arguments[flag] { return Choice(value: value, origin: "--\(flag.name)") }
        if arguments.has(.context), let choice = ofContext(key) { return choice }
        if let variable, let value = environment(variable) {
            return Choice(value: value, origin: variable)
        }
        return ofContext(key)
            ?? config.general.last { $0.key == key }.map {
                Choice(value: $0.value, origin: "\(file ?? "") line \($0.line)")
            }
    }

    /// A flag or a variable names a server, and the context is not for that.
    private var isForAnotherServer: Bool {
        let given =
            arguments[.server]
            ?? (arguments.has(.context) ? nil : environment("SAMELIST_SERVER"))
        guard let given, let own = entries.last(where: { $0.key == .server }) else { return false }
        return ServerAddress(given) != ServerAddress(own.value)
    }

    private func ofContext(_ key: ConfigFile.Key) -> Choice? {
        guard let entry = entries.last(where: { $0.key == key }), let context,
            key != .name || !isForAnotherServer
        else { return nil }
        return Choice(value: entry.value, origin: "context \(context.value)")
    }
}
