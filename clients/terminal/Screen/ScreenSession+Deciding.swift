internal import ListModel
internal import ListProtocol
internal import ListReplica

/// The element of an editor is gone, or others wrote where its draft does: the user decides.
extension ScreenSession {
    /// Shows what needs a decision, unless the user is at something else.
    func attend(_ now: Timestamp) {
        undecided.removeAll { id in
            editor(id).map { $0.commit != nil || $0.vanish != nil || $0.conflicts.isEmpty } ?? true
        }
        switch mode {
        case .browsing: break
        case .conflict(let id) where editor(id)?.vanish == nil && editor(id)?.conflicts == []:
            // What others wrote was taken back.
            return resume(id, now)
        default: return
        }
        if let id = replica?.openEditors.first(where: { $0.vanish != nil && $0.commit == nil })?.id
        {
            stand(on: id)
            turn(to: .vanished(Vanished(id: id)), now)
        } else if let id = undecided.first {
            stand(on: id)
            turn(to: .conflict(id), now)
        }
    }

    private func stand(on id: ElementID) {
        select(id)
        placeCursor()
        hold()
    }

    private func resume(_ id: ElementID, _ now: Timestamp) {
        resume(id)
        if mode.edited == id { turnedAt = now }
    }

    /// The editor's element went.
    func vanish(_ id: ElementID, _ now: Timestamp) {
        guard mode.edited == id else { return }
        switch mode {
        // What is typed goes on once the outcome is known.
        case .writing(let writing) where writing.ahead != nil: break
        case .writing(let writing):
            turn(to: .vanished(Vanished(id: id, writing: writing)), now)
            guard !writing.newField.isEmpty, writing.newName == nil else { return }
            say("A field is NAME=VALUE, so this is not kept: \(writing.newField.text)", .trouble)
        case .conflict: turn(to: .vanished(Vanished(id: id)), now)
        case .vanished, .outside, .browsing, .asking, .confirming, .adding, .reading: break
        }
    }

    func comeBack(_ id: ElementID, by name: UserName?, _ now: Timestamp) {
        let who = name?.text ?? "somebody"
        guard case .vanished(let vanished) = mode, vanished.id == id else {
            return say("\(who) brought \(quoted(id)) back.", .news)
        }
        resume(id, now)
        say("\(who) brought the row back; your text goes on in it.", .news)
    }

    func decide(_ vanished: Vanished, _ key: Key, _ wasDropping: Bool, _ now: Timestamp) {
        if isTurned(now) { return goOnTyping(vanished, key, now) }
        guard let editor = editor(vanished.id), let vanish = editor.vanish else {
            return browseAgain()
        }
        let choices = Choices(vanish, isGone: replica?.gone != nil)
        switch key {
        case .text("n") where choices.canSaveNew: saveAsNew(editor, now)
        case .text("r") where choices.canRestore: restore(editor, now)
        case .text("n"), .text("r"):
            let left = "c copies your text, Esc Esc drops it."
            say("\(choices.whyNot(isRestoring: key == .text("r"))) \(left)", .trouble)
        case .text("c"):
            copy(editor)
        case .text("q"): quit()
        case .escape:
            guard wasDropping || !editor.hasDraft else {
                isDropping = true
                return say("Esc again drops your text.", .trouble)
            }
            _ = core.cancel(editor.id, in: list, at: now)
            browseAgain()
            if editor.hasDraft { say("Your text was dropped.", .done) }
        default: break
        }
    }

    /// Keys that were on their way when the row went are text still, as far as they are text.
    private func goOnTyping(_ vanished: Vanished, _ key: Key, _ now: Timestamp) {
        var vanished = vanished
        guard var writing = vanished.writing, writing.field.handle(key) else { return }
        type(&writing, now)
        vanished.writing = writing
        mode = .vanished(vanished)
    }

    /// The title, where nothing else was typed; else all that was.
    private func copy(_ editor: Editor) {
        let isTitle = editor.touched.names.allSatisfy { $0 == .title }
        wish(
            .copy(
                isTitle
                    ? Self.spelling(editor.value[.title] ?? .null, of: .title)
                    : RowFile.lines(of: editor.touched).joined(separator: "\n")))
        say("Handed to the terminal's clipboard.", .done)
    }

    private func saveAsNew(_ editor: Editor, _ now: Timestamp) {
        let new = freshID()
        let hasPlace = rows.orderIndex(of: editor.id) != nil
        do throws(EditorFault) {
            let n = try core.saveAsNew(editor.id, as: new, at: nil, in: list, at: now)
            let place = hasPlace ? "at the same place" : "at the end"
            browseAgain()
            select(new)
            let deed = "Saved as new row \(new) \(place)"
            expect(n, Expectation(deed: deed, file: files[editor.id]), now)
        } catch {
            say(sentence(for: error, editor.id), .trouble)
        }
    }

    private func restore(_ editor: Editor, _ now: Timestamp) {
        do throws(EditorFault) {
            let n = try core.restoreWithDraft(editor.id, in: list, at: now)
            browseAgain()
            let what = editor.hasDraft ? "Restored the row with your text" : "Restored the row"
            expect(n, Expectation(deed: what, file: files[editor.id]), now)
        } catch {
            say(sentence(for: error, editor.id), .trouble)
        }
    }

    func decide(_ id: ElementID, _ key: Key, _ now: Timestamp) {
        guard !isTurned(now), let editor = editor(id) else { return }
        switch key {
        case .text("m"): commit(id, .merge, now)
        case .text("o"): commit(id, .overwrite, now)
        case .text("t"): takeTheirs(editor, now)
        case .text("c"):
            copy(editor)
        case .escape: resume(id)
        default: return
        }
        undecided.removeAll { $0 == id }
        if case .conflict = mode, case .text("m") = key {
            say("Both changed the same words: o or t decides.", .trouble)
        }
    }

    private func resume(_ id: ElementID) {
        guard let editor = editor(id) else { return browseAgain() }
        let title = LineField(Self.spelling(editor.value[.title] ?? .null, of: .title))
        go(to: .writing(Writing(id: id, inputs: [Writing.Input(name: .title, field: title)])))
    }

    /// Mine gives way where both wrote; what else was typed is saved.
    private func takeTheirs(_ editor: Editor, _ now: Timestamp) {
        let conflicts = editor.conflicts
        guard conflicts.count < editor.touched.count else {
            _ = core.cancel(editor.id, in: list, at: now)
            browseAgain()
            return say("Theirs stays; your text was dropped.", .done)
        }
        keep(editor.shown.values(of: conflicts), in: editor.id, now)
        commit(editor.id, .ifUnchanged, now)
    }
}

/// What can be done with the text of a vanished editor.
struct Choices {
    let canSaveNew: Bool
    let canRestore: Bool

    /// What is in the way of a choice that there is not.
    func whyNot(isRestoring: Bool) -> String {
        if !canSaveNew { return "The list is gone, and takes no row." }
        return isRestoring ? "The row never was, so it cannot be restored." : ""
    }

    init(_ vanish: Vanish, isGone: Bool) {
        canSaveNew = !isGone
        switch vanish.cause {
        case .deleted, .missing: canRestore = !isGone
        case .listDeleted, .accessLost, .rejected: canRestore = false
        }
    }
}

extension Vanish {
    /// What became of an element, and who did it when.
    func sentence(_ title: String, _ clock: (Timestamp) -> String) -> String {
        let who = by?.text ?? "Somebody"
        let when = at.map { " at \(clock($0))" } ?? ""
        return switch cause {
        case .deleted: "\(who) deleted \(title)\(when)"
        case .listDeleted: "\(who) deleted the whole list\(when)"
        case .accessLost: "You may no longer read this list\(when)"
        case .rejected(let code): "The server refused \(title): \(code.rawValue)"
        case .missing: "\(title) was deleted while you were away"
        }
    }
}
