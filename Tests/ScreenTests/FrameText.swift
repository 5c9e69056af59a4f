@testable import Terminal

/// A frame as text: each line between bars, behind it how parts of it look, and where the cursor
/// is.
enum FrameText {
    static func text(of frame: Frame, _ columns: Int) -> String {
        var lines = frame.lines.map { line -> String in
            let gap = String(repeating: " ", count: max(0, columns - line.width))
            let looks = Set(line.spans.map { Self.looks(of: $0.style) }).subtracting([""]).sorted()
            return "|" + line.text + gap + "|" + looks.joined(separator: " ")
        }
        lines.append("cursor \(frame.cursor.line),\(frame.cursor.column)")
        return lines.joined(separator: "\n")
    }

    private static func looks(of style: Style) -> String {
        var text = ""
        if style.traits.contains(.bold) { text += "b" }
        if style.traits.contains(.dim) { text += "d" }
        if style.traits.contains(.reverse) { text += "r" }
        if style.traits.contains(.underline) { text += "u" }
        return text + (style.colour == .usual ? "" : "-\(style.colour)")
    }

    /// What is wrong with a frame, whatever it shows.
    static func flaws(of frame: Frame, _ columns: Int, _ lines: Int) -> [String] {
        var flaws: [String] = []
        if frame.lines.count > lines { flaws.append("\(frame.lines.count) lines of \(lines)") }
        for line in frame.lines {
            if line.width > columns { flaws.append("\(line.width) columns: \(line.text)") }
            if Glyphs.width(of: line.text) != line.width { flaws.append("width of \(line.text)") }
            if line.text.unicodeScalars.contains(where: Printing.isUnsafe) {
                flaws.append("unsafe: \(line.text)")
            }
        }
        let isInside =
            (0..<max(1, lines)).contains(frame.cursor.line)
            && (0..<max(1, columns)).contains(frame.cursor.column)
        if !isInside { flaws.append("cursor at \(frame.cursor)") }
        return flaws
    }
}
