internal import ListModel

/// How a whole list stands in a file.
enum FileFormat: String, CaseIterable, Sendable {
    /// One row a line as JSON, `{"id":"k7","fields":{…}}`: everything, exactly.
    case jsonl
    /// A line of field names, then a row a line (RFC 4180): everything, exactly.
    case csv
    /// A check list, `- [x] Title`: titles and whether they are done.
    case markdown

    /// By the end of a file's name; `nil` where it tells nothing.
    init?(fileName: String) {
        switch fileName.split(separator: ".").last?.lowercased() {
        case "jsonl", "ndjson", "json": self = .jsonl
        case "csv": self = .csv
        case "md", "markdown": self = .markdown
        default: return nil
        }
    }

    func text(of rows: [FileRow]) -> String {
        switch self {
        case .jsonl: JSONLines.text(of: rows)
        case .csv: CommaSeparated.text(of: rows)
        case .markdown: CheckList.text(of: rows)
        }
    }

    /// The rows of a text, each with the line where it began. Throws where a line cannot be read.
    func rows(of text: String) throws(MalformedLine) -> [FileRow] {
        switch self {
        case .jsonl: try JSONLines.rows(of: text)
        case .csv: try CommaSeparated.rows(of: text)
        case .markdown: CheckList.rows(of: text)
        }
    }
}

/// A row as a file has it.
struct FileRow: Equatable {
    /// `nil`: the file leaves it to us.
    var id: ElementID?
    var fields: Fields
    /// Where it begins, from 1; 0: in no file.
    var line = 0

    static func == (left: FileRow, right: FileRow) -> Bool {
        left.id == right.id && left.fields == right.fields
    }
}

/// A line that is no row, and why.
struct MalformedLine: Error, Equatable {
    let line: Int
    let sentence: String
}

extension String {
    /// Lines with their numbers from 1, whatever their ends; the empty last one is none.
    var numberedLines: [(number: Int, text: String)] {
        // By bytes: a line end of two characters is one `Character`.
        var lines = utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.enumerated().map { index, line in
            (index + 1, String(line.last == UInt8(ascii: "\r") ? line.dropLast() : line) ?? "")
        }
    }
}
