internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments
internal import Samelist

/// Verbs that only look.
extension Verbs {
    @MainActor
    static func show(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let filter = filter(&call)
        let sort = try sort(call)
        let (rows, isEmpty) = try await Conversation.run(call) { talk throws(Failure) in
            let replica = try await talk.open(name)
            let editors = try await talk.editors(of: name)
            let list = replica.list
            let shown =
                filter.isEmpty && sort == nil
                ? list.elements : View(filter, sort: sort, of: list).rows
            let rows = shown.map { RowText(element: $0, editing: editors[$0.id] ?? []) }
            return (rows, list.count == 0)
        }
        let widths = RowText.Widths(rows)
        let isPlain = call.has(.plain)
        call.output.results(rows) {
            isPlain ? $0.plain : $0.line(widths)
        } members: {
            $0.members
        }
        if rows.isEmpty, !filter.isEmpty, !isEmpty {
            throw Failure(.refused, "no_match", "no row of \(name) matches.")
        }
        if isEmpty { call.output.note("\(name) is empty. Add a row: samelist add \(name) TEXT") }
    }

    private static func filter(_ call: inout Invocation) -> Filter {
        var text: [String] = []
        var fields = Fields()
        while let word = call.words.popFirst() {
            if let (field, value) = Tokens.assignment(word) {
                fields[field] = value
            } else {
                text.append(word)
            }
        }
        return Filter(text: text.joined(separator: " "), fields: fields)
    }

    private static func sort(_ call: Invocation) throws(Failure) -> Sort? {
        guard let word = call.arguments[.sort] else {
            guard !call.has(.descending) else { throw .usage("--descending needs --sort FIELD.") }
            return nil
        }
        guard let field = FieldName(word) else {
            throw .usage("\(masked(word)) is no field name: 1-64 bytes, no control characters.")
        }
        return Sort(field, descending: call.has(.descending))
    }

    @MainActor
    static func history(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let word = call.words.popFirst()
        try call.end()
        let limit = try Settings.number(call.arguments, .limit) ?? 20
        let entries = try await Conversation.run(call) { talk throws(Failure) in
            var id: ElementID?
            if let word {
                id = try ElementWords(await talk.open(name).list, of: name).id(word)
            }
            return try await talk.history(of: name, id, limit: limit)
        }
        let changes = ChangeText.all(of: entries).filter { change in
            guard let word else { return true }
            return change.operation.ids.contains { $0.text.hasPrefix(word) }
        }
        call.output.results(changes, plain: \.plain, cells: \.cells, members: \.members)
        if changes.isEmpty { call.output.note("Nothing has happened in \(name) yet.") }
    }
}

extension Conversation {
    /// The newest entries first; pages through what one answer cannot hold.
    func history(
        of name: ListName, _ id: ElementID?, limit: Int
    ) async throws(Failure) -> [Entry] {
        var entries: [Entry] = []
        while entries.count < limit {
            let before = entries.last?.version
            let missing = limit - entries.count
            let reply = try await ask(
                { .history($0, name, of: id, before: before, limit: missing) }, of: name)
            guard case .history(let page) = reply, !page.isEmpty else { break }
            entries.append(contentsOf: page)
        }
        return entries
    }
}

extension ResolvedOperation {
    var ids: [ElementID] {
        switch self {
        case .insert(let id, _, _), .set(let id, _), .count(let id, _, _, _), .delete(let id),
            .restore(let id, _):
            [id]
        case .move(let ids, _), .forget(let ids): ids
        case .describe: []
        }
    }
}
