internal import ListModel
internal import ListProtocol
internal import ListReplica

/// Typing into a row: its title in place, or all its fields in a form. Every key is written into
/// the editor's draft, which is kept on disk: what was typed is there again whatever happens.
extension ScreenSession {
    func editor(_ id: ElementID) -> Editor? { replica?.editors[id] }

    func beginWriting(_ id: ElementID, _ now: Timestamp) {
        guard takeBackCommit(of: id, now) else { return writeAhead(of: id) }
        guard let editor = openEditor(id, now) else { return turn(to: .browsing, now) }
        let title = LineField(Self.spelling(editor.value[.title] ?? .null, of: .title))
        go(to: .writing(Writing(id: id, inputs: [Writing.Input(name: .title, field: title)])))
        hold()
    }

    /// The editor on a living element, opened if need be. What is in the way is said.
    func openEditor(_ id: ElementID, _ now: Timestamp) -> Editor? {
        if let editor = editor(id) { return editor.vanish == nil ? editor : nil }
        do throws(EditorFault) {
            return try core.edit(id, .draft, in: list, at: now)
        } catch {
            say(sentence(for: error, id), .trouble)
            return nil
        }
    }

    func write(_ writing: Writing, _ key: Key, _ wasDropping: Bool, _ now: Timestamp) {
        guard writing.ahead == nil else { return writeAhead(writing, key, wasDropping) }
        var writing = writing
        switch key {
        case .escape: return leave(writing.id, wasDropping, now)
        case .enter: return commit(writing.id, .ifUnchanged, now)
        case .tab where !writing.isForm, .down where !writing.isForm: openForm(&writing)
        case .tab, .down: writing.focus = (writing.focus + 1) % (writing.inputs.count + 1)
        case .backTab, .up:
            let count = writing.inputs.count + 1
            if writing.isForm { writing.focus = (writing.focus + count - 1) % count }
        default:
            let before = writing.field.text
            guard writing.field.handle(key) else { break }
            if writing.field.text != before { type(&writing, now) }
        }
        mode = .writing(writing)
    }

    private func openForm(_ writing: inout Writing) {
        guard let editor = editor(writing.id) else { return }
        writing.isForm = true
        for pair in editor.value.pairs where pair.name != .title {
            let text = Self.spelling(pair.value, of: pair.name)
            writing.inputs.append(Writing.Input(name: pair.name, field: LineField(text)))
        }
        writing.focus = min(1, writing.inputs.count)
    }

    /// What stands in the input goes into the draft.
    func type(_ writing: inout Writing, _ now: Timestamp) {
        var changes = Fields()
        if writing.focus < writing.inputs.count {
            let input = writing.inputs[writing.focus]
            changes[input.name] = Self.value(input.field.text, of: input.name)
        } else {
            let field = Tokens.assignment(writing.newField.text)
            if let name = writing.newName, name != field?.0 {
                changes[name] = editor(writing.id)?.shown[name] ?? .null
            }
            writing.newName = field?.0
            if let field { changes[field.0] = field.1 }
        }
        if !changes.isEmpty { keep(changes, in: writing.id, now) }
    }

    /// Into the draft, be its element there or not.
    func keep(_ changes: Fields, over seen: Fields? = nil, in id: ElementID, _ now: Timestamp) {
        do throws(EditorFault) {
            try core.keep(changes, over: seen, in: id, of: list, at: now)
        } catch {
            say(sentence(for: error, id), .trouble)
        }
    }

    func commit(_ id: ElementID, _ how: Editor.Commit.Mode, _ now: Timestamp) {
        if case .writing(let writing) = mode, !writing.newField.isEmpty, writing.newName == nil {
            return say("A new field is typed as NAME=VALUE; empty it to save without.", .trouble)
        }
        do throws(EditorFault) {
            let n = try core.commit(id, how, in: list, at: now)
            browseAgain()
            guard let n else { return say("Nothing was changed.", .done) }
            let over = how == .overwrite ? "Saved over what others wrote: " : "Saved "
            expect(n, Expectation(deed: over + quoted(id), file: files[id]), now)
        } catch {
            if case .conflict = error { return go(to: .conflict(id)) }
            say(sentence(for: error, id), .trouble)
        }
    }

    /// Esc: at once where nothing was typed, else asked for twice.
    private func leave(_ id: ElementID, _ wasDropping: Bool, _ now: Timestamp) {
        guard editor(id)?.hasDraft != true || wasDropping else {
            isDropping = true
            return say("Not saved. Esc again drops your text, Enter saves it.", .trouble)
        }
        _ = core.cancel(id, in: list, at: now)
        browseAgain()
        if wasDropping { say("Your text was dropped.", .done) }
    }

    func browseAgain() {
        go(to: .browsing)
        release()
    }

    /// Untouched inputs show what others write.
    func follow(_ id: ElementID) {
        guard case .writing(var writing) = mode, writing.id == id, writing.ahead == nil,
            let editor = editor(id)
        else { return }
        for index in writing.inputs.indices {
            let name = writing.inputs[index].name
            guard editor.touched[name] == nil else { continue }
            let text = Self.spelling(editor.value[name] ?? .null, of: name)
            if writing.inputs[index].field.text != text { writing.inputs[index].field.follow(text) }
        }
        if writing.isForm {
            let known = Set(writing.inputs.map(\.name) + [writing.newName].compactMap(\.self))
            for pair in editor.value.pairs where !known.contains(pair.name) {
                let text = Self.spelling(pair.value, of: pair.name)
                let input = Writing.Input(name: pair.name, field: LineField(text))
                let isNew = writing.focus == writing.inputs.count
                writing.inputs.append(input)
                if isNew { writing.focus += 1 }
            }
        }
        mode = .writing(writing)
    }

    /// A title is plain text; other fields are spelt as on the command line.
    static func spelling(_ value: Value, of name: FieldName) -> String {
        if value == .null { return "" }
        if name == .title { return value.text ?? Printing.json(value) }
        return Tokens.spelling(of: value)
    }

    static func value(_ text: String, of name: FieldName) -> Value {
        if name == .title { return .text(text) }
        return text.isEmpty ? .null : Tokens.value(text)
    }

    func sentence(for fault: EditorFault, _ id: ElementID) -> String {
        switch fault {
        case .vanished(let vanish): "\(vanish.sentence(quoted(id), clock))."
        case .noSuchElement: "The row is gone."
        case .alreadyOpen, .notOpen: "The row is not being edited here any more."
        case .readOnly: "The row cannot be changed here."
        case .conflict: "Others changed \(quoted(id)) meanwhile."
        case .notVanished: "The row is there again."
        case .committing: "Your last change of \(quoted(id)) is still on its way."
        }
    }
}

/// A row that does not exist yet. Its text is kept as well, as the list's note.
extension ScreenSession {
    func add(_ field: LineField, _ key: Key, _ wasDropping: Bool, _ now: Timestamp) {
        var field = field
        switch key {
        case .escape where field.isEmpty || wasDropping:
            core.jot("", in: list, at: now)
            browseAgain()
        case .escape:
            isDropping = true
            say("Not added. Esc again drops your text, Enter adds it.", .trouble)
        case .enter:
            let title = field.text
            browseAgain()
            core.jot("", in: list, at: now)
            guard !title.allSatisfy(\.isWhitespace) else { return }
            let place: Place = cursor.flatMap(placeAfter) ?? .last
            let id = freshID()
            submit(
                [Operation(.insert(id, at: place, ["title": .text(title)]))],
                "Added \(RowText.quoted(["title": .text(title)], id))", now)
            if rows[id] != nil { select(id) }
        default:
            guard field.handle(key) else { return }
            core.jot(field.text, in: list, at: now)
            mode = .adding(field)
        }
    }

    private func placeAfter(_ id: ElementID) -> Place? {
        rows.orderIndex(of: id) == nil ? nil : .after(id)
    }
}
