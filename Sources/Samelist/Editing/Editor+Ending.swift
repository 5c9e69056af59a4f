internal import ListModel
internal import ListReplica

/// How an editor ends: saved, saved elsewhere, or dropped.
extension Editor {
    /// Writes what the draft touched, and closes the editor once that is saved. Waits for the
    /// server; offline that may be long, and the editor is kept until then. Where it throws, the
    /// editor is open, or vanished, with its draft.
    public func commit(_ mode: CommitMode = .ifUnchanged) async throws(EditorError<Element>) {
        try await finish { () throws(EditorFault) in try editor.commit(mode) }
    }

    /// Saves a vanished editor's last value and draft as a new element, by default where the old
    /// one was, and closes the editor. Without `id` it gets a fresh one.
    @discardableResult
    public func saveAsNew(
        id new: Element.ID? = nil, at place: ListPlace<Element.ID>? = nil
    ) async throws(EditorError<Element>) -> Element {
        let fields = editor.value
        let id: Element.ID
        let elementID: ElementID
        let spot: Place?
        do throws(ListError) {
            if let new { id = new } else { id = try Element.ID.fresh() }
            elementID = try id.checked()
            spot = try place?.place()
        } catch {
            throw .failed(error)
        }
        try await finish { () throws(EditorFault) in
            try editor.saveAsNew(elementID, at: spot)
        }
        switch ElementCoder.decode(fields, id, as: Element.self) {
        case .success(let element): return element
        case .failure(let error): throw .failed(error)
        }
    }

    /// Brings a vanished element back with the draft written over it, and closes the editor.
    public func restoreWithDraft() async throws(EditorError<Element>) {
        try await finish { () throws(EditorFault) in try editor.restoreWithDraft() }
    }

    /// Closes the editor and drops its draft.
    public func discard() { editor.cancel() }

    /// Closes the editor; a draft is kept, and taken up by the next editor on the element.
    public func close() { editor.close() }

    /// Submits, and waits for what is decided.
    private func finish(
        _ submit: () throws(EditorFault) -> Decision?
    ) async throws(EditorError<Element>) {
        let decision: Decision?
        do throws(EditorFault) { decision = try submit() } catch { throw refined(error) }
        do throws(ListError) {
            _ = try await decision?.acknowledged()
        } catch {
            if error.code == .cancelled { throw .failed(error) }
            if let vanish = editor.vanish { throw .vanished(vanished(vanish)) }
            if !conflicts.isEmpty { throw conflict(conflicts) }
            throw .failed(error)
        }
    }

    /// With everything that a screen needs to say.
    func refined(_ fault: EditorFault) -> EditorError<Element> {
        switch fault {
        case .vanished(let vanish): .vanished(vanished(vanish))
        case .conflict(let fields): conflict(fields)
        default: .failed(ListError(fault, of: editor.id))
        }
    }

    private func conflict(_ fields: [FieldName]) -> EditorError<Element> {
        var before = element
        if let editor = editor.editor {
            let values = editor.shown.writing(editor.base)
            before = (try? ElementCoder.decode(values, id, as: Element.self).get()) ?? before
        }
        return .conflict(base: before, mine: draft, theirs: element, fields: fields)
    }
}

extension ListElementID {
    /// A fresh ID; an integer is random, too.
    static func fresh() throws(ListError) -> Self {
        if let id = Self(Fresh.element()) ?? Fresh.uuid() as? Self { return id }
        for bits in [53, 31] {
            let number = ElementID("\(Int64.random(in: 1..<(1 << bits)))")
            if let id = number.flatMap({ Self($0) }) { return id }
        }
        throw ListError(.badID, "there is no fresh \(Self.self); name an ID for the new element")
    }
}
