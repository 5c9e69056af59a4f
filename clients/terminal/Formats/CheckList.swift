internal import ListModel

/// A Markdown check list, `- [x] Title`. Keeps titles and whether they are done.
enum CheckList {
    static func text(of rows: [FileRow]) -> String {
        rows.map { row in
            let title =
                row.fields[.title].map { $0.text ?? Printing.json($0) } ?? row.id?.text ?? ""
            let line = title.split(whereSeparator: \.isNewline).joined(separator: " ")
            return "- [\(row.fields[RowText.done] == .bool(true) ? "x" : " ")] \(line)\n"
        }.joined()
    }

    /// The items of all lists in a text, nested ones too; whatever is no item is left out.
    static func rows(of text: String) -> [FileRow] {
        text.numberedLines.compactMap { number, line in
            item(line.drop { $0.isWhitespace }).map { fields in
                FileRow(id: nil, fields: fields, line: number)
            }
        }
    }

    private static func item(_ line: Substring) -> Fields? {
        var rest = line
        if let first = rest.first, "-*+".contains(first) {
            rest.removeFirst()
        } else {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard !digits.isEmpty, let mark = rest.popFirst(), mark == "." || mark == ")" else {
                return nil
            }
        }
        guard rest.popFirst()?.isWhitespace == true else { return nil }
        rest = rest.drop { $0.isWhitespace }
        var fields = Fields()
        for (box, isDone) in [("[ ] ", false), ("[x] ", true), ("[X] ", true)]
        where rest.hasPrefix(box) {
            rest = rest.dropFirst(box.count)
            if isDone { fields[RowText.done] = .bool(true) }
            break
        }
        let title = String(rest).trimmed
        guard !title.isEmpty else { return nil }
        fields[.title] = .text(title)
        return fields
    }
}
