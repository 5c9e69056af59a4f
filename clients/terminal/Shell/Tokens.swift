internal import ListModel
internal import ListProtocol

/// A command line cut into words: at spaces, save within double quotes, which a backslash escapes.
enum Tokens {
    /// `nil`: a quote is not closed.
    static func split(_ line: some StringProtocol) -> [String]? {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        var isEscaped = false
        for character in line {
            if isEscaped {
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character.isWhitespace, !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        return isQuoted ? nil : words
    }

    /// JSON where it is JSON, else plain text.
    static func value(_ text: some StringProtocol) -> Value {
        let bytes = Array(text.utf8)
        if let value = try? MessageDecoder(limits: Limits()).decodeValue(bytes) { return value }
        return .text(String(text))
    }

    /// A word that may be quoted as a whole.
    static func text(_ word: String) -> String {
        guard word.hasPrefix("\""), case .text(let text) = value(word) else { return word }
        return text
    }

    /// `FIELD=VALUE`; `nil` where it is none.
    static func assignment(_ word: String) -> (FieldName, Value)? {
        guard let equals = word.firstIndex(of: "="),
            let name = FieldName(text(String(word[..<equals])))
        else { return nil }
        return (name, value(word[word.index(after: equals)...]))
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
