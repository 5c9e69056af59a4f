internal import ListModel

/// RFC 4180: a line of names, then a row a line, quoted where a comma, a quote or a line end is
/// inside. Values are spelt as on the command line: plain text where that reads back as the same,
/// else JSON.
enum CommaSeparated {
    static func text(of rows: [FileRow]) -> String {
        let names = columns(of: rows)
        var text = (["id"] + names.map { quoted($0.text) }).joined(separator: ",") + "\r\n"
        for row in rows {
            let cells = names.map { name in
                row.fields[name].map { quoted(Tokens.plain($0) ?? Printing.json($0)) } ?? ""
            }
            text += ([quoted(row.id?.text ?? "")] + cells).joined(separator: ",") + "\r\n"
        }
        return text
    }

    /// Title and done first, the others by name.
    private static func columns(of rows: [FileRow]) -> [FieldName] {
        let names = rows.reduce(into: Set<FieldName>()) { $0.formUnion($1.fields.names) }
        let first = [FieldName.title, RowText.done].filter(names.contains)
        return first + names.subtracting(first).sorted()
    }

    private static func quoted(_ cell: String) -> String {
        let special = cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        let blank = cell.first?.isWhitespace == true || cell.last?.isWhitespace == true
        guard special || blank else { return cell }
        return "\""
            + cell.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }

    static func rows(of text: String) throws(MalformedLine) -> [FileRow] {
        var records = try CommaSeparatedReader.records(of: text)[...]
        guard let header = records.popFirst() else { return [] }
        let id = header.cells.firstIndex(of: "id")
        var names: [FieldName?] = []
        for (column, cell) in header.cells.enumerated() {
            guard column == id || FieldName(cell) != nil else {
                throw MalformedLine(
                    line: header.line, sentence: "column \(column + 1) has no name of a field")
            }
            names.append(column == id ? nil : FieldName(cell))
        }
        var rows: [FileRow] = []
        // Tables leave lines behind that are empty in every cell.
        for record in records where !record.cells.allSatisfy(\.isEmpty) {
            guard record.cells.count == names.count else {
                throw MalformedLine(
                    line: record.line,
                    sentence: "it has \(record.cells.count) cells, the first line \(names.count)")
            }
            rows.append(try row(record, names, id))
        }
        return rows
    }

    private static func row(
        _ record: CommaSeparatedReader.Record, _ names: [FieldName?], _ idColumn: Int?
    ) throws(MalformedLine) -> FileRow {
        var row = FileRow(id: nil, fields: Fields(), line: record.line)
        for (column, cell) in record.cells.enumerated() where !cell.isEmpty {
            if column == idColumn {
                guard let id = ElementID(cell) else {
                    throw MalformedLine(
                        line: record.line,
                        sentence: "its id is not 1-64 printable characters without spaces")
                }
                row.id = id
            } else if let name = names[column] {
                let value = Tokens.value(cell)
                if value != .null { row.fields[name] = value }
            }
        }
        return row
    }
}
