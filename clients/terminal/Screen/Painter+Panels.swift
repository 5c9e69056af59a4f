internal import ListModel
internal import ListReplica

/// What stands below the rows while the user types or decides.
extension Painter {
    func panel() -> Panel {
        switch session.mode {
        case .writing(let writing): writingPanel(writing)
        case .vanished(let vanished): vanishedPanel(vanished)
        case .conflict(let id): conflictPanel(id)
        case .browsing, .asking, .confirming, .adding, .outside, .reading: Panel()
        }
    }

    private var isNarrow: Bool { width < 60 }

    private func writingPanel(_ writing: Writing) -> Panel {
        var panel = Panel()
        if writing.isForm { form(writing, into: &panel) }
        guard let editor = session.editor(writing.id) else { return panel }
        let others = session.replica?.othersEditing(writing.id) ?? []
        if !others.isEmpty {
            let own = session.core.user
            let names = others.map { $0 == own ? "You in another shell" : $0.text }
                .joined(separator: ", ")
            let verb = others.count == 1 && others != [own] ? "edits" : "edit"
            panel.lines.append(FrameLine("   \(names) \(verb) this row too.", .dim))
        }
        for name in editor.conflicts {
            let theirs = ScreenSession.spelling(editor.theirs[name] ?? .null, of: name)
            let who = session.rival(writing.id, name)
            panel.lines += wrapped(
                " ! ", "\(who) changed \(name) meanwhile to \"\(theirs)\". Enter asks.", .warning)
        }
        return panel
    }

    private func form(_ writing: Writing, into panel: inout Panel) {
        let labels = writing.inputs.map { Glyphs.shown($0.name.text) } + ["new field"]
        let column = min(18, labels.map { Glyphs.width(of: $0) }.max() ?? 0) + 5
        panel.lines.append(FrameLine("   Row \(writing.id)", .dim))
        for (index, label) in labels.enumerated() where index > 0 {
            let isNew = index == writing.inputs.count
            let field = isNew ? writing.newField : writing.inputs[index].field
            let isFocus = index == writing.focus
            var line = FrameLine(isFocus ? " > " : "   ", .bold)
            line.add(Glyphs.cut(label, to: column - 5), .dim)
            line.pad(to: column)
            let (text, at) = field.shown(width: max(1, width - column - 1))
            line.add(text, isFocus ? Style(traits: .underline) : .plain)
            if isFocus {
                line.pad(to: width, Style(traits: .underline))
                panel.cursor = Frame.Position(line: panel.lines.count, column: column + at)
            }
            panel.lines.append(line)
        }
        panel.lines.append(FrameLine("   Empty removes a field; a new one is NAME=VALUE.", .dim))
    }

    private func vanishedPanel(_ vanished: Vanished) -> Panel {
        guard let editor = session.editor(vanished.id), let vanish = editor.vanish else {
            return Panel()
        }
        let title = width < 30 ? "it" : RowText.quoted(editor.shown, editor.id)
        var sentence = vanish.sentence(title, session.clock)
        if !isNarrow { sentence += " while you were editing it" }
        var panel = Panel(lines: wrapped(" ! ", "\(sentence).", .warning))
        panel.lines += kept(editor)
        guard !session.isTurned(now) else {
            return panel.waiting(
                vanished.writing == nil
                    ? Self.pause : "   Keys still go to your text; pause to choose.",
                width)
        }
        let choices = Choices(vanish, isGone: session.replica?.gone != nil)
        let lines = choiceLines(choices.list(editor.hasDraft, isNarrow))
        panel.choices = lines.count
        panel.lines += lines
        return panel
    }

    private func kept(_ editor: Editor) -> [FrameLine] {
        guard editor.hasDraft else { return [FrameLine("   You had typed nothing.")] }
        let label = isNarrow ? " Kept: " : "   Your text is kept:  "
        let fields = editor.touched.pairs.map { pair in
            let text = ScreenSession.spelling(pair.value, of: pair.name)
            return pair.name == .title ? text : "\(pair.name)=\(text)"
        }
        return wrapped(label, fields.joined(separator: "  "), .bold)
    }

    private func conflictPanel(_ id: ElementID) -> Panel {
        guard let editor = session.editor(id) else { return Panel() }
        let who = editor.conflicts.map { session.rival(id, $0) }.unique.joined(separator: ", ")
        let what = width < 30 ? "it" : session.quoted(id)
        var panel = Panel(
            lines: wrapped(width < 30 ? "! " : " ! ", "\(who) changed \(what) too.", .warning))
        var canMerge = !editor.conflicts.isEmpty
        for name in editor.conflicts {
            let base = ScreenSession.spelling(editor.base[name] ?? .null, of: name)
            let mine = ScreenSession.spelling(editor.touched[name] ?? .null, of: name)
            let theirs = ScreenSession.spelling(editor.theirs[name] ?? .null, of: name)
            let merged = TextMerge.merge(base: base, mine: mine, theirs: theirs)
            if merged == nil { canMerge = false }
            if name != .title || editor.conflicts.count > 1 {
                panel.lines += wrapped("   ", name.text, .bold)
            }
            var lines = [("mine", mine), ("theirs", theirs)]
            lines.insert(("base", base), at: isNarrow ? 2 : 0)
            if let merged { lines.append(("merged", merged)) }
            for (label, text) in lines {
                let label = Columns.padded(label, 6)
                let style: Style = label.hasPrefix("mine") ? .bold : .plain
                panel.lines += wrapped((isNarrow ? " " : "   ") + label + "  ", text, style)
            }
        }
        guard !session.isTurned(now) else { return panel.waiting(Self.pause, width) }
        let lines = choiceLines(conflictChoices(canMerge))
        panel.choices = lines.count
        panel.lines += lines
        return panel
    }

    /// Keys meant for what was there before may still be coming.
    private static let pause = "   Pause to choose."

    private func conflictChoices(_ canMerge: Bool) -> [(String, String)] {
        let merge = canMerge ? [("m", "merge")] : []
        guard !isNarrow else {
            return merge + [("o", "mine"), ("t", "theirs"), ("c", "copy"), ("Esc", "edit")]
        }
        return merge
            + [("o", "overwrite"), ("t", "take theirs"), ("c", "copy mine"), ("Esc", "edit on")]
    }

    /// Behind a mark or a label, and below itself where it is long.
    private func wrapped(_ label: String, _ text: String, _ style: Style) -> [FrameLine] {
        FrameLine.wrapped(text, width, first: label, indent: "   ", style)
    }

    /// In one line where they fit, close to each other if need be.
    private func choiceLines(_ choices: [(String, String)]) -> [FrameLine] {
        let room = isNarrow ? 1 : 3
        let lengths = choices.map { $0.0.count + 1 + $0.1.count }.reduce(0, +)
        let least = isNarrow ? 1 : 2
        let fitting = (least...room).reversed().first {
            lengths + $0 * (choices.count - 1) + ($0 < room ? 1 : $0) <= width
        }
        let gap = fitting ?? room
        let indent = String(repeating: " ", count: gap < room ? 1 : gap)
        var lines: [FrameLine] = []
        var line = FrameLine()
        for (key, deed) in choices {
            if line.width > 0, line.width + gap + key.count + 1 + deed.count > width {
                lines.append(line)
                line = FrameLine()
            }
            line.add(line.width == 0 ? indent : String(repeating: " ", count: gap))
            line.add(key, .bold)
            line.add(" " + deed)
        }
        return lines + [line]
    }
}

extension ScreenSession {
    /// Who wrote in a field that a draft touches.
    func rival(_ id: ElementID, _ field: FieldName) -> String {
        (rivals[id]?[field] ?? rows[id]?.by)?.text ?? "Somebody"
    }
}

extension [String] {
    fileprivate var unique: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

extension Choices {
    /// As the panel lists them.
    func list(_ hasDraft: Bool, _ isNarrow: Bool) -> [(String, String)] {
        var list: [(String, String)] = []
        if canSaveNew { list.append(("n", isNarrow ? "new" : "save as new row")) }
        if canRestore {
            let deed = hasDraft ? "restore the row with my text" : "restore the row"
            list.append(("r", isNarrow ? "restore" : deed))
        }
        list.append(("c", "copy"))
        list.append(
            hasDraft ? ("Esc Esc", isNarrow ? "drop" : "drop my text") : ("Esc", "back"))
        return list
    }
}
