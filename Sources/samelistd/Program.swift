import Glibc
internal import ListServer
internal import ProgramArguments

/// How the program ends.
enum ExitCode {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    /// As shells put it: 128 and the signal.
    static func ended(by signal: Int32) -> Int32 { 128 + signal }
}

/// `samelistd`: which verb was asked for.
enum Program {
    static let verbs = ServerVerb.all.map(\.name) + ["help"]

    static func run(_ arguments: [String]) -> Int32 {
        do throws(UsageError) {
            if arguments.first == "completion", !["-h", "--help"].contains(arguments.last) {
                return try completion(Array(arguments.dropFirst()))
            }
            return try run(Arguments(arguments, of: "samelistd", flags: Flag.all))
        } catch {
            say("samelistd: \(error.sentence)", on: STDERR_FILENO)
            return ExitCode.usage
        }
    }

    private static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let verb = arguments.words.first
        if let verb, !verbs.contains(verb) {
            let advice = suggestion(for: verb, among: verbs).map { "Did you mean \($0)?" }
            throw UsageError("there is no \(masked(verb)). \(advice ?? "See samelistd --help.")")
        }
        if arguments.has(.version) {
            say("samelistd \(Server.version)")
            return ExitCode.done
        }
        if verb == "help" || arguments.has(.help) {
            let topic = verb == "help" ? arguments.words.dropFirst().first : verb
            return try help(on: topic)
        }
        guard let verb else {
            if let flag = arguments.flags.sorted().first {
                throw UsageError(
                    "--\(flag) needs a verb: samelistd serve --\(flag) …. See samelistd --help.")
            }
            say(Help.short)
            return ExitCode.done
        }
        if verb == "token" { return try token(arguments) }
        if verb == "config" { return try config(arguments) }
        if verb == "explain" { return try explain(arguments) }
        if let extra = arguments.words.dropFirst().first {
            throw UsageError(
                "\(verb) takes flags only, not \(masked(extra)). See samelistd help \(verb).")
        }
        let given = try GivenSettings(arguments, environment: environment)
        switch verb {
        case "check": return try check(given)
        case "backup": return try backup(given)
        case "restore": return try restore(given)
        case "export": return try export(given)
        case "import": return try importLists(given)
        case "compact": return try compact(given)
        case "top": return try top(given)
        default: return try serve(given)
        }
    }

    private static func help(on topic: String?) throws(UsageError) -> Int32 {
        let verb = ServerVerb.all.first { $0.name == topic }
        switch topic {
        case nil, "help": say(Help.long)
        case "man": say(Help.manual, ending: "")
        case "limits": say(Help.limits)
        case .some(let topic):
            guard let verb else {
                let advice = suggestion(for: topic, among: verbs).map { "Did you mean \($0)?" }
                throw UsageError("there is no help on \(masked(topic)). \(advice ?? "")")
            }
            say(Help.text(of: verb))
        }
        return ExitCode.done
    }

    static func environment(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else {
            return nil
        }
        return value
    }
}

/// Writes a line at once, whatever it is written to.
func say(_ line: String, on descriptor: Int32 = STDOUT_FILENO, ending: String = "\n") {
    let bytes = Array((line + ending).utf8)
    _ = write(descriptor, bytes, bytes.count)
}
