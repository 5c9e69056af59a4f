internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments

/// Reads one line of the shell's language: words and options in any order.
struct ShellParser {
    let verb: String
    var words: [String] = []
    var options: [String: String?] = [:]

    static let verbs = [
        "open", "add", "set", "unset", "count", "move", "delete", "restore", "undo", "redo", "list",
        "filter", "sort", "edit", "draft", "commit", "cancel", "save-new", "editors", "pending",
        "discard", "who", "history", "drop-list", "offline", "online", "sync", "reload", "quit",
        "help",
    ]
    private static let withValue: Set<String> = ["--id", "--after", "--before"]

    static func parse(_ line: some StringProtocol) throws(UsageFault) -> ShellCommand? {
        guard let tokens = Tokens.split(line) else {
            throw UsageFault("a quote is not closed; write \" at its end")
        }
        guard let verb = tokens.first, !verb.hasPrefix("#") else { return nil }
        var parser = ShellParser(verb: verb)
        try parser.sort(tokens.dropFirst())
        let command = try parser.command()
        try parser.finish()
        return command
    }

    private init(verb: String) { self.verb = verb }

    private mutating func sort(_ tokens: ArraySlice<String>) throws(UsageFault) {
        var index = tokens.startIndex
        while index < tokens.endIndex {
            let token = tokens[index]
            index += 1
            guard token.hasPrefix("--"), token.count > 2 else {
                words.append(token)
                continue
            }
            guard Self.withValue.contains(token) else {
                options[token] = .some(nil)
                continue
            }
            guard index < tokens.endIndex else {
                throw UsageFault("\(token) needs an ID behind it")
            }
            options[token] = tokens[index]
            index += 1
        }
    }

    private mutating func command() throws(UsageFault) -> ShellCommand {
        switch verb {
        case "open": .open(try listName(), create: flag("--create"))
        case "add": .add(try assignments(), id: try idOption(), try place() ?? .last)
        case "set": try changes(as: ShellCommand.set)
        case "draft": try changes(as: ShellCommand.draft)
        case "unset": .set(try id(), try removals())
        case "count": try counting()
        case "move": try moving()
        case "delete": .delete(try ids(), unlessEdited: flag("--unless-edited"))
        case "restore": .restore(try id(), withDraft: flag("--with-draft"))
        case "filter": try filter()
        case "sort": try sorting()
        case "edit": .edit(try id(), try policy())
        case "commit": .commit(try id(), try mode())
        case "cancel": .cancel(try id())
        case "save-new": .saveNew(try id(), id: try idOption(), try place())
        case "discard": try discarding()
        case "history": .history(words.isEmpty ? nil : try id())
        default: try bare()
        }
    }

    private func bare() throws(UsageFault) -> ShellCommand {
        switch verb {
        case "undo": return .undo
        case "redo": return .redo
        case "list": return .list
        case "editors": return .editors
        case "pending": return .pending
        case "who": return .who
        case "drop-list": return .dropList
        case "offline": return .offline
        case "online": return .online
        case "sync": return .sync
        case "reload": return .reload
        case "quit", "exit": return .quit
        case "help": return .help
        default:
            let near = suggestion(for: verb, among: Self.verbs)
            let hint = near.map { "; did you mean \($0)?" } ?? "; help lists the commands"
            throw UsageFault("there is no command \(verb)" + hint)
        }
    }

    private func finish() throws(UsageFault) {
        if let word = words.first { throw UsageFault("\(verb) does not take \(word)") }
        if let option = options.keys.sorted().first {
            throw UsageFault("\(verb) does not take \(option)")
        }
    }
}
