/// A line of a configuration file, as both programs have theirs.
///
///     # a comment, which may also stand behind a value
///     key = value
///     [section]
package enum ConfigLine: Equatable {
    /// Blank, or a comment alone.
    case empty
    case section(String)
    case entry(key: String, value: String)
    /// None of these.
    case other(String)

    package init(_ text: String) {
        let line = Self.withoutComment(text).trimmed
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if line.isEmpty {
            self = .empty
        } else if line.hasPrefix("["), line.hasSuffix("]") {
            self = .section(String(line.dropFirst().dropLast()).trimmed)
        } else if parts.count == 2 {
            self = .entry(key: String(parts[0]).trimmed, value: String(parts[1]).trimmed)
        } else {
            self = .other(line)
        }
    }

    /// A `#` begins a comment at the beginning of a line and behind a space.
    package static func withoutComment(_ line: String) -> String {
        var before: Character = " "
        for index in line.indices {
            if line[index] == "#", before.isWhitespace { return String(line[..<index]) }
            before = line[index]
        }
        return line
    }
}

/// What is wrong with a line of a configuration file.
package struct ConfigFault: Equatable {
    /// From 1.
    package let line: Int
    package let sentence: String

    package init(line: Int, sentence: String) {
        self.line = line
        self.sentence = sentence
    }

    /// That no key is spelt so, and what may have been meant.
    ///
    /// - Parameter secrets: where secrets belong, for who writes one into the file.
    package static func unknown(
        _ key: String, among keys: [String], secrets: String
    ) -> String {
        if ["token", "password", "secret"].contains(key) {
            return "secrets have no place here; \(secrets)."
        }
        let advice = suggestion(for: key, among: keys)
        return "there is no key\(spelt(key)). "
            + (advice.map { "Did you mean \($0)?" }
                ?? "There are \(keys.joined(separator: ", ")).")
    }
}

extension ConfigFault {
    /// What stands there, if it could be a key. Whoever names the file of a token or a key by
    /// mistake finds nothing of it on the screen or in a log.
    package static func spelt(_ word: String) -> String {
        let isKey =
            word.utf8.count <= 24
            && word.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            }
        return isKey ? " \(masked(word))" : ""
    }
}

extension String {
    /// Without the blanks at its ends. By scalars: a mark behind a blank joins it into one
    /// `Character`.
    package var trimmed: String {
        var text = unicodeScalars[...]
        while text.first?.properties.isWhitespace == true { text.removeFirst() }
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
