/// A line of text being typed, with its cursor.
struct LineField: Equatable, Sendable {
    private(set) var characters: [Character]
    private(set) var cursor: Int

    init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }

    /// False: the key has no meaning in a line of text.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .text(let text): insert(text)
        case .paste(let text): insert(Self.oneLine(text))
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .backspace, .control("h"):
            if cursor > 0 { remove(cursor - 1..<cursor) }
        case .delete, .control("d"):
            if cursor < characters.count { remove(cursor..<cursor + 1) }
        case .control("u"): remove(0..<cursor)
        case .control("k"): remove(cursor..<characters.count)
        case .control("w"): remove(wordStart..<cursor)
        default: return false
        }
        return true
    }

    /// Another text in place of this one: it was changed elsewhere.
    mutating func follow(_ text: String) {
        let wasAtEnd = cursor == characters.count
        characters = Array(text)
        cursor = wasAtEnd ? characters.count : min(cursor, characters.count)
    }

    /// What of it fits into `width` columns with its cursor, and where the cursor stands there.
    func shown(width: Int) -> (text: String, column: Int) {
        let cells = characters.map { Glyphs.shown(String($0)) }
        var start = 0
        var column = cells[..<cursor].reduce(0) { $0 + Glyphs.width(of: $1) }
        while column > width - 1, start < cursor {
            column -= Glyphs.width(of: cells[start])
            start += 1
        }
        var text = ""
        var taken = 0
        for cell in cells[start...] {
            taken += Glyphs.width(of: cell)
            if taken > width { break }
            text += cell
        }
        return (text, column)
    }

    private var wordStart: Int {
        var start = cursor
        while start > 0, characters[start - 1] == " " { start -= 1 }
        while start > 0, characters[start - 1] != " " { start -= 1 }
        return start
    }

    /// What is typed may join with what stands before it.
    private mutating func insert(_ text: String) {
        let before = String(characters[..<cursor]) + text
        let after = String(characters[cursor...])
        characters = Array(before + after)
        cursor = min(characters.count, before.count)
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    /// Pasted lines become one: a line break would end the typing.
    private static func oneLine(_ text: String) -> String {
        var lines = text.split(whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: " ")
    }
}
