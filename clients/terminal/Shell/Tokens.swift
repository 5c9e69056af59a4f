internal import ListModel
internal import ListProtocol

/// A command line cut into words: at spaces, save within double quotes, which a backslash escapes.
/// By scalars throughout: a mark behind a quote joins it into one `Character`, and it is a quote
/// still.
enum Tokens {
    /// `nil`: a quote is not closed.
    static func split(_ line: some StringProtocol) -> [String]? {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var isQuoted = false
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\", isQuoted {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar.properties.isWhitespace, !isQuoted {
                if !word.isEmpty { words.append(String(word)) }
                word = String.UnicodeScalarView()
                continue
            }
            word.append(scalar)
        }
        if !word.isEmpty { words.append(String(word)) }
        return isQuoted ? nil : words
    }

    /// JSON where it is JSON, else plain text; quotes around the whole of it only keep it together.
    static func value(_ text: some StringProtocol) -> Value {
        if text.utf8.first.map(mayBeginJSON) == true,
            let value = try? MessageDecoder(limits: Limits()).decodeValue(Array(text.utf8))
        {
            return value
        }
        return .text(unquoted(text) ?? String(text))
    }

    /// Most words are plain text, and a decoder costs more than a look at them.
    private static func mayBeginJSON(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: true
        default: "{[\"-0123456789tfn".utf8.contains(byte)
        }
    }

    /// What is within double quotes that end where the text ends; a backslash escapes only a quote
    /// and itself.
    private static func unquoted(_ text: some StringProtocol) -> String? {
        guard text.unicodeScalars.first == "\"" else { return nil }
        var inner = String.UnicodeScalarView()
        var isEscaped = false
        var isClosed = false
        for scalar in text.unicodeScalars.dropFirst() {
            if isClosed { return nil }
            if isEscaped {
                if scalar != "\"", scalar != "\\" { inner.append("\\") }
                inner.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isClosed = true
            } else {
                inner.append(scalar)
            }
        }
        return isClosed ? String(inner) : nil
    }

    /// A word that may be quoted as a whole.
    static func text(_ word: String) -> String {
        guard word.unicodeScalars.first == "\"", case .text(let text) = value(word) else {
            return word
        }
        return text
    }

    /// `FIELD=VALUE`; `nil` where it is none.
    static func assignment(_ word: String) -> (FieldName, Value)? {
        let scalars = word.unicodeScalars
        guard let equals = scalars.firstIndex(of: "="),
            let name = FieldName(text(String(scalars[..<equals])))
        else { return nil }
        return (name, value(String(scalars[scalars.index(after: equals)...])))
    }
}

extension Tokens {
    /// What `value` reads back as the same value: plain text where that will do, else JSON.
    static func spelling(of value: Value) -> String {
        guard let text = plain(value), !text.unicodeScalars.contains(where: Printing.isUnsafe)
        else {
            return Printing.json(value)
        }
        return text
    }

    /// The text of a value which reads back from it.
    static func plain(_ value: Value) -> String? {
        guard let text = value.text, !text.isEmpty, self.value(text) == value else { return nil }
        return text
    }
}
