internal import ListServer
internal import ProgramArguments

/// `samelistd completion`: what may stand at the end of a command line, by the table of verbs.
struct ServerCompletion {
    private let typed: String
    private var words: [String] = []
    /// The flag whose value is being typed.
    private var open: Flag?

    /// - Parameter line: the words behind the program's name, the one that is being typed last.
    init(_ line: [String]) {
        typed = line.last ?? ""
        for word in line.dropLast() { take(word) }
    }

    private mutating func take(_ word: String) {
        if open != nil {
            open = nil
        } else if word.hasPrefix("--"), !word.contains("=") {
            let flag = Flag.all.first { "--" + $0.name == word }
            open = flag?.value == nil ? nil : flag
        } else if !word.hasPrefix("-") {
            words.append(word)
        }
    }

    /// A word a line, for the scripts; `:files` where the shell knows best.
    var lines: [String] {
        let all = candidates
        return all == [":files"] ? all : all.filter { $0.hasPrefix(typed) }
    }

    private var candidates: [String] {
        if let open { return values(of: open) }
        let verb = words.first.flatMap { name in ServerVerb.all.first { $0.name == name } }
        if typed.hasPrefix("-") {
            let flags = verb?.flags ?? ServerVerb.all.flatMap(\.flags)
            return (flags + [.help, .version]).reduce(into: []) { names, flag in
                let name = "--" + flag.name
                if !names.contains(name) { names.append(name) }
            }
        }
        switch (words.count, words.first) {
        case (0, _): return Program.verbs
        case (1, "help"): return ServerVerb.all.map(\.name) + ["limits", "man"]
        case (1, "token"): return ["create", "list", "revoke"]
        case (1, "config"): return ["check", "show"]
        case (1, "completion"): return CompletionScript.allCases.map(\.rawValue)
        default: return []
        }
    }

    private func values(of flag: Flag) -> [String] {
        switch flag.name {
        case Flag.logLevel.name: Log.Level.allCases.map(\.rawValue)
        case Flag.logFormat.name: ["logfmt", "json"]
        case Flag.rights.name: ["read", "write", "own"]
        case Flag.signingAlgorithm.name: ["HS256", "RS256", "ES256"]
        case Flag.limit.name: Bound.all.map { $0.name + "=" }
        case _ where ["FILE", "FOLDER"].contains { flag.value?.hasPrefix($0) == true }: [":files"]
        default: []
        }
    }
}

extension Program {
    /// Whatever stands behind `words` is somebody's line: it is no flag of ours.
    static func completion(_ words: [String]) throws(UsageError) -> Int32 {
        if words.first == "words" {
            let line = words.dropFirst()
            for word in ServerCompletion(Array(line.first == "--" ? line.dropFirst() : line)).lines
            {
                say(word)
            }
            return ExitCode.done
        }
        guard words.count == 1, let script = words.first.flatMap(CompletionScript.init) else {
            throw UsageError("completion is followed by bash, zsh or fish.")
        }
        say(script.text(for: "samelistd"), ending: "")
        return ExitCode.done
    }
}
