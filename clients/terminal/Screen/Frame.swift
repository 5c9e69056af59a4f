/// Columns and lines of a screen.
struct ScreenSize: Equatable, Sendable {
    var columns: Int
    var lines: Int

    /// Below it there is no room to work.
    static let least = ScreenSize(columns: 20, lines: 5)

    var isTooSmall: Bool { columns < Self.least.columns || lines < Self.least.lines }
}

/// How cells look. Colour says nothing that is not said in text as well.
struct Style: Equatable, Sendable {
    var traits: Traits = []
    var colour = Colour.usual

    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8
        static let bold = Traits(rawValue: 1)
        static let dim = Traits(rawValue: 2)
        static let reverse = Traits(rawValue: 4)
        static let underline = Traits(rawValue: 8)
    }

    /// By their numbers on terminals. Those that can be read on light and dark: yellow, green and
    /// cyan are pale on white, and blue is dark on black.
    enum Colour: Int16, Sendable {
        case usual = 0
        case red = 1
        case magenta = 5
    }

    static let plain = Style()
    static let bold = Style(traits: .bold)
    static let dim = Style(traits: .dim)
    static let reverse = Style(traits: .reverse)
    static let warning = Style(traits: .bold, colour: .red)

    func with(_ traits: Traits) -> Style {
        Style(traits: self.traits.union(traits), colour: colour)
    }
}

/// One line of a screen: spans of text that look alike, safe to be shown.
struct FrameLine: Equatable, Sendable {
    struct Span: Equatable, Sendable {
        var text: String
        var style: Style
    }

    private(set) var spans: [Span] = []
    private(set) var width = 0

    init() {}

    init(_ text: String, _ style: Style = .plain) { add(text, style) }

    /// The one way in: whatever text is, here it becomes what may be shown.
    mutating func add(_ text: String, _ style: Style = .plain) {
        add(shown: Glyphs.shown(text), style)
    }

    private mutating func add(shown: String, _ style: Style) {
        guard !shown.isEmpty else { return }
        width += Glyphs.width(of: shown)
        if spans.last?.style == style {
            spans[spans.count - 1].text += shown
        } else {
            spans.append(Span(text: shown, style: style))
        }
    }

    mutating func add(_ line: FrameLine) {
        for span in line.spans { add(shown: span.text, span.style) }
    }

    /// Blanks up to a column.
    mutating func pad(to column: Int, _ style: Style = .plain) {
        add(shown: String(repeating: " ", count: max(0, column - width)), style)
    }

    /// At most `width` columns, with an ellipsis where something was left out.
    func cut(to width: Int) -> FrameLine {
        guard self.width > width else { return self }
        var kept = FrameLine()
        for span in spans {
            let left = width - kept.width
            if left <= 0 { break }
            let isLast = kept.width + Glyphs.width(of: span.text) >= width
            let text = isLast ? Glyphs.cut(span.text + " ", to: left) : span.text
            kept.add(shown: text, span.style)
        }
        return kept
    }

    /// All of it in another style besides its own.
    func with(_ traits: Style.Traits) -> FrameLine {
        var line = self
        for index in line.spans.indices {
            line.spans[index].style = line.spans[index].style.with(traits)
        }
        return line
    }

    var text: String { spans.map(\.text).joined() }
}

/// All that is to be seen at a time.
struct Frame: Equatable, Sendable {
    var lines: [FrameLine]
    /// Where the terminal's own cursor stands: on the selected row, or in the text being typed.
    var cursor: Position

    struct Position: Equatable, Sendable {
        var line: Int
        var column: Int
    }
}

extension FrameLine {
    /// Words in lines of a width, the later ones behind an indent; a word that is longer than a
    /// line is cut into several.
    static func wrapped(
        _ text: String, _ width: Int, first: String = "", indent: String = "",
        _ style: Style = .plain
    ) -> [FrameLine] {
        var lines: [String] = []
        var line = ""
        var room: Int { max(1, width - (lines.isEmpty ? first.count : indent.count)) }
        for word in Glyphs.shown(text).split(separator: " ") {
            for piece in Glyphs.width(of: word) > room ? pieces(of: word, room) : [String(word)] {
                let joined = line.isEmpty ? piece : line + " " + piece
                if Glyphs.width(of: joined) <= room {
                    line = joined
                } else {
                    if !line.isEmpty { lines.append(line) }
                    line = piece
                }
            }
        }
        lines.append(line)
        return lines.enumerated().map { number, line in
            var result = FrameLine(number == 0 ? first : indent, style)
            result.add(shown: line, style)
            return result.cut(to: width)
        }
    }

    private static func pieces(of word: Substring, _ room: Int) -> [String] {
        var pieces = [""]
        for character in word {
            let piece = pieces[pieces.count - 1] + String(character)
            if Glyphs.width(of: piece) <= room || pieces[pieces.count - 1].isEmpty {
                pieces[pieces.count - 1] = piece
            } else {
                pieces.append(String(character))
            }
        }
        return pieces
    }
}
