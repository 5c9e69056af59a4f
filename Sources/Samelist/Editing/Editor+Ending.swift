internal import ListModel
internal import ListReplica

/// How an editor ends: saved, saved elsewhere, or dropped.
extension Editor {
    /// Writes what the draft touched, and closes the editor once that is saved. Waits for the
    /// server; offline that may be long, and the editor is kept until then.
    ///
    /// Where it throws, the editor is open, or vanished, with its draft: with `vanished`, see
    /// `vanished`, and `saveAsNew`, `restoreWithDraft` or `discard`; with `conflict`, see
    /// `conflict`, and commit again by another mode.
    public func commit(_ mode: CommitMode = .ifUnchanged) async throws(ListError) {
        try await finish { () throws(EditorFault) in try editor.commit(mode) }
    }

    /// Saves a vanished editor's last value and draft as a new element, by default where the old
    /// one was, and closes the editor. Without `id` it gets a fresh one.
    @discardableResult
    public func saveAsNew(
        id new: Element.ID? = nil, at position: ListPosition<Element.ID>? = nil
    ) async throws(ListError) -> Element {
        let fields = editor.value
        let id = if let new { new } else { try Element.ID.fresh() }
        let elementID = try id.checked()
        let place = try position?.place()
        try await finish { () throws(EditorFault) in try editor.saveAsNew(elementID, at: place) }
        closeIfOpen(.savedAsNew)
        return try ElementCoder.decode(fields, id, as: Element.self).get()
    }

    /// Brings a vanished element back with the draft written over it, and closes the editor.
    public func restoreWithDraft() async throws(ListError) {
        try await finish { () throws(EditorFault) in try editor.restoreWithDraft() }
        closeIfOpen(.restored)
    }

    /// Closes the editor and drops its draft, for all who draft on the element. A commit that is on
    /// its way goes on.
    public func discard() { if !isClosed { editor.end(.discarded) } }

    /// Closes the editor; a draft is kept, and taken up by the next editor on the element. A commit
    /// that is on its way goes on; should it come to nothing, the draft is kept, too.
    public func close() {
        guard !isClosed else { return }
        closed(.closed)
        editor.leave(self)
    }

    /// Submits, and waits for what is decided.
    private func finish(_ submit: () throws(EditorFault) -> Decision?) async throws(ListError) {
        let decision = try attempt(submit)
        do throws(ListError) {
            _ = try await decision?.acknowledged()
        } catch {
            if error.code == .cancelled { throw error }
            if let vanish = current?.vanish { throw refined(.vanished(vanish)) }
            if !conflicts.isEmpty { throw refined(.conflict(conflicts)) }
            throw error
        }
    }

    private func closeIfOpen(_ reason: EditorCloseReason) { if !isClosed { editor.end(reason) } }

    func attempt<Result>(
        _ body: () throws(EditorFault) -> Result
    ) throws(ListError) -> Result {
        if case .listClosed(let error)? = closeReason { throw error }
        if isClosed { throw refined(.notOpen) }
        do throws(EditorFault) { return try body() } catch { throw refined(error) }
    }

    private func refined(_ fault: EditorFault) -> ListError {
        guard case .vanished(let vanish) = fault else { return ListError(fault, of: editor.id) }
        return ListError(
            .vanished,
            "\(vanish.sentence); what was typed is kept: save it as new, restore the element with "
                + "it, or discard it", id: editor.id, by: vanish.by)
    }

    func conflict(in fields: [FieldName]) -> EditorConflict<Element> {
        var before = element
        if let editor = current {
            let values = editor.shown.writing(editor.base)
            before = (try? ElementCoder.decode(values, id, as: Element.self).get()) ?? before
        }
        return EditorConflict(base: before, mine: draft, theirs: element, fields: fields)
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
