internal import ProgramArguments

/// What may stand at the end of a command line: verbs, flags, lists, rows. Knows only the table of
/// verbs and what it is given of the user's own copy; it never asks a server.
struct Completion {
    struct Candidate: Equatable {
        let text: String
        var about = ""
    }

    enum Answer: Equatable {
        case candidates([Candidate])
        /// The names of files, which the shell knows best.
        case files
    }

    /// Lists and rows that are known on this machine.
    struct Known {
        var lists: () -> [Candidate] = { [] }
        var rows: (String) -> [Candidate] = { _ in [] }
        /// Deleted ones.
        var gone: (String) -> [Candidate] = { _ in [] }
        var contexts: () -> [Candidate] = { [] }
    }

    /// The words behind the program's name, the one that is being typed last.
    private let words: ArraySlice<String>
    private let typed: String
    private var verb: Verb?
    private var operands: [String] = []
    /// The flag whose value is being typed.
    private var open: Flag?
    private var isPastFlags = false
    /// Values of flags that say which server and whose copy is meant.
    private(set) var values: [String: String] = [:]

    init(_ line: [String]) {
        typed = line.last ?? ""
        words = line.dropLast()
        for word in words { take(word) }
    }

    private mutating func take(_ word: String) {
        if let flag = open {
            values[flag.name] = word
            open = nil
        } else if word == "--", !isPastFlags {
            isPastFlags = true
        } else if !isPastFlags, word.hasPrefix("-"), word != "-" {
            takeFlag(word)
        } else if verb == nil, operands.isEmpty, let named = Verb.named(word) {
            verb = named
        } else {
            operands.append(word)
        }
    }

    private mutating func takeFlag(_ word: String) {
        let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1)
        guard let name = parts.first, let flag = flags.first(where: { $0.name == name }) else {
            return
        }
        if parts.count == 2 {
            values[flag.name] = String(parts[1])
        } else if flag.value != nil {
            open = flag
        }
    }

    /// Those that may be given here; before the verb those of all verbs.
    private var flags: [Flag] { (verb?.flags ?? Verb.all.flatMap(\.flags)) + Flag.everywhere }

    func answer(_ known: Known) -> Answer {
        let found = all(known)
        guard case .candidates(let all) = found else { return found }
        return .candidates(all.filter { $0.text.hasPrefix(typed) })
    }

    private func all(_ known: Known) -> Answer {
        if let open { return values(called: open.value ?? "", known) }
        if !isPastFlags, typed.hasPrefix("-"), typed != "-" {
            let mine = verb?.flags ?? []
            return .candidates((mine + Flag.everywhere).map { .init("--" + $0.name, $0.summary) })
        }
        if let verb {
            let names = verb.operands
            guard let name = operands.count < names.count ? names[operands.count] : names.last
            else { return .candidates([]) }
            if operands.count >= names.count, !verb.words.contains("…") { return .candidates([]) }
            return values(called: name, known)
        }
        guard operands.isEmpty || operands == ["help"] else { return .candidates([]) }
        let help = operands.isEmpty ? [Candidate("help", "how a verb is used")] : []
        return .candidates(Verb.all.map { .init($0.name, $0.summary) } + help)
    }

    /// - Parameter name: as the help calls the word.
    private func values(called name: String, _ known: Known) -> Answer {
        switch name {
        case "LIST": return .candidates(known.lists())
        case "ID":
            let rows = verb?.takesGraves == true && open == nil ? known.gone : known.rows
            // A row is named once.
            let named = open == nil ? Set(operands.dropFirst()) : []
            let all = operands.first.map(rows) ?? []
            return .candidates(all.filter { !named.contains($0.text) })
        case "FILE", "COMMAND": return .files
        case "FORMAT": return .candidates(FileFormat.allCases.map { .init($0.rawValue) })
        case "CONTEXT": return .candidates(known.contexts())
        default:
            // Words in lower case stand for themselves.
            let choices = name.split(separator: "|").filter { $0.allSatisfy(\.isLowercase) }
            return .candidates(choices.map { .init(String($0)) })
        }
    }
}

extension Completion.Candidate {
    init(_ text: String, _ about: String = "") { self.init(text: text, about: about) }

    /// A line for the shells: the word, a tab, what it is.
    var line: String { about.isEmpty ? text : text + "\t" + about }
}

extension Verb {
    /// What its words are called, in their order. `LIST [FILE | -]` is `LIST`, `FILE`.
    var operands: [String] {
        words.split(separator: " ").map { $0.filter { $0 != "[" && $0 != "]" } }
            .filter { $0 != "…" && $0 != "|" && $0 != "-" && !$0.isEmpty }
    }
}
