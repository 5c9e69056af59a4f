internal import ProgramArguments

/// What a command line asks for.
enum CommandLineReader {
    enum Request {
        case help(String)
        case version
        case run(Verb, words: ArraySlice<String>, Arguments)
    }

    /// - Parameter line: without the program's name.
    static func read(_ line: [String]) throws(UsageError) -> Request {
        let arguments = try Arguments(line, of: "samelist", flags: knownFlags)
        let words = arguments.words[...]
        if arguments.has(.version) { return .version }
        guard let name = words.first else {
            guard arguments.has(.help) || line.isEmpty else {
                throw UsageError("a verb is missing, such as ls. See samelist --help.")
            }
            return .help(line.isEmpty ? VerbHelp.short : VerbHelp.long)
        }
        if name == "help" { return .help(try help(on: words.dropFirst().first)) }
        let verb = try verb(name)
        if arguments.has(.help) { return .help(VerbHelp.text(of: verb)) }
        if let flag = arguments.flags.sorted().first(where: { !verb.takes($0) }) {
            throw UsageError("\(name) takes no --\(flag). See samelist help \(name).")
        }
        if arguments.has(.json), arguments.has(.plain) {
            throw UsageError("\(name) takes one of --json and --plain. See samelist help \(name).")
        }
        return .run(verb, words: words.dropFirst(), arguments)
    }

    /// Those of all verbs, as they may stand before the verb.
    private static var knownFlags: [Flag] {
        var flags = Flag.everywhere
        for flag in Verb.all.flatMap(\.flags) where !flags.contains(flag) { flags.append(flag) }
        return flags
    }

    private static func help(on topic: String?) throws(UsageError) -> String {
        guard let topic, topic != "help" else { return VerbHelp.long }
        if topic == "man" { return VerbHelp.manual }
        return VerbHelp.text(of: try verb(topic))
    }

    private static func verb(_ name: String) throws(UsageError) -> Verb {
        if let verb = Verb.named(name) { return verb }
        let advice =
            suggestion(for: name, among: Verb.all.map(\.name) + ["help"]).map {
                "Did you mean \($0)?"
            }
        throw UsageError("there is no verb \(masked(name)). \(advice ?? "See samelist --help.")")
    }
}
