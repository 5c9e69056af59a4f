internal import CUtf8proc
internal import Glibc

/// Text as cells of a terminal. What other people wrote must stay in its columns, whatever the
/// terminal thinks of it: a joined sequence is shown by its first scalar, what is unknown by
/// U+FFFD.
enum Glyphs {
    /// The text as it is shown: without anything that steers, joins or hides.
    static func shown(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        return composed(text).reduce(into: "") { $0 += shown($1) }
    }

    /// Letters and their marks in as few scalars as there are for them (normalisation form C).
    private static func composed(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: UnsafeMutablePointer<UInt8>?
        let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
        let count = utf8proc_map(bytes, bytes.count, &result, options)
        defer { free(result) }
        guard count >= 0, let result else { return text }
        return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }

    /// Columns of a text that `shown` made: of all its scalars, since a terminal adds them up.
    static func width(of shown: some StringProtocol) -> Int {
        shown.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : width(of: $1)) }
    }

    /// The library's word, but for vowel signs that stand beside their letter: it says 0, terminals
    /// 1.
    static func width(of scalar: Unicode.Scalar) -> Int {
        if category(scalar) == UTF8PROC_CATEGORY_MC { return 1 }
        return Int(utf8proc_charwidth(Int32(bitPattern: scalar.value)))
    }

    /// At most `width` columns of a shown text, with an ellipsis where something was left out.
    static func cut(_ shown: String, to width: Int) -> String {
        guard self.width(of: shown) > width else { return shown }
        guard width > 0 else { return "" }
        var kept = ""
        var taken = 0
        for character in shown {
            taken += self.width(of: String(character))
            if taken > width - 1 { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// Marks on one character beyond these are left out: a cell of ncurses holds no more.
    private static let mostMarks = 4

    private static func shown(_ character: Character) -> String {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, !Printing.isUnsafe(first), width(of: first) > 0,
            isKnown(first)
        else { return "\u{FFFD}" }
        var kept = String(first)
        for scalar in scalars.dropFirst().filter(joins).prefix(mostMarks) {
            kept.unicodeScalars.append(scalar)
        }
        return kept
    }

    private static func isKnown(_ scalar: Unicode.Scalar) -> Bool {
        switch category(scalar) {
        case UTF8PROC_CATEGORY_CN, UTF8PROC_CATEGORY_CO, UTF8PROC_CATEGORY_CS: false
        default: true
        }
    }

    /// Accents, vowel signs and letters that write one syllable together; not what joins pictures.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        if (0xFE00...0xFE0F).contains(scalar.value) || scalar.value >= 0xE0100 { return false }
        switch category(scalar) {
        case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME, UTF8PROC_CATEGORY_MC,
            UTF8PROC_CATEGORY_LO:
            return true
        default: return false
        }
    }

    private static func category(_ scalar: Unicode.Scalar) -> utf8proc_category_t {
        utf8proc_category(Int32(bitPattern: scalar.value))
    }
}
