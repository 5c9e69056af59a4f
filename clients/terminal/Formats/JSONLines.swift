internal import ListModel
internal import ListProtocol

/// A row a line as JSON. Reads back exactly what it wrote.
enum JSONLines {
    static func text(of rows: [FileRow]) -> String {
        var text = ""
        for row in rows {
            text += "{"
            if let id = row.id { text += "\"id\":" + Printing.json(.text(id.text)) + "," }
            text += "\"fields\":" + fields(row.fields) + "}\n"
        }
        return text
    }

    /// Not through a dictionary, which would take two spellings of one accented name for the same.
    private static func fields(_ fields: Fields) -> String {
        let members = fields.pairs.map {
            Printing.json(.text($0.name.text)) + ":" + Printing.json($0.value)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// Also takes objects without `fields`: their other members are the fields, as other programs
    /// write.
    static func rows(of text: String) throws(MalformedLine) -> [FileRow] {
        let decoder = MessageDecoder(limits: Limits())
        var rows: [FileRow] = []
        for (number, line) in text.numberedLines where !line.allSatisfy(\.isWhitespace) {
            let value: Value
            do throws(DecodingFault) {
                value = try decoder.decodeValue(Array(line.utf8))
            } catch {
                throw MalformedLine(line: number, sentence: "it \(error.problem)")
            }
            guard case .object(let members) = value else {
                throw MalformedLine(line: number, sentence: "it is no JSON object")
            }
            rows.append(try row(members, number))
        }
        return rows
    }

    private static func row(
        _ members: [String: Value], _ line: Int
    ) throws(MalformedLine) -> FileRow {
        var members = members
        members["v"] = nil
        var row = FileRow(id: nil, fields: Fields(), line: line)
        if let value = members.removeValue(forKey: "id") {
            guard let id = value.text.flatMap(ElementID.init) else {
                throw MalformedLine(
                    line: line, sentence: "its id is not 1-64 printable characters without spaces")
            }
            row.id = id
        }
        if case .object(let fields)? = members["fields"] { members = fields }
        for (name, value) in members where value != .null {
            guard let field = FieldName(name) else {
                throw MalformedLine(
                    line: line, sentence: "a field's name is not 1-64 bytes without controls")
            }
            row.fields[field] = value
        }
        return row
    }
}
