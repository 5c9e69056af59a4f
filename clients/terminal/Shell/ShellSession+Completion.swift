internal import ListModel
internal import ListReplica

/// What the Tab key offers.
extension ShellSession {
    /// Candidates for the last word of a line.
    func candidates(for line: String) -> [String] {
        let ids = replica.map { $0.list.elements.map(\.id.text) } ?? []
        return Self.candidates(for: line, ids: ids)
    }

    static func candidates(for line: String, ids: [String]) -> [String] {
        var words = line.split(separator: " ")
        if line.isEmpty || line.hasSuffix(" ") { words.append("") }
        guard let word = words.last else { return [] }
        guard words.count > 1, let verb = words.first.map(String.init) else {
            return ShellParser.verbs.filter { $0.hasPrefix(word) }
        }
        if word.hasPrefix("-") {
            return (flags[verb] ?? []).filter { $0.hasPrefix(word) }
        }
        let namesElement =
            words.count == 2 ? takingID.contains(verb) : takingIDs.contains(verb)
        let followsPlace = ["--after", "--before"].contains(words[words.count - 2])
        guard namesElement || followsPlace else { return [] }
        return ids.filter { $0.hasPrefix(word) }
    }

    private static let takingIDs: Set<String> = ["move", "delete"]
    private static let takingID = takingIDs.union([
        "set", "unset", "count", "restore", "edit", "draft", "commit", "cancel", "save-new",
        "history",
    ])
    private static let places = ["--after", "--before", "--first", "--last"]
    private static let flags: [String: [String]] = [
        "open": ["--create"], "add": places + ["--id"], "move": places,
        "delete": ["--unless-edited"], "restore": ["--with-draft"], "filter": ["--pin"],
        "sort": ["--descending"], "edit": ["--draft", "--live", "--snapshot"],
        "commit": ["--if-unchanged", "--merge", "--overwrite"], "save-new": places + ["--id"],
    ]
}
