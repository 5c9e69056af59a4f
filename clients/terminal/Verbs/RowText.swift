internal import ListModel

/// A row of a list, for people.
struct RowText {
    let element: Element
    var editing: [UserName] = []

    /// In quotes, short enough for a sentence.
    static func quoted(_ fields: Fields, _ id: ElementID) -> String {
        guard let title = fields[.title]?.text, !title.isEmpty else { return id.text }
        return "\"" + Columns.cut(Printing.masked(title), to: 60) + "\""
    }

    /// Its title in so many columns.
    static func title(of element: Element, columns: Int) -> String {
        Columns.cut(RowText(element: element).title, to: columns)
    }

    var isDone: Bool { element.fields[Self.done] == .bool(true) }

    var title: String {
        guard let value = element.fields[.title] else { return "" }
        return value.text.map(Printing.masked) ?? Printing.json(value)
    }

    /// All fields but those that `title` and the box show.
    var further: [String] {
        element.fields.pairs.filter { pair in
            if case .bool = pair.value, pair.name == Self.done { return false }
            return pair.name != .title
        }.map { Printing.word($0.name.text) + "=" + Printing.json($0.value) }
    }

    var editors: String? { Self.editing(editing) }

    /// `ana, bo are editing`; `nil`: nobody is.
    static func editing(_ editing: [UserName]) -> String? {
        guard !editing.isEmpty else { return nil }
        let names = editing.map { Printing.masked($0.text) }.joined(separator: ", ")
        return "\(names) \(editing.count == 1 ? "is" : "are") editing"
    }

    /// `k7 [ ] Page on-call  cups=2   ana is editing`, the title in a column where something
    /// follows it.
    func line(_ widths: Widths) -> String {
        var text = Columns.padded(element.id.text, widths.id) + (isDone ? " [x] " : " [ ] ")
        let rest = further.joined(separator: " ")
        let last = [rest, editors ?? ""].filter { !$0.isEmpty }.joined(separator: "   ")
        text += last.isEmpty ? title : Columns.padded(title, widths.title) + "   " + last
        return text.trimmedAtEnd
    }

    /// ID, done, title and further fields, a tab between each.
    var plain: String {
        ([element.id.text, isDone ? "true" : "false", title] + further).joined(separator: "\t")
    }

    var members: Output.Members {
        var members: Output.Members = [
            ("id", .text(element.id.text)), ("fields", element.fields.object),
            ("version", .int(Int64(clamping: element.version.number))),
            ("by", .text(element.by.text)), ("at", .text(Clock.text(element.at))),
        ]
        if !editing.isEmpty {
            members.append(("editing", .array(editing.map { .text($0.text) })))
        }
        return members
    }

    /// How wide the columns of a list are.
    struct Widths {
        var id = 0
        var title = 0

        init(_ rows: [RowText]) {
            for row in rows {
                id = max(id, min(16, row.element.id.text.utf8.count))
                title = max(title, min(40, Columns.width(of: row.title)))
            }
        }
    }

    static let done = FieldName("done") ?? .title
}
