internal import CUtf8proc

/// Text in columns of a terminal: what a character takes there is not what it takes in memory.
enum Columns {
    static func width(of text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - self.width(of: text)))
    }

    /// At most `width` columns, with an ellipsis where something was left out.
    static func cut(_ text: String, to width: Int) -> String {
        guard self.width(of: text) > width else { return text }
        var kept = ""
        var taken = 0
        for character in text {
            taken += self.width(of: character)
            if taken > width - 1 { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// Scalars that join into one character take the place of the widest.
    private static func width(of character: Character) -> Int {
        character.unicodeScalars.reduce(0) {
            max($0, Int(utf8proc_charwidth(Int32(bitPattern: $1.value))))
        }
    }
}
