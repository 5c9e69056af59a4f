internal import ListModel

/// A row's fields as a text that people edit, and back: `NAME = VALUE` a line, as in the
/// configuration.
///
/// ```
/// title = Order cable
/// cups = 2
/// note =
///     a text of several lines,
///     each behind four spaces
/// # what follows is no part of it
/// ```
/// A value is JSON where it is JSON, else plain text; a title is text, and JSON only within quotes.
/// What could steer an editor, and what would not come back as it was, is spelt as JSON.
enum RowFile {
    struct Fault: Error, Equatable {
        let line: Int
        let sentence: String
    }

    /// - Parameter heading: what row it is.
    static func text(of fields: Fields, heading: String) -> String {
        (lines(of: fields) + notes(heading)).joined(separator: "\n")
    }

    /// The title first.
    static func lines(of fields: Fields) -> [String] {
        let title = fields.pairs.filter { $0.name == .title }
        let rest = fields.pairs.filter { $0.name != .title }
        return (title + rest).flatMap(spelling)
    }

    private static func notes(_ heading: String) -> [String] {
        [
            "", "# \(Printing.masked(heading))",
            "# NAME = VALUE, where VALUE is JSON (2, true, \"…\") or plain text; a text of",
            "# several lines stands below NAME =, each behind four spaces. A field whose",
            "# line goes is removed. Nothing changes if nothing is left but this.",
        ]
    }

    private static let indent = "    "

    private static func spelling(of pair: Fields.Pair) -> [String] {
        let name = spelling(of: pair.name)
        if let text = pair.value.text, isBlock(text) {
            return ["\(name) ="] + split(text).map { $0.isEmpty ? "" : indent + $0 }
        }
        return ["\(name) = \(spelling(of: pair.value, in: pair.name))"]
    }

    /// A text that keeps its lines, and comes back as it was.
    private static func isBlock(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard scalars.contains("\n"), scalars.first != "\n", scalars.last != "\n" else {
            return false
        }
        let isSafe = !scalars.contains { $0 != "\n" && $0 != "\t" && Printing.isUnsafe($0) }
        return isSafe && split(text).allSatisfy { $0.isEmpty || !isBlank($0) }
    }

    private static func spelling(of name: FieldName) -> String {
        let text = name.text
        let isPlain =
            isTrimmed(text) && !["\"", "#"].contains(text.unicodeScalars.first)
            && !text.unicodeScalars.contains { $0 == "=" || Printing.isUnsafe($0) }
        return isPlain ? text : Printing.json(.text(text))
    }

    private static func spelling(of value: Value, in name: FieldName) -> String {
        guard let text = value.text, isTrimmed(text), !text.isEmpty,
            !text.unicodeScalars.contains(where: Printing.isUnsafe),
            self.value(text, of: name) == value
        else { return Printing.json(value) }
        return text
    }

    private static func value(_ text: String, of name: FieldName) -> Value {
        let value = Tokens.value(text)
        return name == .title && value.text == nil ? .text(text) : value
    }

    /// The fields of an edited text; an emptied one is null, save that a title becomes empty. No
    /// fields at all: nobody wrote any.
    static func fields(in text: String) throws(Fault) -> Fields {
        var reader = Reader()
        for (index, line) in split(text).enumerated() {
            var scalars = line.unicodeScalars
            if scalars.last == "\r" { scalars.removeLast() }
            if index == 0, scalars.first == "\u{FEFF}" { scalars.removeFirst() }
            try reader.read(String(scalars), index + 1)
        }
        reader.endBlock()
        return reader.fields
    }

    // By scalars throughout: a mark that stands behind a blank joins it into one `Character`.

    private static func isTrimmed(_ text: String) -> Bool {
        let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
        return !ends.contains { $0?.properties.isWhitespace == true }
    }

    private static func isBlank(_ line: String) -> Bool {
        line.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    /// At line feeds alone; whatever else Unicode takes for the end of a line is part of one.
    private static func split(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) }
    }

    private struct Reader {
        var fields = Fields()
        private var names: Set<FieldName> = []
        /// The field whose lines may follow, and those that did.
        private var open: (name: FieldName, lines: [String])?

        mutating func read(_ line: String, _ number: Int) throws(Fault) {
            let first = line.unicodeScalars.first
            if RowFile.isBlank(line) {
                open?.lines.append("")
            } else if first == " " || first == "\t" {
                guard open != nil else {
                    throw Fault(
                        line: number,
                        sentence: "stands below no NAME =, as lines behind spaces do")
                }
                open?.lines.append(Self.withoutIndent(line))
            } else if first != "#" {
                endBlock()
                try readField(line, number)
            }
        }

        private mutating func readField(_ line: String, _ number: Int) throws(Fault) {
            guard let (name, text) = Self.name(in: line) else {
                throw Fault(line: number, sentence: "is no NAME = VALUE")
            }
            guard names.insert(name).inserted else {
                throw Fault(
                    line: number, sentence: "has the field \(Printing.masked(name.text)) again")
            }
            if text.isEmpty {
                open = (name, [])
            } else {
                fields[name] = RowFile.value(text, of: name)
            }
        }

        mutating func endBlock() {
            guard let (name, all) = open else { return }
            open = nil
            var lines = all
            while lines.last == "" { lines.removeLast() }
            if lines.isEmpty {
                fields[name] = name == .title ? .text("") : .null
            } else {
                fields[name] = .text(lines.joined(separator: "\n"))
            }
        }

        /// Four spaces, fewer where there are no more, or a tab.
        private static func withoutIndent(_ line: String) -> String {
            if line.unicodeScalars.first == "\t" { return String(line.unicodeScalars.dropFirst()) }
            let spaces = line.unicodeScalars.prefix(4).prefix { $0 == " " }.count
            return String(line.unicodeScalars.dropFirst(spaces))
        }

        /// A line up to its equals sign, which a quoted name may hold as well.
        private static func name(in line: String) -> (FieldName, String)? {
            let scalars = Array(line.unicodeScalars)
            var isQuoted = false
            var isEscaped = false
            for (index, scalar) in scalars.enumerated() {
                if isEscaped {
                    isEscaped = false
                } else if isQuoted, scalar == "\\" {
                    isEscaped = true
                } else if scalar == "\"", scalars[0] == "\"" {
                    isQuoted.toggle()
                } else if scalar == "=", !isQuoted {
                    let name = FieldName(Tokens.text(Self.text(scalars[..<index])))
                    return name.map { ($0, Self.text(scalars[(index + 1)...])) }
                }
            }
            return nil
        }

        private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
            String(String.UnicodeScalarView(scalars)).trimmed
        }
    }
}

extension RowFile {
    /// What somebody changed between two texts; a field that is no more is null.
    static func changes(from old: String, to new: String) throws(Fault) -> Fields {
        let after = try fields(in: new)
        guard !after.isEmpty, let before = try? fields(in: old) else { return Fields() }
        var changes = Fields()
        for name in Set(before.names + after.names) {
            let value = after[name] ?? .null
            if before[name] ?? .null != value { changes[name] = value }
        }
        return changes
    }
}
