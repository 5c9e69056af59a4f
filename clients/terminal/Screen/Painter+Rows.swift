internal import ListModel
internal import ListReplica

/// The rows: a mark for the selected one, one for those that are marked or changed, a box, the
/// title, further fields, and on the right who is at it.
extension Painter {
    /// Columns before the title.
    static let gutter = 6

    func paintRows(_ height: Int, into frame: inout Frame) {
        let top = session.scroll.layOut(session, height: height)
        let first = frame.lines.count
        for line in 0..<height {
            guard let key = session.row(at: top + line) else {
                frame.lines.append(session.rowCount == 0 && line == 0 ? empty : FrameLine())
                continue
            }
            let isSelected = key == session.cursorKey
            let row = row(key, isSelected)
            if isSelected {
                frame.cursor = Frame.Position(line: first + line, column: row.cursor ?? 0)
            }
            frame.lines.append(row.line)
        }
    }

    private var empty: FrameLine {
        let isThere = session.replica?.epoch != nil || session.replica?.isLive == true
        let text =
            session.replica?.view != nil
            ? "  No row fits the filter. Esc shows all." : "  No rows. a adds one."
        return FrameLine(isThere ? text : "", .dim).cut(to: width)
    }

    private func row(_ key: RowKey, _ isSelected: Bool) -> (line: FrameLine, cursor: Int?) {
        guard case .element(let id) = key else { return typed(nil, box: " + ") }
        if isSelected, case .writing(let writing) = session.mode, writing.focus == 0 {
            return typed(id, box: box(session.rows[id]))
        }
        var line = gutter(id, isSelected)
        if let element = session.rows[id] {
            paint(element, into: &line)
        } else {
            paintGone(id, into: &line)
        }
        guard isSelected else { return (line.cut(to: width), nil) }
        line.pad(to: width)
        return (line.cut(to: width).with(.reverse), nil)
    }

    private func gutter(_ id: ElementID, _ isSelected: Bool) -> FrameLine {
        var line = isSelected ? FrameLine(">", .bold) : FrameLine(" ")
        let isChanged = session.changed[id].map { $0 > now } ?? false
        if session.marked.contains(id) {
            line.add("*", Style(traits: .bold, colour: .magenta))
        } else if isChanged {
            line.add("~", Style(traits: .bold, colour: .magenta))
        } else {
            line.add(" ")
        }
        return line
    }

    private func box(_ element: Element?) -> String {
        guard let element else { return "[-]" }
        return RowText(element: element).isDone ? "[x]" : "[ ]"
    }

    private func paint(_ element: Element, into line: inout FrameLine) {
        let row = RowText(element: element)
        line.add(box(element) + " ", row.isDone ? Style(colour: .magenta) : .plain)
        let editor = session.editor(element.id)
        let mine = editor.flatMap { $0.hasDraft ? $0 : nil }
        let right = right(of: element, mine)
        var title = FrameLine()
        let shown = mine?.commit != nil ? mine?.value[.title]?.text : nil
        title.add(shown ?? row.title, row.isDone ? .dim : .plain)
        let further = Glyphs.shown(row.further.joined(separator: " "))
        let room = width - Self.gutter - (right.width == 0 ? 0 : right.width + 2)
        let least = min(title.width, max(room / 2, 1))
        let titleRoom = further.isEmpty ? room : max(least, room - Glyphs.width(of: further) - 2)
        line.add(title.cut(to: max(1, min(titleRoom, room))))
        let left = width - line.width - (right.width == 0 ? 0 : right.width + 2) - 2
        if !further.isEmpty, left >= min(6, Glyphs.width(of: further)) {
            line.add("  ")
            line.add(FrameLine(further, .dim).cut(to: left))
        }
        guard right.width > 0 else { return }
        line.pad(to: width - right.width)
        line.add(right)
    }

    /// Who else edits it, or what of one's own is not saved.
    private func right(of element: Element, _ mine: Editor?) -> FrameLine {
        var line = FrameLine()
        let others = session.replica?.othersEditing(element.id) ?? []
        if let text = editing(others) { line.add(text, Style(colour: .magenta)) }
        if session.ghostIndex != nil, session.cursor == element.id {
            line.add((line.width > 0 ? ", " : "") + "not in the filter", .warning)
        }
        if let mine {
            if line.width > 0 { line.add(", ") }
            line.add(mine.commit == nil ? "your draft" : "saving", Style(colour: .magenta))
        }
        return line.cut(to: max(0, (width - Self.gutter) / 2))
    }

    /// Another shell of the same user is told apart from the user here.
    private func editing(_ others: [UserName]) -> String? {
        guard others.contains(session.core.user) else { return RowText.editing(others) }
        let rest = others.filter { $0 != session.core.user }
        let names = rest.map { Printing.masked($0.text) + ", " }.joined()
        return names + "you in another shell"
    }

    /// A row that is shown though it is gone: nothing else takes its place under the eye.
    private func paintGone(_ id: ElementID, into line: inout FrameLine) {
        var who = "gone"
        if case .grave(let grave?) = session.rows.standing(of: id) {
            who = "deleted by \(grave.by)"
        }
        line.add("[-] ", .dim)
        let right = FrameLine(who, .warning).cut(to: max(0, (width - Self.gutter) / 2))
        let title = FrameLine(session.titleOf(id), .dim)
        line.add(title.cut(to: max(1, width - line.width - right.width - 2)))
        line.pad(to: width - right.width)
        line.add(right)
    }

    /// The row under the text cursor.
    private func typed(_ id: ElementID?, box: String) -> (line: FrameLine, cursor: Int?) {
        let field: LineField =
            switch session.mode {
            case .writing(let writing): writing.inputs.first?.field ?? LineField()
            case .adding(let field): field
            default: LineField()
            }
        var line = FrameLine("> " + box + " ", .bold)
        let room = width - Self.gutter
        let (text, column) = field.shown(width: room - 1)
        line.add(text, Style(traits: .underline))
        line.pad(to: width, Style(traits: .underline))
        return (line.cut(to: width), Self.gutter + column)
    }
}

extension ScreenSession {
    /// What an element is or was called.
    func titleOf(_ id: ElementID) -> String {
        let fields: Fields? =
            switch rows.standing(of: id) {
            case .living(let element): element.fields
            case .grave(let grave?): grave.last.fields
            case .grave(nil), .unknown: editor(id)?.shown
            }
        return fields?[.title]?.text ?? lastTitles[id] ?? id.text
    }
}
