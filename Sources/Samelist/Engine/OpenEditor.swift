package import ListModel
package import ListReplica
internal import Observation

/// An editor as fields, beneath every typed one. It can be read for ever; what it cannot do it says
/// by `EditorFault`.
///
/// One that drafts is shared by all who draft on the element, since there is one draft; any other
/// belongs to whoever opened it. It keeps its client alive.
@MainActor
@Observable
package final class OpenEditor {
    package let id: ElementID
    package let policy: EditorPolicy
    /// What happens to the element, in order, once each; ends when the editor closes.
    @ObservationIgnored let telling = Telling<ListReplica.EditorEvent>(most: 1_000)
    @ObservationIgnored let list: OpenList
    @ObservationIgnored private let client: ListClient
    /// Among the companions; `nil`: it is the editor with the draft.
    @ObservationIgnored private let number: EditorNumber?
    /// The typed editors over this one.
    @ObservationIgnored private var faces: [WeakFace] = []
    private var generation = 0
    /// Why it is closed; `nil` while it is open.
    private(set) var closeReason: EditorCloseReason?
    /// Of a closed editor.
    @ObservationIgnored private var last: ListReplica.Editor?
    /// What closes it once the server agrees.
    @ObservationIgnored private var ending = EditorCloseReason.committed

    init(_ id: ElementID, _ policy: EditorPolicy, _ number: EditorNumber?, in list: OpenList) {
        self.id = id
        self.policy = policy
        self.number = number
        self.list = list
        client = list.client
        last = replicated
    }

    isolated deinit {
        telling.finish()
        if closeReason == nil { list.letGo(id, number) }
    }

    package var events: Told<ListReplica.EditorEvent> { Told(telling, from: 0) }
    package var isClosed: Bool { closeReason != nil }

    private var replicated: ListReplica.Editor? {
        number.map { list.replica.companions[$0] } ?? list.replica.editors[id]
    }

    /// The editor as it is, or was last.
    var editor: ListReplica.Editor? {
        _ = generation
        if isClosed { return last }
        // One's own work on the element, and a commit that comes to nothing, are no events.
        list.observeWork()
        return replicated ?? last
    }

    /// The element under what was typed; of a vanished or closed editor, the last value.
    package var value: Fields { editor?.value ?? Fields() }
    /// Why the element went; `nil` while it is there.
    package var vanish: Vanish? { editor?.vanish }

    /// Types into a draft, or writes through a live editor: then what is decided is answered. What
    /// is refused at once is told by that alone.
    @discardableResult
    package func type(_ changes: Fields) throws(EditorFault) -> Decision? {
        if isClosed { throw .notOpen }
        let n = try client.perform { core, now throws(EditorFault) -> MutationNumber? in
            if let number {
                return try core.type(changes, into: number, in: list.name, at: now)
            }
            return try core.type(changes, into: id, in: list.name, at: now)
        }
        defer { changed() }
        return n.map { list.decision(of: $0, isThrown: true) }
    }

    /// Writes what the draft touched, and closes the editor once that is saved. Throws at once what
    /// is known at once; what the server decides is answered. `nil`: there was nothing to write.
    @discardableResult
    package func commit(_ mode: CommitMode = .ifUnchanged) throws(EditorFault) -> Decision? {
        if isClosed { throw .notOpen }
        guard number == nil else {
            if policy == .snapshot { throw .readOnly }
            if let vanish { throw .vanished(vanish) }
            // All that was written is on its way already.
            end(.committed)
            return nil
        }
        let n = try client.perform { core, now throws(EditorFault) in
            try core.commit(id, mode.mode, in: list.name, at: now)
        }
        return submittedOrEnded(n, toBe: .committed)
    }

    /// Saves the last value and the draft of a vanished editor as a new element.
    @discardableResult
    package func saveAsNew(_ new: ElementID = Fresh.element(), at place: Place? = nil)
        throws(EditorFault) -> Decision
    {
        if number != nil {
            try checkCompanionGone(canReturn: false)
            let isKnown = list.state.orderIndex(of: id) != nil
            let spot = place ?? (isKnown ? .after(id) : .last)
            return list.insert(value.withoutNulls, id: new, at: spot)
        }
        let n = try client.perform { core, now throws(EditorFault) in
            try core.saveAsNew(id, as: new, at: place, in: list.name, at: now)
        }
        return submitted(n, toBe: .savedAsNew)
    }

    /// Brings the element of a vanished editor back, with the draft written over it.
    @discardableResult
    package func restoreWithDraft() throws(EditorFault) -> Decision {
        if number != nil {
            try checkCompanionGone(canReturn: true)
            return list.restore(id)
        }
        let n = try client.perform { core, now throws(EditorFault) in
            try core.restoreWithDraft(id, in: list.name, at: now)
        }
        return submitted(n, toBe: .restored)
    }

    private func checkCompanionGone(canReturn: Bool) throws(EditorFault) {
        if isClosed { throw .notOpen }
        guard let vanish else { throw .notVanished }
        switch vanish.cause {
        case .listDeleted, .accessLost: throw .vanished(vanish)
        case .rejected: if canReturn { throw .vanished(vanish) }
        case .deleted, .missing: break
        }
    }

    private func submittedOrEnded(_ n: MutationNumber?, toBe reason: EditorCloseReason) -> Decision?
    {
        guard let n else {
            end(reason)
            return nil
        }
        return submitted(n, toBe: reason)
    }

    private func submitted(_ n: MutationNumber, toBe reason: EditorCloseReason) -> Decision {
        ending = reason
        changed()
        return list.decision(of: n)
    }

    /// The server has it.
    func saved() { end(ending) }

    /// Closes the editor and drops its draft.
    package func cancel() { end(.discarded) }

    /// Lets go of the editor; a draft stays behind.
    func close() { end(.closed) }

    /// Ends it for all who look through it.
    func end(_ reason: EditorCloseReason) {
        guard !isClosed else { return }
        changed()
        closeReason = reason
        if let number {
            list.companions[number] = nil
            client.perform { core, now in core.dismiss(number, in: list.name, at: now) }
        } else {
            list.drafting[id] = nil
            let isKept = last.map { $0.hasDraft || $0.commit != nil } ?? false
            if reason == .discarded || reason == .closed && !isKept {
                _ = client.perform { core, now in core.cancel(id, in: list.name, at: now) }
            }
        }
        telling.finish()
        for face in open { face.closed(reason) }
        faces = []
    }

    func told(_ event: ListReplica.EditorEvent) {
        changed()
        telling.tell(event)
        let open = open
        for face in open { face.told(event) }
        if case .vanished = event { for face in open { face.obeyRule() } }
    }

    private func changed() {
        if let replicated { last = replicated }
        generation += 1
    }
}

/// Those who look through an editor.
extension OpenEditor {
    private var open: [any EditorFace] { faces.compactMap(\.face) }

    func add(_ face: any EditorFace) {
        faces.removeAll { $0.face == nil }
        faces.append(WeakFace(face: face))
    }

    /// One leaves; the last one closes the editor.
    func leave(_ face: any EditorFace) {
        faces.removeAll { $0.face == nil || $0.face === face }
        if faces.isEmpty { close() }
    }

    /// Whether others than this one look through it.
    func isShared(by face: any EditorFace) -> Bool { open.contains { $0 !== face } }
}

/// What stands over an editor and is told what it is told.
@MainActor
protocol EditorFace: AnyObject {
    func told(_ event: ListReplica.EditorEvent)
    /// The element went, and all were told.
    func obeyRule()
    func closed(_ reason: EditorCloseReason)
}

private struct WeakFace {
    weak var face: (any EditorFace)?
}
