internal import ListModel
internal import ListReplica

/// Commands that take more than words of one kind.
extension ShellParser {
    mutating func changes(
        as make: (ElementID, Fields) -> ShellCommand
    ) throws(UsageFault) -> ShellCommand {
        let id = try id()
        guard !words.isEmpty else { throw UsageFault("\(verb) needs FIELD=VALUE") }
        return make(id, try assignments())
    }

    mutating func removals() throws(UsageFault) -> Fields {
        var fields = Fields()
        fields[try fieldName()] = .null
        while !words.isEmpty { fields[try fieldName()] = .null }
        return fields
    }

    mutating func counting() throws(UsageFault) -> ShellCommand {
        let id = try id()
        let field = try fieldName()
        let value = Tokens.value(try next("a number"))
        switch value {
        case .int, .double: return .count(id, field, value)
        default: throw UsageFault("count needs a number")
        }
    }

    mutating func moving() throws(UsageFault) -> ShellCommand {
        let ids = try ids()
        guard let place = try place() else {
            throw UsageFault("move needs --first, --last, --after ID or --before ID")
        }
        return .move(ids, place)
    }

    mutating func filter() throws(UsageFault) -> ShellCommand {
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

    mutating func sorting() throws(UsageFault) -> ShellCommand {
        let descending = flag("--descending")
        guard !words.isEmpty else { return .sort(nil) }
        return .sort(Sort(try fieldName(), descending: descending))
    }

    mutating func policy() throws(UsageFault) -> Editor.Policy {
        let chosen = Editor.Policy.allCases.filter { flag("--" + $0.rawValue) }
        guard chosen.count <= 1 else {
            throw UsageFault("edit takes one of --snapshot --live --draft")
        }
        return chosen.first ?? .draft
    }

    mutating func mode() throws(UsageFault) -> Editor.Commit.Mode {
        var modes: [Editor.Commit.Mode] = []
        if flag("--if-unchanged") { modes.append(.ifUnchanged) }
        if flag("--overwrite") { modes.append(.overwrite) }
        if flag("--merge") { modes.append(.merge) }
        guard modes.count <= 1 else {
            throw UsageFault("commit takes one of --if-unchanged --overwrite --merge")
        }
        return modes.first ?? .ifUnchanged
    }

    mutating func discarding() throws(UsageFault) -> ShellCommand {
        let text = try next("a number from pending")
        guard let number = UInt64(text), number > 0 else {
            throw UsageFault("\(text) is no number; pending lists them")
        }
        return .discard(MutationNumber(number))
    }
}
