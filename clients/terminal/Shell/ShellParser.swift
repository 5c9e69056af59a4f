internal import ListModel
internal import ListProtocol
internal import ListReplica

/// Reads one line of the shell's language: words and options in any order.
struct ShellParser {
    private let verb: String
    private var words: [String] = []
    private var options: [String: String?] = [:]

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
            guard index < tokens.endIndex else { throw UsageFault("\(token) needs an ID behind it") }
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
            let near = Spelling.nearest(to: verb, among: Self.verbs)
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

    // What the commands are made of.

    private mutating func flag(_ name: String) -> Bool { options.removeValue(forKey: name) != nil }

    private mutating func next(_ what: String) throws(UsageFault) -> String {
        guard !words.isEmpty else { throw UsageFault("\(verb) needs \(what)") }
        return Tokens.text(words.removeFirst())
    }

    private mutating func listName() throws(UsageFault) -> ListName {
        let text = try next("the name of a list")
        guard let name = ListName(text) else {
            throw UsageFault("\(text) is no list name: 1-64 of a-z 0-9 . _ -, a letter or digit first")
        }
        return name
    }

    private mutating func id() throws(UsageFault) -> ElementID { try Self.id(try next("an ID")) }

    private static func id(_ text: String) throws(UsageFault) -> ElementID {
        guard let id = ElementID(text) else {
            throw UsageFault("\(text) is no ID: 1-64 printable ASCII characters without spaces")
        }
        return id
    }

    private mutating func ids() throws(UsageFault) -> [ElementID] {
        var ids = [try id()]
        while !words.isEmpty { ids.append(try id()) }
        return ids
    }

    private mutating func idOption() throws(UsageFault) -> ElementID? {
        guard case .some(.some(let text)) = options.removeValue(forKey: "--id") else { return nil }
        return try Self.id(Tokens.text(text))
    }

    private mutating func place() throws(UsageFault) -> Place? {
        var places: [Place] = []
        if flag("--first") { places.append(.first) }
        if flag("--last") { places.append(.last) }
        if case .some(.some(let text)) = options.removeValue(forKey: "--after") {
            places.append(.after(try Self.id(Tokens.text(text))))
        }
        if case .some(.some(let text)) = options.removeValue(forKey: "--before") {
            places.append(.before(try Self.id(Tokens.text(text))))
        }
        guard places.count <= 1 else { throw UsageFault("\(verb) takes one place") }
        return places.first
    }

    private mutating func assignments() throws(UsageFault) -> Fields {
        var fields = Fields()
        for word in words {
            guard let (name, value) = Tokens.assignment(word) else {
                throw UsageFault("\(word) is no FIELD=VALUE")
            }
            fields[name] = value
        }
        words = []
        return fields
    }

    private mutating func changes(
        as make: (ElementID, Fields) -> ShellCommand
    ) throws(UsageFault) -> ShellCommand {
        let id = try id()
        guard !words.isEmpty else { throw UsageFault("\(verb) needs FIELD=VALUE") }
        return make(id, try assignments())
    }

    private mutating func fieldName() throws(UsageFault) -> FieldName {
        let text = try next("a field")
        guard let name = FieldName(text) else {
            throw UsageFault("\(text) is no field name: 1-64 bytes, no control characters")
        }
        return name
    }

    private mutating func removals() throws(UsageFault) -> Fields {
        var fields = Fields()
        fields[try fieldName()] = .null
        while !words.isEmpty { fields[try fieldName()] = .null }
        return fields
    }

    private mutating func counting() throws(UsageFault) -> ShellCommand {
        let id = try id()
        let field = try fieldName()
        let value = Tokens.value(try next("a number"))
        switch value {
        case .int, .double: return .count(id, field, value)
        default: throw UsageFault("count needs a number")
        }
    }

    private mutating func moving() throws(UsageFault) -> ShellCommand {
        let ids = try ids()
        guard let place = try place() else {
            throw UsageFault("move needs --first, --last, --after ID or --before ID")
        }
        return .move(ids, place)
    }

    private mutating func filter() throws(UsageFault) -> ShellCommand {
        var text: [String] = []
        var fields = Fields()
        for word in words {
            if let (name, value) = Tokens.assignment(word) {
                fields[name] = value
            } else {
                text.append(Tokens.text(word))
            }
        }
        words = []
        return .filter(
            Filter(text: text.joined(separator: " "), fields: fields), pins: flag("--pin"))
    }

    private mutating func sorting() throws(UsageFault) -> ShellCommand {
        let descending = flag("--descending")
        guard !words.isEmpty else { return .sort(nil) }
        return .sort(Sort(try fieldName(), descending: descending))
    }

    private mutating func policy() throws(UsageFault) -> Editor.Policy {
        let chosen = Editor.Policy.allCases.filter { flag("--" + $0.rawValue) }
        guard chosen.count <= 1 else { throw UsageFault("edit takes one of --snapshot --live --draft") }
        return chosen.first ?? .draft
    }

    private mutating func mode() throws(UsageFault) -> Editor.Commit.Mode {
        var modes: [Editor.Commit.Mode] = []
        if flag("--if-unchanged") { modes.append(.ifUnchanged) }
        if flag("--overwrite") { modes.append(.overwrite) }
        if flag("--merge") { modes.append(.merge) }
        guard modes.count <= 1 else {
            throw UsageFault("commit takes one of --if-unchanged --overwrite --merge")
        }
        return modes.first ?? .ifUnchanged
    }

    private mutating func discarding() throws(UsageFault) -> ShellCommand {
        let text = try next("a number from pending")
        guard let number = UInt64(text), number > 0 else {
            throw UsageFault("\(text) is no number; pending lists them")
        }
        return .discard(MutationNumber(number))
    }
}
