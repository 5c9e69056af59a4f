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

    /// Pictures that join into one take the place of the widest; others what they add up to.
    private static func width(of character: Character) -> Int {
        let widths = character.unicodeScalars.map { Glyphs.width(of: $0) }
        return character.unicodeScalars.contains(where: joinsPictures)
            ? widths.max() ?? 0 : widths.reduce(0, +)
    }

    private static func joinsPictures(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200D}" || scalar.properties.isEmojiModifier
    }
}
