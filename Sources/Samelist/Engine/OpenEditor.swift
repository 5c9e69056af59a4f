package import ListModel
package import ListReplica
internal import Observation

/// An editor as a screen uses it: a value that follows its element by the editor's policy, and the
/// events that tell what happens to it. It can be read for ever; what it cannot do it says by
/// `EditorFault`.
@MainActor
@Observable
package final class OpenEditor {
    package let id: ElementID
    /// What happens to the element, in order, once each; ends when the editor closes.
    @ObservationIgnored package let events: AsyncStream<ListReplica.EditorEvent>
    @ObservationIgnored private let continuation: AsyncStream<ListReplica.EditorEvent>.Continuation
    @ObservationIgnored private let list: OpenList
    private var generation = 0
    package private(set) var isClosed = false
    @ObservationIgnored private var lastValue: Fields

    init(_ id: ElementID, in list: OpenList) {
        self.id = id
        self.list = list
        (events, continuation) = AsyncStream.makeStream()
        lastValue = list.replica?.editors[id]?.value ?? Fields()
    }

    private var editor: ListReplica.Editor? {
        _ = generation
        return list.replica?.editors[id]
    }

    /// The element under what was typed; of a vanished or closed editor, the last value.
    package var value: Fields { editor?.value ?? lastValue }
    /// Why the element went; `nil` while it is there.
    package var vanish: Vanish? { editor?.vanish }
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

    func told(_ event: ListReplica.EditorEvent) {
        changed()
        continuation.yield(event)
    }

    func closed() {
        isClosed = true
        generation += 1
        continuation.finish()
    }

    private func changed() {
        if let value = list.replica?.editors[id]?.value { lastValue = value }
        generation += 1
    }
}
