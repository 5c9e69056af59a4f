/// What is wrong with the command line or the environment, in a sentence that says what to do.
package struct UsageError: Error, Equatable {
    package let sentence: String
    package init(_ sentence: String) { self.sentence = sentence }
}

/// A word of the user's in quotes, fit for a terminal.
package func masked(_ word: String) -> String {
    let shown = word.unicodeScalars.prefix(80).map { scalar in
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? "?" : Character(scalar)
    }
    return "\"\(String(shown))\""
}
