internal import ProgramArguments

/// What the program says about itself, from the table of verbs.
enum VerbHelp {
    /// For the bare command.
    static let short = """
        samelist works in shared ordered lists: everyone who has one open sees the same.

        Examples:
          samelist new demo                   make a list
          samelist add demo Order a cable     add a row
          samelist watch demo                 see what others do

        samelist --help tells more.

        """

    static var long: String {
        let width = Verb.all.map(\.name.count).max() ?? 0
        let verbs = Verb.all.map { "  " + padded($0.name, width) + "  " + $0.summary }
        let codes = ExitCode.allCases.map { "\($0.rawValue) \($0.meaning)" }
        return """
            Usage: samelist VERB [WORDS] [FLAGS]
                   samelist help VERB | man

            Works in shared ordered lists: everyone who has one open sees the same.

            Verbs:
            \(verbs.joined(separator: "\n"))

            Flags, before or after the verb:
            \(text(of: Flag.everywhere))
                  --                   what follows is no flag

            A row is named by its ID or the beginning of it; samelist ls shows IDs.

            Exit codes:
              \(codes.prefix(5).joined(separator: ", "))
              \(codes.dropFirst(5).joined(separator: ", "))

            """
    }

    static func text(of verb: Verb) -> String {
        var lines = ["Usage: samelist \(verb.usage)", "", verb.summary.sentence]
        if !verb.notes.isEmpty { lines += [""] + verb.notes }
        if !verb.flags.isEmpty { lines += ["", "Flags:", text(of: verb.flags)] }
        lines += ["", "Flags of every verb:", text(of: Flag.everywhere), "", "Examples:"]
        return (lines + verb.examples.map { "  " + $0 }).joined(separator: "\n") + "\n"
    }

    static func text(of flags: [Flag]) -> String {
        flags.map { flag in
            let letter = flag.letter.map { "-\($0), " } ?? "    "
            let name = "--\(flag.name)" + (flag.value.map { " \($0)" } ?? "")
            return "  " + letter + padded(name, 20) + " " + flag.summary
        }.joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension Verb {
    var usage: String {
        let flags = flags.isEmpty ? "" : " [FLAGS]"
        return name + (words.isEmpty ? "" : " " + words) + flags
    }
}

extension String {
    var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
