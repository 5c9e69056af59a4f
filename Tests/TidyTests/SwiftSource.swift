/// A Swift file with code, comments and texts told apart, line by line.
///
/// Texts are emptied (`"a { b"` becomes `""`), what is interpolated into them counts as code, and
/// comments leave the code altogether. A regular expression literal that holds a quote is the one
/// thing it does not see through; it recovers at the end of that line.
struct SwiftSource {
    struct Line: Equatable, Sendable {
        var code = ""
        var comment = ""
    }

    private(set) var lines = [Line()]

    private enum Place {
        /// Up to the parenthesis that ends an interpolation, at depth 0, unless outermost.
        case code(depth: Int)
        case lineComment
        case blockComment(depth: Int)
        case text(hashes: Int, quotes: Int)
    }

    private let scalars: [Unicode.Scalar]
    private var at = 0
    private var places = [Place.code(depth: 0)]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        while at < scalars.count { step() }
    }

    private mutating func step() {
        if scalars[at] == "\n" {
            endLine()
            return
        }
        switch places[places.count - 1] {
        case .code(let depth): stepInCode(depth: depth)
        case .lineComment: keepComment()
        case .blockComment(let depth): stepInBlockComment(depth: depth)
        case .text(let hashes, let quotes): stepInText(hashes: hashes, quotes: quotes)
        }
    }

    private mutating func endLine() {
        switch places[places.count - 1] {
        case .lineComment, .text(_, quotes: 1): places.removeLast()
        default: break
        }
        lines.append(Line())
        at += 1
    }

    private mutating func stepInCode(depth: Int) {
        if sees("//") {
            places.append(.lineComment)
            at += 2
        } else if sees("/*") {
            places.append(.blockComment(depth: 1))
            at += 2
        } else if let (hashes, quotes) = openingQuote() {
            places.append(.text(hashes: hashes, quotes: quotes))
            lines[lines.count - 1].code += "\""
            at += hashes + quotes
        } else if scalars[at] == ")", depth == 0, places.count > 1 {
            places.removeLast()
            keepCode()
        } else {
            if scalars[at] == "(" { places[places.count - 1] = .code(depth: depth + 1) }
            if scalars[at] == ")" { places[places.count - 1] = .code(depth: depth - 1) }
            keepCode()
        }
    }

    private mutating func stepInBlockComment(depth: Int) {
        if sees("/*") {
            places[places.count - 1] = .blockComment(depth: depth + 1)
            at += 2
        } else if sees("*/") {
            places.removeLast()
            if depth > 1 { places.append(.blockComment(depth: depth - 1)) }
            at += 2
        } else {
            keepComment()
        }
    }

    private mutating func stepInText(hashes: Int, quotes: Int) {
        let escape = "\\" + String(repeating: "#", count: hashes)
        let end = String(repeating: "\"", count: quotes) + escape.dropFirst()
        if sees(escape + "(") {
            at += hashes + 1
            keepCode()
            places.append(.code(depth: 0))
        } else if sees(escape) {
            at += hashes + 1
            if at < scalars.count, scalars[at] != "\n" { at += 1 }
        } else if sees(end) {
            places.removeLast()
            lines[lines.count - 1].code += "\""
            at += quotes + hashes
        } else {
            at += 1
        }
    }

    /// Hashes and quotes of a text that begins here.
    private func openingQuote() -> (hashes: Int, quotes: Int)? {
        var hashes = 0
        while at + hashes < scalars.count, scalars[at + hashes] == "#" { hashes += 1 }
        let quoted = at + hashes
        guard quoted < scalars.count, scalars[quoted] == "\"" else { return nil }
        let three =
            quoted + 2 < scalars.count
            && scalars[quoted + 1] == "\"" && scalars[quoted + 2] == "\""
        return (hashes, three ? 3 : 1)
    }

    private func sees(_ text: String) -> Bool {
        var index = at
        for scalar in text.unicodeScalars {
            guard index < scalars.count, scalars[index] == scalar else { return false }
            index += 1
        }
        return true
    }

    private mutating func keepCode() {
        lines[lines.count - 1].code.unicodeScalars.append(scalars[at])
        at += 1
    }

    private mutating func keepComment() {
        lines[lines.count - 1].comment.unicodeScalars.append(scalars[at])
        at += 1
    }
}
