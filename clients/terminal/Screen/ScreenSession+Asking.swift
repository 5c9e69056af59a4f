internal import ListModel
internal import ListReplica
internal import ProgramArguments

/// Searching, filtering, and being sure.
extension ScreenSession {
    func answer(_ question: Question, _ key: Key, _ now: Timestamp) {
        var question = question
        switch key {
        case .escape: go(to: .browsing)
        case .enter:
            go(to: .browsing)
            switch question.kind {
            case .search:
                if !question.field.isEmpty { pattern = question.field.text }
                search(forward: true)
            case .filter: filter(by: question.field.text)
            }
        default:
            if question.field.handle(key) { mode = .asking(question) }
        }
    }

    /// To the next row that contains the pattern, beginning anew at the other end.
    func search(forward: Bool) {
        guard !pattern.isEmpty else { return say("Nothing is searched for yet: / asks.", .trouble) }
        let filter = Filter(text: pattern)
        let count = rowCount
        let start = cursorKey.flatMap { index(of: $0) } ?? 0
        for step in stride(from: 1, through: count, by: 1) {
            let index = ((start + (forward ? step : -step)) % count + count) % count
            guard case .element(let id)? = row(at: index), let element = rows[id],
                filter.admits(element)
            else { continue }
            if forward ? index <= start : index >= start {
                say(index == start ? "No other row has it." : "Begun anew at the other end.", .news)
            }
            return select(index)
        }
        say("No row contains \"\(pattern)\".", .trouble)
    }

    /// The filter as it is typed again.
    var filterText: String {
        guard let filter = replica?.view?.filter else { return "" }
        let fields = filter.fields.pairs.map {
            Printing.word($0.name.text) + "=" + Tokens.spelling(of: $0.value)
        }
        return ([filter.text] + fields).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func filter(by text: String) {
        do throws(UsageFault) {
            guard case .filter(let filter, _)? = try ShellParser.parse("filter " + text) else {
                return
            }
            replica?.show(filter.isEmpty ? nil : View(filter, pins: true, of: rows))
            stepOffIfGone()
        } catch {
            say(error.sentence, .trouble)
        }
    }

    /// The key that does it is another one than the key that asked.
    func confirm(_ ids: [ElementID], _ key: Key, _ now: Timestamp) {
        go(to: .browsing)
        guard case .text("y") = key else { return say("Nothing was deleted.", .done) }
        deleteNow(ids, now)
    }
}

/// Pages of text.
extension ScreenSession {
    /// Lines that fit; a long one goes on behind an indent. O(1) while text and width stay.
    func wrapped(_ text: [String], _ width: Int) -> [FrameLine] {
        if let wrapped, wrapped.width == width, wrapped.text == text { return wrapped.lines }
        let lines = text.flatMap { text in
            let line = FrameLine(" " + text)
            return line.width <= width
                ? [line] : FrameLine.wrapped(text, width, first: " ", indent: "     ")
        }
        wrapped = (text, width, lines)
        return lines
    }

    func read(_ reading: Reading, _ key: Key) {
        var reading = reading
        let page = max(1, scroll.height)
        let last = max(0, scroll.textLines - page)
        switch key {
        case .text("j"), .down: reading.top += 1
        case .text("k"), .up: reading.top -= 1
        case .text(" "), .pageDown, .control("f"): reading.top += page
        case .pageUp, .control("b"): reading.top -= page
        case .control("d"): reading.top += page / 2
        case .control("u"): reading.top -= page / 2
        case .text("g"), .home: reading.top = 0
        case .text("G"), .end: reading.top = last
        case .escape, .enter, .text("q"), .text("?"), .text("H"): return go(to: .browsing)
        default: return
        }
        reading.top = max(0, min(reading.top, last))
        mode = .reading(reading)
    }
}
