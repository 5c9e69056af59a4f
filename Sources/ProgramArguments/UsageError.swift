/// What is wrong with the command line or the environment, in a sentence that says what to do.
package struct UsageError: Error, Equatable {
    package let sentence: String
    package init(_ sentence: String) { self.sentence = sentence }
}

/// A word of the user's in quotes, fit for a terminal.
package func masked(_ word: String) -> String {
    let shown = word.unicodeScalars.prefix(80).map { scalar in
        isHidden(scalar) ? "?" : Character(scalar)
    }
    return "\"\(String(shown))\""
}

/// Control characters, and those that turn the direction of what follows.
private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
        || scalar.properties.isBidiControl
}
