internal import Glibc
internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments
internal import Samelist

/// Verbs that change rows.
extension Verbs {
    @MainActor
    static func add(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let rows = try newRows(&call)
        let worded = try call.place() ?? .last
        var given: ElementID?
        if let word = call.arguments[.id] {
            guard let id = ElementID(word), rows.count == 1 else {
                throw .usage(
                    "--id names one row: 1-64 printable ASCII characters without spaces.")
            }
            given = id
        }
        let ids = rows.map { _ in given ?? Fresh.element() }
        let settings = call.settings
        let version = try await Conversation.run(call) { talk throws(Failure) in
            let replica = try await talk.open(name)
            let place = try ElementWords(replica.list, of: name).place(worded)
            for (id, fields) in zip(ids, rows) { try talk.checkSize(of: fields, id) }
            let numbers = Insertion.batches(ids, rows).map { range in
                let place = range.lowerBound == 0 ? place : .after(ids[range.lowerBound - 1])
                return talk.submit(
                    Insertion.operations(ids[range], rows[range], at: place), to: name)
            }
            var version = Version.zero
            for n in numbers { version = try await talk.outcome(of: n).logged() ?? version }
            return version
        }
        let text = ids.count == 1 ? RowText.quoted(rows[0], ids[0]) : counted(ids.count, "row")
        let shown = ids.prefix(20).map(\.text).joined(separator: " ")
        let more = ids.count > 20 ? " and \(ids.count - 20) more" : ""
        call.output.done(
            "Added \(text) to \(name) (version \(version)): \(shown)\(more)",
            undo: undo("rm", name, ids, settings),
            [
                ("list", .text(name.text)), ("version", .int(Int64(clamping: version.number))),
                ("ids", .array(ids.map { .text($0.text) })),
            ], quietly: ids.map(\.text).joined(separator: "\n"))
    }

    /// What the words, or standard input, say of the rows to be added.
    private static func newRows(_ call: inout Invocation) throws(Failure) -> [Fields] {
        if call.words.count == 1, call.words.first == "-" {
            call.words = []
            return try rowsOfInput()
        }
        var fields = Fields()
        var text: [String] = []
        let first = try call.next("TEXT, FIELD=VALUE or -")
        for word in [first] + call.words {
            if let (field, value) = Tokens.assignment(word), !field.text.contains(" ") {
                fields[field] = value
            } else {
                text.append(word)
            }
        }
        call.words = []
        if !text.isEmpty {
            guard fields[.title] == nil else {
                throw .usage("add takes a text or title=VALUE, not both.")
            }
            fields[.title] = .text(text.joined(separator: " "))
        }
        return [fields.withoutNulls]
    }

    /// A row for each line that is not empty.
    private static func rowsOfInput() throws(Failure) -> [Fields] {
        let bytes = Folder.bytes(from: STDIN_FILENO) ?? []
        var rows: [Fields] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard let text = String(validating: line, as: UTF8.self) else {
                throw Failure(
                    .refused, "no_text",
                    "line \(index + 1) of standard input is no text in UTF-8; nothing was added.")
            }
            let title = text.trimmed
            if !title.isEmpty { rows.append(["title": .text(title)]) }
        }
        guard !rows.isEmpty else {
            throw Failure(.refused, "no_input", "standard input has no line to add.")
        }
        return rows
    }

    @MainActor
    static func set(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let word = try call.next("an ID")
        guard !call.words.isEmpty else { throw .usage("set needs FIELD=VALUE.") }
        let changes = try call.assignments()
        let (id, before, report) = try await Conversation.run(call) {
            talk throws(Failure) -> (ElementID, Fields, Report) in
            let replica = try await talk.open(name)
            let id = try ElementWords(replica.list, of: name).id(word)
            let before = replica.list[id]?.fields ?? Fields()
            try talk.checkSize(of: before.writing(changes), id)
            let n = talk.submit([Operation(.set(id, changes))], to: name)
            return (id, before, try await talk.outcome(of: n))
        }
        let old = ShellQuoting.quoted(before.values(of: before.effective(changes).names))
        try call.tell(
            report, "Changed \(RowText.quoted(before, id))", name, [id],
            undo: "samelist set \(name) \(ShellQuoting.quoted(id.text)) \(old)"
                + call.settings.repeated)
    }

    @MainActor
    static func move(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let words = try call.elementWords()
        guard let worded = try call.place() else {
            throw .usage("move needs --first, --last, --after ID or --before ID.")
        }
        let (ids, undo, what, report) = try await Conversation.run(call) {
            talk throws(Failure) -> ([ElementID], String?, String, Report) in
            let replica = try await talk.open(name)
            let known = ElementWords(replica.list, of: name)
            let ids = try known.ids(words)
            let place = try known.place(worded)
            let undo = Verbs.wayBack(of: ids, in: replica.list, name)
            let what = Verbs.what(ids, in: replica.list)
            let n = talk.submit([Operation(.move(ids, to: place))], to: name)
            return (ids, undo, what, try await talk.outcome(of: n))
        }
        try call.tell(
            report, "Moved \(what)", name, ids, undo: undo.map { $0 + call.settings.repeated })
    }

    /// How one row gets back to its place; several may have come from many.
    private static func wayBack(
        of ids: [ElementID], in list: ListState, _ name: ListName
    ) -> String? {
        guard ids.count == 1, let id = ids.first, let index = list.index(of: id) else { return nil }
        let place =
            index == 0
            ? "--first"
            : "--after " + ShellQuoting.quoted(list.element(at: index - 1)?.id.text ?? "")
        return "samelist move \(name) \(ShellQuoting.quoted(id.text)) \(place)"
    }

    static func what(_ ids: [ElementID], in list: ListState) -> String {
        guard ids.count == 1, let id = ids.first else { return counted(ids.count, "row") }
        return list[id].map { RowText.quoted($0.fields, id) } ?? id.text
    }

    static func undo(
        _ verb: String, _ name: ListName, _ ids: [ElementID], _ settings: Settings
    ) -> String? {
        if ids.count > 20 {
            let isOneStep = ids.count <= Limits().operations
            return isOneStep ? "samelist undo \(name)\(settings.repeated)" : nil
        }
        let words = ids.map { ShellQuoting.quoted($0.text) }.joined(separator: " ")
        return "samelist \(verb) \(name) \(words)\(settings.repeated)"
    }
}
