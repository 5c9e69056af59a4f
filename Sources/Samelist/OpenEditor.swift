public import ListModel
public import ListReplica
public import Observation

/// An editor as a screen uses it: a value that follows its element by the editor's policy, and the
/// events that tell what happens to it. It can be read for ever; what it cannot do it says by
/// `EditorFault`.
@MainActor
@Observable
public final class OpenEditor {
    public let id: ElementID
    /// What happens to the element, in order, once each; ends when the editor closes.
    @ObservationIgnored public let events: AsyncStream<EditorEvent>
    @ObservationIgnored private let continuation: AsyncStream<EditorEvent>.Continuation
    @ObservationIgnored private let list: OpenList
    private var generation = 0
    public private(set) var isClosed = false
    @ObservationIgnored private var lastValue: Fields

    init(_ id: ElementID, in list: OpenList) {
        self.id = id
        self.list = list
        (events, continuation) = AsyncStream.makeStream()
        lastValue = list.replica?.editors[id]?.value ?? Fields()
    }

    private var editor: Editor? {
        _ = generation
        return list.replica?.editors[id]
    }

    /// The element under what was typed; of a vanished or closed editor, the last value.
    public var value: Fields { editor?.value ?? lastValue }
    /// Why the element went; `nil` while it is there.
    public var vanish: Vanish? { editor?.vanish }
    public var hasDraft: Bool { editor?.hasDraft ?? false }

    /// Types into a draft, or writes through a live editor.
    public func type(_ changes: Fields) throws(EditorFault) {
        _ = try list.client.perform { core, now throws(EditorFault) in
            try core.type(changes, into: id, in: list.name, at: now)
        }
        changed()
    }

    /// Writes what the draft touched, and closes the editor once that is saved. Throws at once what
    /// is known at once; what the server decides is answered. `nil`: there was nothing to write.
    @discardableResult
    public func commit(_ mode: CommitMode = .ifUnchanged) throws(EditorFault) -> Submission? {
        let n = try list.client.perform { core, now throws(EditorFault) in
            try core.commit(id, mode.mode, in: list.name, at: now)
        }
        changed()
        guard let n else {
            list.closed(id)
            return nil
        }
        return Submission(n: n, list: list)
    }

    /// Saves the last value and the draft of a vanished editor as a new element.
    @discardableResult
    public func saveAsNew(_ new: ElementID = Fresh.element(), at place: Place? = nil)
        throws(EditorFault) -> Submission
    {
        let n = try list.client.perform { core, now throws(EditorFault) in
            try core.saveAsNew(id, as: new, at: place, in: list.name, at: now)
        }
        return Submission(n: n, list: list)
    }

    /// Brings the element of a vanished editor back, with the draft written over it.
    @discardableResult
    public func restoreWithDraft() throws(EditorFault) -> Submission {
        let n = try list.client.perform { core, now throws(EditorFault) in
            try core.restoreWithDraft(id, in: list.name, at: now)
        }
        return Submission(n: n, list: list)
    }

    /// Closes the editor and drops its draft.
    public func cancel() {
        changed()
        _ = list.client.perform { core, now in core.cancel(id, in: list.name, at: now) }
        list.closed(id)
    }

    func told(_ event: EditorEvent) {
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

/// How a commit meets what others wrote meanwhile.
public enum CommitMode: Sendable {
    /// Refuses with the conflict.
    case ifUnchanged
    case overwrite
    /// Merges texts by words, and refuses where both changed the same ones.
    case merge

    var mode: Editor.Commit.Mode {
        switch self {
        case .ifUnchanged: .ifUnchanged
        case .overwrite: .overwrite
        case .merge: .merge
        }
    }
}
