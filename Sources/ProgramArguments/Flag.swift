/// A flag that a program knows.
package struct Flag: Hashable, Sendable {
    package let name: String
    package let letter: Character?
    /// What its value is called in the help; `nil`: it takes none.
    package let value: String?
    /// What it does, for the help.
    package let summary: String

    package init(
        _ name: String, letter: Character? = nil, value: String? = nil, summary: String = ""
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.summary = summary
    }

    package static let help = Flag("help", letter: "h", summary: "this text, or that of a verb")
    package static let version = Flag("version", summary: "the version")
}
