package import ListModel
package import ListReplica
internal import Observation

/// An editor as fields, beneath every typed one. It can be read for ever; what it cannot do it says
/// by `EditorFault`.
@MainActor
@Observable
package final class OpenEditor {
    package let id: ElementID
    package let policy: EditorPolicy
    /// What happens to the element, in order, once each; ends when the editor closes.
    @ObservationIgnored let telling = Telling<ListReplica.EditorEvent>(most: 1_000)
    /// The typed editor over this one.
    @ObservationIgnored weak var typed: (any EditorFace)?
    @ObservationIgnored let list: OpenList
    private var generation = 0
    package private(set) var isClosed = false
    /// Of a closed editor.
    @ObservationIgnored private var last: ListReplica.Editor?

    init(_ id: ElementID, _ policy: EditorPolicy, in list: OpenList) {
        self.id = id
        self.policy = policy
        self.list = list
        last = list.replica.editors[id]
    }

    isolated deinit { if !isClosed { list.letGo(id) } }

    package var events: Told<ListReplica.EditorEvent> { Told(telling, from: 0) }

    /// The editor as it is, or was last.
    var editor: ListReplica.Editor? {
        _ = generation
        return isClosed ? last : list.replica.editors[id] ?? last
    }

    /// The element under what was typed; of a vanished or closed editor, the last value.
    package var value: Fields { editor?.value ?? Fields() }
    /// Why the element went; `nil` while it is there.
    package var vanish: Vanish? { editor?.vanish }
    /// Who else edits the element.
    var others: [UserName] { editor?.others ?? [] }
    package var hasDraft: Bool { editor?.hasDraft ?? false }

    /// Types into a draft, or writes through a live editor.
    package func type(_ changes: Fields) throws(EditorFault) {
        _ = try list.client.perform { core, now throws(EditorFault) in
            try core.type(changes, into: id, in: list.name, at: now)
        }
        changed()
    }

    /// Writes what the draft touched, and closes the editor once that is saved. Throws at once what
    /// is known at once; what the server decides is answered. `nil`: there was nothing to write.
    @discardableResult
    package func commit(_ mode: CommitMode = .ifUnchanged) throws(EditorFault) -> Decision? {
        let n = try list.client.perform { core, now throws(EditorFault) in
            try core.commit(id, mode.mode, in: list.name, at: now)
        }
        changed()
        guard let n else {
            list.closed(id)
            return nil
        }
        return list.decision(of: n)
    }

    /// Saves the last value and the draft of a vanished editor as a new element.
    @discardableResult
    package func saveAsNew(_ new: ElementID = Fresh.element(), at place: Place? = nil)
        throws(EditorFault) -> Decision
    {
        let n = try list.client.perform { core, now throws(EditorFault) in
            try core.saveAsNew(id, as: new, at: place, in: list.name, at: now)
        }
        return list.decision(of: n)
    }

    /// Brings the element of a vanished editor back, with the draft written over it.
    @discardableResult
    package func restoreWithDraft() throws(EditorFault) -> Decision {
        let n = try list.client.perform { core, now throws(EditorFault) in
            try core.restoreWithDraft(id, in: list.name, at: now)
        }
        return list.decision(of: n)
    }

    /// Closes the editor and drops its draft.
    package func cancel() {
        changed()
        _ = list.client.perform { core, now in core.cancel(id, in: list.name, at: now) }
        list.closed(id)
    }

    /// Lets go of the editor; a draft stays behind.
    func close() {
        guard !isClosed else { return }
        if let editor = list.replica.editors[id], editor.hasDraft || editor.commit != nil {
            list.closed(id)
        } else {
            cancel()
        }
    }

    func told(_ event: ListReplica.EditorEvent) {
        changed()
        telling.tell(event)
        typed?.told(event)
    }

    func closed() {
        guard !isClosed else { return }
        changed()
        isClosed = true
        telling.finish()
        typed?.closed()
    }

    private func changed() {
        if let editor = list.replica.editors[id] { last = editor }
        generation += 1
    }
}

/// What stands over an editor and is told what it is told.
@MainActor
protocol EditorFace: AnyObject {
    func told(_ event: ListReplica.EditorEvent)
    func closed()
}
