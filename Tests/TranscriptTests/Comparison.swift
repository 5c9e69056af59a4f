import ListModel

@testable import Terminal

/// How a line of a transcript is compared with what a shell printed: word by word, values as JSON.
enum Comparison {
    enum Word: Equatable {
        case plain(String)
        case assignment(String, Value)
    }

    static func words(_ line: String) -> [String] { Tokens.split(line) ?? [line] }

    static func word(_ text: String) -> Word {
        guard let equals = text.firstIndex(of: "=") else { return .plain(text) }
        return .assignment(
            String(text[..<equals]), Tokens.value(text[text.index(after: equals)...]))
    }

    /// Whether `actual` begins with what is expected.
    static func holds(_ expected: String, _ actual: String) -> Bool {
        let expected = words(expected).map(word)
        return Array(words(actual).map(word).prefix(expected.count)) == expected
    }
}

func demandOK(_ answer: String, _ what: String) throws {
    guard answer.hasPrefix("ok") else { throw Broken("\(what) answered `\(answer)`") }
}

/// A line of a transcript does not hold.
struct Broken: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
