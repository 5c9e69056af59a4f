internal import ListModel
internal import ListProtocol

/// Spelling values for a terminal. Text comes from other people: whatever could steer a terminal or
/// turn the direction of writing is spelt as an escape (Unicode Technical Report 36, section
/// 3.7.2).
enum Printing {
    /// A value as JSON, safe on every terminal and equal to the value when it is read back.
    static func json(_ value: Value) -> String {
        let plain = String(decoding: MessageEncoder.encode(value), as: UTF8.self)
        guard plain.unicodeScalars.contains(where: isUnsafe) else { return plain }
        return plain.unicodeScalars.map { isUnsafe($0) ? escape($0) : String($0) }.joined()
    }

    /// One JSON object, its version first: `{"v":1,…}`.
    static func object(_ members: [(String, Value)]) -> String {
        let spelt = members.map { json(.text($0.0)) + ":" + json($0.1) }
        return "{" + (["\"v\":1"] + spelt).joined(separator: ",") + "}"
    }

    /// One word: quoted where it would else fall apart.
    static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && !text.unicodeScalars.contains {
                isUnsafe($0) || $0 == " " || $0 == "\"" || $0 == "="
            }
        return isPlain ? text : json(.text(text))
    }

    /// Free text with everything unsafe made visible.
    static func masked(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.map { isUnsafe($0) ? "\u{FFFD}" : String($0) }.joined()
    }

    /// The same for a text of several lines.
    static func maskedLines(_ text: String) -> String {
        text.numberedLines.map { masked($0.text) + "\n" }.joined()
    }

    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        case 0xE0000...0xE007F: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        scalar.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
