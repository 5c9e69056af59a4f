internal import ListModel

/// Words as one pastes them into a POSIX shell.
enum ShellQuoting {
    static func quoted(_ text: String) -> String {
        let plain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "_-./:,=+@%".utf8.contains(byte)
            }
        }
        if plain, !text.isEmpty { return text }
        return "'"
            + Printing.masked(text).split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }

    /// A change of fields, as words behind `set`.
    static func quoted(_ fields: Fields) -> String {
        fields.pairs.map { pair in
            quoted(Printing.word(pair.name.text) + "=" + Tokens.spelling(of: pair.value))
        }.joined(separator: " ")
    }
}
