internal import ListModel

/// One operation of an entry, for people and for scripts: who did what, at which version.
struct ChangeText {
    let entry: Entry
    let operation: ResolvedOperation
    /// The title of an element, where one is known.
    let title: (ElementID) -> String?

    static func all(
        of entries: [Entry], title: @escaping (ElementID) -> String? = { _ in nil }
    ) -> [ChangeText] {
        entries.flatMap { entry in
            entry.operations.map { ChangeText(entry: entry, operation: $0, title: title) }
        }
    }

    var plain: String {
        "\(entry.version)  \(Clock.text(entry.at))  \(Printing.masked(entry.by.text)) \(deed)"
    }

    var members: Output.Members {
        [
            ("event", .text("change")), ("version", .int(Int64(clamping: entry.version.number))),
            ("at", .text(Clock.text(entry.at))), ("by", .text(entry.by.text)),
        ]
            + operation.parts.flatMap(\.members).map { name, value in
                // The amount of a count has the name that says who did it everywhere else.
                name == "by" ? ("amount", value) : (name, value)
            }
    }

    /// Version, time, name, what was done, IDs, and the same in words.
    var cells: [String] {
        let kind = members.first { $0.0 == "op" }?.1.text ?? ""
        return [
            "\(entry.version)", Clock.text(entry.at), entry.by.text, kind,
            operation.ids.map(\.text).joined(separator: " "), deed,
        ]
    }

    private var deed: String {
        switch operation {
        case .insert(let id, let anchor, let fields):
            "added \(id) \(text(fields))".trimmedAtEnd + place(anchor)
        case .set(let id, let fields): "set \(id) \(text(fields))"
        case .count(let id, let field, let by, let value):
            "counted \(id) \(Printing.word(field.text)) by \(Printing.json(by)) "
                + "to \(Printing.json(value))"
        case .move(let ids, let anchor):
            "moved \(ids.map(named).joined(separator: ", "))" + place(anchor)
        case .delete(let id): "deleted \(named(id))"
        case .restore(let id, _): "restored \(named(id))"
        case .describe(let title, _):
            title.map { "called the list \(Printing.json(.text($0)))" }
                ?? "changed the list's types"
        case .forget(let ids): "forgot \(Verbs.counted(ids.count, "deleted row"))"
        }
    }

    private func named(_ id: ElementID) -> String {
        guard let title = title(id), !title.isEmpty else { return id.text }
        return "\(id) \"" + Columns.cut(Printing.masked(title), to: 60) + "\""
    }

    private func place(_ anchor: Anchor) -> String {
        switch anchor {
        case .first: " in front of all others"
        case .after(let id): " behind \(id)"
        }
    }

    private func text(_ fields: Fields) -> String {
        fields.pairs.map { Printing.word($0.name.text) + "=" + Printing.json($0.value) }
            .joined(separator: " ")
    }
}
