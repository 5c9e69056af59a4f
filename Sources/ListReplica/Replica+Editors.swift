package import ListModel

/// Opening editors, typing into them, and closing them.
extension Replica {
    /// Editors in the order in which they were opened.
    package var openEditors: [Editor] { editors.values.sorted { $0.serial < $1.serial } }

    /// Opens an editor on a living element, through a view where there is one of this number.
    package func edit(
        _ id: ElementID, _ policy: Editor.Policy, through number: ViewNumber = .shell
    ) throws(EditorFault) -> Editor {
        if gone == nil, editors[id] != nil { throw .alreadyOpen }
        let editor = try opened(on: id, policy, through: number)
        editors[id] = editor
        announceEditing()
        return editor
    }

    /// An editor on a living element, under a number of its own in the order of editors.
    func opened(
        on id: ElementID, _ policy: Editor.Policy, through number: ViewNumber
    ) throws(EditorFault) -> Editor {
        if let gone { throw .vanished(gone.vanish) }
        let element: Element
        switch list.standing(of: id) {
        case .living(let living): element = living
        case .grave(let grave):
            throw .vanished(
                Vanish(.deleted, by: grave?.by, at: grave?.at, version: grave?.version))
        case .unknown: throw .noSuchElement
        }
        let birth = birthNumber(of: id).map { Editor.Birth.pending($0) } ?? .confirmed
        var editor = Editor(
            element, policy: policy, serial: nextSerial, birth: birth, view: number,
            isInView: isIn(number, id))
        editor.others = othersEditing(id)
        nextSerial += 1
        return editor
    }

    /// An open editor is looked at through another view from now on.
    func look(at id: ElementID, through number: ViewNumber) {
        guard let editor = editors[id], editor.vanish == nil else { return }
        editors[id]?.view = number
        editors[id]?.isInView = isIn(number, id)
        // The view that pinned it lets go of it.
        if editor.isInView != nil { touch([id]) }
    }

    /// Whether an element is among the results of a view; `nil`: nobody is told of that.
    private func isIn(_ number: ViewNumber, _ id: ElementID) -> Bool? {
        guard let view = views[number], !view.isWhole, !view.pins || view.contains(id) else {
            return nil
        }
        return view.contains(id)
    }

    /// The pending insert that makes an element, as far as things stand; an insert that is going to
    /// be refused makes none.
    private func birthNumber(of id: ElementID) -> MutationNumber? {
        speculation.pending.first { pending in
            pending.resolution.operations.contains {
                if case .insert(id, _, _) = $0 { return pending.resolution.refusal == nil }
                return false
            }
        }?.mutation.n
    }

    /// Types into a draft, or writes through a live editor: then the number of its mutation is
    /// answered.
    func type(
        _ changes: Fields, into id: ElementID, at now: Timestamp
    ) throws(EditorFault) -> MutationNumber? {
        var editor = try writableEditor(id)
        switch editor.policy {
        case .snapshot: throw .readOnly
        case .live:
            return submit([Operation(.set(id, changes))], at: now)
        case .draft:
            editor.type(changes)
            editors[id] = editor
            store(editor)
            return nil
        }
    }

    /// Types into a draft though its element may be gone: keys that were on their way when it went,
    /// or what another program wrote meanwhile, are kept with the rest.
    func keep(_ changes: Fields, over seen: Fields?, in id: ElementID) throws(EditorFault) {
        guard var editor = editors[id] else { throw .notOpen }
        if editor.policy != .draft { throw .readOnly }
        if editor.commit != nil { throw .committing }
        editor.type(changes, over: seen)
        editors[id] = editor
        store(editor)
    }

    func jot(_ text: String) {
        guard text != note else { return }
        note = text
        guard keepsCopy else { return }
        let key = StateKeys.note(of: name)
        writes.append(text.isEmpty ? .remove(key) : .put(key, Array(text.utf8)))
    }

    private func writableEditor(_ id: ElementID) throws(EditorFault) -> Editor {
        guard let editor = editors[id] else { throw .notOpen }
        if let vanish = editor.vanish { throw .vanished(vanish) }
        if editor.commit != nil { throw .committing }
        return editor
    }

    /// Closes an editor and drops its draft. False: there is none.
    package func cancel(_ id: ElementID) -> Bool {
        guard let editor = editors.removeValue(forKey: id) else { return false }
        writes.append(.remove(StateKeys.editor(id, in: name)))
        if editor.isInView != nil { touch([id]) }
        announceEditing()
        return true
    }

    /// Tells the server which elements are under living editors.
    func announceEditing() {
        guard case .live = sync else { return }
        outbox.append(.presence(name, editing: Array(edited.prefix(limits.editing))))
    }

    /// Tells editors who else edits their elements, where that changed.
    func tellOthers() {
        for editor in openEditors where editor.vanish == nil {
            let others = othersEditing(editor.id)
            guard others != editor.others || Faults.has(.presenceToldTwice) else { continue }
            editors[editor.id]?.others = others
            news.append(.editor(name, editor.id, .presence(others)))
        }
        for (number, editor) in companions where editor.vanish == nil {
            let others = othersEditing(editor.id)
            guard others != editor.others else { continue }
            companions[number]?.others = others
            tell([.presence(others)], to: number)
        }
    }
}
