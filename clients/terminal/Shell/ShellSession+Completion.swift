internal import ListModel
internal import ListReplica

/// What the Tab key offers.
extension ShellSession {
    /// What there is to be named.
    struct Names {
        var lists: () -> [String] = { [] }
        var rows: () -> [String] = { [] }
        /// Deleted ones, the last one first.
        var gone: () -> [String] = { [] }
        /// Rows with an open editor, and those of them that vanished.
        var edited: () -> [String] = { [] }
        var vanished: () -> [String] = { [] }
        /// Numbers of work that was not done.
        var work: () -> [String] = { [] }
    }

    /// Candidates for the last word of a line.
    func candidates(for line: String) -> [String] {
        guard let replica else {
            return Self.candidates(for: line, Names(lists: knownLists))
        }
        let editors = replica.openEditors
        let names = Names(
            lists: knownLists,
            rows: { replica.list.elements.map(\.id.text) },
            gone: { replica.list.graves(atMost: Self.mostGone).map(\.last.id.text) },
            edited: { editors.map(\.id.text) },
            vanished: { editors.filter { $0.vanish != nil }.map(\.id.text) },
            work: { self.discardable.map { "\($0)" } })
        return Self.candidates(for: line, names)
    }

    private static let mostGone = 500

    static func candidates(for line: String, _ names: Names) -> [String] {
        var words = line.split(separator: " ")
        if line.isEmpty || line.hasSuffix(" ") { words.append("") }
        guard let word = words.last else { return [] }
        guard words.count > 1, let verb = words.first.map(String.init) else {
            return ShellParser.verbs.filter { $0.hasPrefix(word) }
        }
        if word.hasPrefix("-") {
            return (flags[verb] ?? []).filter { $0.hasPrefix(word) }
        }
        if ["--after", "--before"].contains(words[words.count - 2]) {
            return names.rows().filter { $0.hasPrefix(word) }
        }
        guard words.count == 2 || takingIDs.contains(verb) else { return [] }
        return named(by: verb, names).filter { $0.hasPrefix(word) }
    }

    private static func named(by verb: String, _ names: Names) -> [String] {
        switch verb {
        case "open": names.lists()
        case "move", "delete", "set", "unset", "count", "edit": names.rows()
        case "restore": names.gone()
        case "draft", "commit", "cancel": names.edited()
        case "save-new": names.vanished()
        case "history": names.rows() + names.gone()
        case "discard": names.work()
        default: []
        }
    }

    private static let takingIDs: Set<String> = ["move", "delete"]
    private static let places = ["--after", "--before", "--first", "--last"]
    private static let flags: [String: [String]] = [
        "open": ["--create"], "add": places + ["--id"], "move": places,
        "delete": ["--unless-edited"], "restore": ["--with-draft"], "filter": ["--pin"],
        "sort": ["--descending"], "edit": ["--draft", "--live", "--snapshot"],
        "commit": ["--if-unchanged", "--merge", "--overwrite"], "save-new": places + ["--id"],
    ]
}
