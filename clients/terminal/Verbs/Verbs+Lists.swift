internal import ListModel
internal import ListProtocol
internal import ProgramArguments

/// Verbs on lists as a whole.
extension Verbs {
    @MainActor
    static func lists(_ call: inout Invocation) async throws(Failure) {
        try call.end()
        let reply = try await Conversation.run(call) { talk throws(Failure) in
            try await talk.ask { .lists($0) }
        }
        guard case .lists(let lists) = reply else { return }
        if lists.isEmpty { call.output.note("There is no list yet. Make one: samelist new LIST") }
        let width = lists.map { $0.name.text.utf8.count }.max() ?? 0
        KnownRows(call.settings).keep(lists.map(\.name))
        call.output.results(
            lists, plain: { text(of: $0, width) }, cells: cells, members: members)
        if lists.contains(where: { $0.count == nil }) {
            call.output.note(
                "Some lists are not counted: they are long, and counted when asked again; or they "
                    + "cannot be read, which samelist ls LIST tells.")
        }
    }

    private static func text(of list: ListSummary, _ width: Int) -> String {
        let rows = list.count.map { counted($0, "row") } ?? "not counted"
        let open = list.open > 0 ? "open \(list.open)×" : ""
        let title = Printing.masked(list.title)
        let columns = [
            Columns.padded(list.name.text, width), Columns.padded(rows, 12),
            Columns.padded(open, title.isEmpty ? 0 : 9), title,
        ]
        return columns.filter { !$0.isEmpty }.joined(separator: "  ").trimmedAtEnd
    }

    /// Name, rows and version where they are counted, how often it is open, title.
    private static func cells(_ list: ListSummary) -> [String] {
        [
            list.name.text, list.count.map(String.init) ?? "",
            list.version.map(\.description) ?? "", String(list.open), list.title,
        ]
    }

    private static func members(_ list: ListSummary) -> Output.Members {
        var members: Output.Members = [
            ("list", .text(list.name.text)), ("title", .text(list.title)),
            ("open", .int(Int64(list.open))),
        ]
        if let count = list.count { members.append(("count", .int(Int64(count)))) }
        if let version = list.version {
            members.append(("version", .int(Int64(clamping: version.number))))
        }
        return members
    }

    @MainActor
    static func new(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        try call.end()
        let title = call.arguments[.title]
        let wasThere = try await Conversation.run(call) { talk throws(Failure) in
            let reply = try await talk.ask { .lists($0) }
            do throws(Failure) {
                // The server takes a list that is as it was asked for for made.
                _ = try await talk.ask { .create($0, name, title: title, schema: nil) }
            } catch {
                guard error.word == Code.listExists.rawValue else { throw error }
                throw Failure(
                    .refused, Code.listExists.rawValue,
                    "there is a list \(name) already, with another title; samelist lists shows "
                        + "it.")
            }
            guard case .lists(let lists) = reply else { return false }
            return lists.contains { $0.name == name }
        }
        call.output.done(
            wasThere ? "The list \(name) was there already." : "Made the list \(name).",
            undo: wasThere ? nil : "samelist drop \(name)\(call.settings.repeated)",
            [("list", .text(name.text)), ("made", .bool(!wasThere))])
    }

    @MainActor
    static func drop(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        try call.end()
        if !call.has(.force) {
            try call.confirmTyping(
                name.text, "This deletes the list \(name) for everybody. Type its name to go on: ")
        }
        _ = try await Conversation.run(call) { talk throws(Failure) in
            try await talk.ask({ .remove($0, name) }, of: name)
        }
        KnownRows(call.settings).forget(name)
        call.output.done(
            "Deleted the list \(name). This cannot be taken back.", undo: nil,
            [("list", .text(name.text))])
    }

    @MainActor
    static func who(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        try call.end()
        let reply = try await Conversation.run(call) { talk throws(Failure) in
            try await talk.ask({ .who($0, name) }, of: name)
        }
        guard case .who(let here) = reply else { return }
        if here.isEmpty { call.output.note("Nobody has \(name) open.") }
        call.output.results(
            here.sorted { ($0.name, $0.session) < ($1.name, $1.session) },
            plain: { presence in
                let editing = presence.editing.map(\.text).joined(separator: " ")
                return Printing.masked(presence.name.text)
                    + (editing.isEmpty ? "" : "  editing " + editing)
            },
            cells: { [$0.name.text, $0.editing.map(\.text).joined(separator: " ")] },
            members: { presence in
                [
                    ("name", .text(presence.name.text)),
                    ("editing", .array(presence.editing.map { .text($0.text) })),
                ]
            })
    }

    static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}

extension String {
    var trimmedAtEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
