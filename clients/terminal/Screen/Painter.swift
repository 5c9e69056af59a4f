internal import ListModel
internal import ListReplica

/// Draws a session into a frame of a size.
///
/// ```
/// header: list, open rows, who is here, online or not
/// rows
/// panel: what the mode has to show or to ask
/// notice
/// keys, or the line being asked for
/// ```
struct Painter {
    let session: ScreenSession
    let size: ScreenSize
    let now: Timestamp

    var width: Int { size.columns }

    func frame() -> Frame {
        guard !size.isTooSmall else { return tooSmall }
        let panel = panel()
        if case .reading(let reading) = session.mode { return page(reading) }
        let body = size.lines - 3
        if panel.lines.count < body { return whole(panel, rows: body - panel.lines.count) }
        return crowded(panel)
    }

    private var tooSmall: Frame {
        guard size.columns > 0, size.lines > 0 else {
            return Frame(lines: [], cursor: Frame.Position(line: 0, column: 0))
        }
        var lines = FrameLine.wrapped("too small", width).map { $0.cut(to: width) }
        lines = Array(lines.prefix(size.lines))
        return Frame(lines: lines, cursor: Frame.Position(line: 0, column: 0))
    }

    private func whole(_ panel: Panel, rows: Int) -> Frame {
        var frame = Frame(lines: [header], cursor: Frame.Position(line: 1, column: 0))
        let notice = noticeLines
        // What is longer still takes of the rows, and leaves three.
        let more = min(max(0, notice.count - 2), max(0, rows - 3))
        paintRows(rows - more, into: &frame)
        place(panel, into: &frame)
        frame.lines.append(contentsOf: notice.prefix(1 + more))
        var bottom = bottomLine
        if notice.count > 1 + more, bottom.cursor == nil { bottom.line = notice[1 + more] }
        if let column = bottom.cursor {
            frame.cursor = Frame.Position(line: frame.lines.count, column: column)
        }
        frame.lines.append(bottom.line)
        return frame
    }

    private func place(_ panel: Panel, into frame: inout Frame) {
        if let cursor = panel.cursor {
            frame.cursor = Frame.Position(
                line: frame.lines.count + cursor.line, column: cursor.column)
        }
        frame.lines.append(contentsOf: panel.lines.map { $0.cut(to: width) })
    }

    /// A panel that leaves no room: it is what matters, and its last lines say what can be done.
    private func crowded(_ panel: Panel) -> Frame {
        var frame = Frame(lines: [], cursor: Frame.Position(line: 0, column: 0))
        let room = size.lines
        if panel.lines.count < room { frame.lines.append(header) }
        var panel = panel
        let left = room - frame.lines.count - panel.lines.count
        if left > 1 {
            paintRows(left - 1, into: &frame)
        } else if left < 0 {
            let last = (panel.cursor?.line ?? 0) + 1
            let from = max(0, last - (room - panel.choices))
            let kept = panel.lines[from...].prefix(max(0, room - panel.choices))
            panel.lines = Array(kept) + panel.lines.suffix(min(panel.choices, room))
            panel.cursor?.line -= from
        }
        place(panel, into: &frame)
        if left > 0 { frame.lines.append(noticeLines[0]) }
        return frame
    }

    private func page(_ reading: Reading) -> Frame {
        let room = size.lines - 2
        let text = session.wrapped(reading.lines, width)
        session.scroll.read(room, of: text.count)
        var lines = [FrameLine(" " + reading.title).cut(to: width)]
        lines[0].pad(to: width)
        lines[0] = lines[0].with(.reverse)
        lines += text.dropFirst(min(reading.top, max(0, text.count - room))).prefix(room)
        while lines.count < size.lines - 1 { lines.append(FrameLine()) }
        lines.append(keyLine([("j k", "scroll"), ("Esc", "back")]))
        return Frame(lines: lines, cursor: Frame.Position(line: size.lines - 1, column: 0))
    }

    /// A long notice goes on in the line of the keys.
    var noticeLines: [FrameLine] {
        guard let notice = session.notice ?? session.standingTrouble else { return [FrameLine()] }
        let style: Style =
            switch notice.kind {
            case .news: .plain
            case .done: .bold
            case .trouble: .warning
            }
        let line = FrameLine((notice.kind == .trouble ? "!" : " ") + notice.text, style)
        guard line.width > width else { return [line] }
        let mark = notice.kind == .trouble ? "!" : " "
        return FrameLine.wrapped(notice.text, width, first: mark, indent: " ", style)
    }

    /// As many keys as there is room for.
    func keyLine(_ keys: [(String, String)]) -> FrameLine {
        var line = FrameLine()
        for (key, deed) in keys {
            let isFirst = line.width == 0
            guard line.width + (isFirst ? 1 : 3) + key.count + 1 + deed.count <= width else {
                break
            }
            line.add(isFirst ? " " : "   ")
            line.add(key, .bold)
            line.add(" " + deed, .dim)
        }
        return line
    }

    private var bottomLine: (line: FrameLine, cursor: Int?) {
        switch session.mode {
        case .asking(let question):
            let prompt = question.kind == .search ? "/" : "filter: "
            let (text, column) = question.field.shown(width: width - prompt.count - 1)
            return (FrameLine(prompt + text), prompt.count + column)
        case .confirming(let ids):
            let text = "Delete \(session.counted(ids.count, "row"))? y deletes, other keys do not"
            return (FrameLine(text, .warning).cut(to: width), nil)
        case .writing(let writing) where writing.ahead != nil:
            let text = " Your last change is on its way; this waits for it.   Esc back"
            return (FrameLine(text, .dim).cut(to: width), nil)
        case .writing(let writing):
            let tab = ("Tab", writing.isForm ? "next field" : "all fields")
            return (keyLine([("Enter", "save"), tab, ("Esc", "back")]), nil)
        case .adding: return (keyLine([("Enter", "add"), ("Esc", "back")]), nil)
        case .outside: return (FrameLine(" Your editor has the terminal.").cut(to: width), nil)
        case .vanished, .conflict: return (FrameLine(), nil)
        case .browsing, .reading:
            return (
                keyLine([
                    ("?", "keys"), ("a", "add"), ("e", "edit"), ("Space", "done"), ("d", "delete"),
                    ("u", "undo"), ("/", "search"), ("q", "quit"),
                ]), nil
            )
        }
    }
}

/// What a mode has to show below the rows.
struct Panel {
    var lines: [FrameLine] = []
    /// The text cursor in it.
    var cursor: Frame.Position?
    /// How many of its last lines say what can be done.
    var choices = 0

    /// With a line in place of what can be done.
    func waiting(_ sentence: String, _ width: Int) -> Panel {
        var panel = self
        panel.lines.append(FrameLine(sentence, .dim).cut(to: width))
        panel.choices = 1
        return panel
    }
}

extension ScreenSession {
    /// All that is to be seen. Lays the rows out for this size; apart from that it changes nothing.
    func frame(_ size: ScreenSize, at now: Timestamp) -> Frame {
        Painter(session: self, size: size, now: now).frame()
    }
}
