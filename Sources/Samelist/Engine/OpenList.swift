package import ListModel
package import ListReplica
internal import Observation

/// An open list as fields, beneath every typed one: its elements in order, one's own work shown at
/// once.
///
/// Reading is always possible, also offline and after the list is gone. Every verb answers a
/// `Decision`, which may be ignored: the work is kept, sent, and shown as it is decided.
@MainActor
@Observable
package final class OpenList {
    package let name: ListName
    /// Counts the changes of the list; reading the list depends on it.
    private var generation = 0
    /// Why the list can no longer be used; `nil` while it can.
    package private(set) var end: ListError?
    /// The last work that was refused, or could not be written.
    private(set) var lastRefusal: ListError?
    @ObservationIgnored package let client: ListClient
    @ObservationIgnored private var undecided: [MutationNumber: Decision] = [:]
    /// Of a mutation whose verb has not returned yet.
    @ObservationIgnored private var decidedEarly: [MutationNumber: Outcome] = [:]
    /// Those who wait for it to be open.
    @ObservationIgnored private var opening: [CheckedContinuation<Refusal?, Never>] = []
    /// Whether it could be read once.
    @ObservationIgnored private var wasOpened = false
    @ObservationIgnored private var patienceEnds: Timestamp?
    @ObservationIgnored private var editors: [ElementID: OpenEditor] = [:]

    init(_ name: ListName, of client: ListClient) {
        self.name = name
        self.client = client
    }

    var replica: Replica? { client.core.replicas[name] }

    /// The list as it is visible. Not to be kept: what is kept is copied by the next change.
    var state: ListState {
        _ = generation
        return replica?.list ?? ListState()
    }

    private var list: ListState { state }

    package var title: String { list.title }
    package var count: Int { list.count }
    /// All elements in order. O(n).
    package var elements: [Element] { list.elements }
    /// The element with `index` others before it; `nil` outside the list. O(log n).
    package subscript(index: Int) -> Element? { list.element(at: index) }
    package subscript(id: ElementID) -> Element? { list[id] }
    /// How many elements stand before this one. O(log n).
    package func index(of id: ElementID) -> Int? { list.index(of: id) }
    /// Mutations whose outcome is not known yet.
    package var pendingCount: Int {
        _ = generation
        return replica?.unresolved.count ?? 0
    }

    @discardableResult
    package func insert(
        _ fields: Fields, id: ElementID = Fresh.element(), at place: Place = .last
    ) -> Decision {
        submit([Operation(.insert(id, at: place, fields))])
    }

    /// Writes fields; `.null` removes one.
    @discardableResult
    package func set(_ id: ElementID, _ changes: Fields) -> Decision {
        submit([Operation(.set(id, changes))])
    }

    @discardableResult
    package func move(_ ids: [ElementID], to place: Place) -> Decision {
        submit([Operation(.move(ids, to: place))])
    }

    @discardableResult
    package func remove(_ ids: [ElementID]) -> Decision {
        submit(ids.map { Operation(.delete($0, unlessEdited: false)) })
    }

    /// The rows as they are now, for a gesture that begins: it says later, by number, what it
    /// means.
    package var shownRows: ShownRows { ShownRows(list.elements.map(\.id)) }

    @discardableResult
    package func remove(atOffsets offsets: some Sequence<Int>, of rows: ShownRows) -> Decision {
        submit(rows.remove(atOffsets: offsets))
    }

    @discardableResult
    package func move(
        fromOffsets source: some Sequence<Int>, toOffset destination: Int, of rows: ShownRows
    ) -> Decision {
        submit(rows.move(fromOffsets: source, toOffset: destination).map { [$0] } ?? [])
    }

    @discardableResult
    package func restore(_ id: ElementID) -> Decision { submit([Operation(.restore(id))]) }

    /// Operations as one mutation; with `atomic` all or nothing.
    @discardableResult
    package func submit(_ operations: [Operation], atomic: Bool = false) -> Decision {
        let n = client.perform { core, now in
            core.submit(operations, atomic: atomic, to: name, at: now)
        }
        return decision(of: n)
    }

    /// Takes one's own newest work back, as far as nobody has changed it since. `nil`: there is
    /// none.
    @discardableResult
    package func undo() -> Decision? {
        client.perform { core, now in core.undo(in: name, at: now) }.map(decision)
    }

    var canUndo: Bool {
        _ = generation
        return replica?.canUndo ?? false
    }

    var canRedo: Bool {
        _ = generation
        return replica?.canRedo ?? false
    }

    @discardableResult
    package func redo() -> Decision? {
        client.perform { core, now in core.redo(in: name, at: now) }.map(decision)
    }

    /// Opens an editor on an element; one that is open already is answered again.
    package func edit(_ id: ElementID, _ policy: EditorPolicy = .draft) throws(EditorFault)
        -> OpenEditor
    {
        if let open = editors[id] { return open }
        if replica?.editors[id] == nil {
            _ = try client.perform { core, now throws(EditorFault) in
                try core.edit(id, policy, in: name, at: now)
            }
        }
        let editor = OpenEditor(id, in: self)
        editors[id] = editor
        return editor
    }

    /// Editors of an earlier run, whose drafts were kept.
    package var keptEditors: [ElementID] { replica?.openEditors.map(\.id) ?? [] }
}

/// What the client tells.
extension OpenList {
    func refresh() {
        generation += 1
        if replica?.isLive == true { opened(nil) }
    }

    func ended(with refusal: Refusal) {
        end = ListError(refusal)
        generation += 1
        opened(refusal)
    }

    private func opened(_ refusal: Refusal?) {
        patienceEnds = nil
        for continuation in opening { continuation.resume(returning: refusal) }
        opening = []
    }

    /// Returns once the list is in step, or there is a local copy and no server within 3 seconds.
    func untilOpen() async throws(ListError) {
        if wasOpened || replica?.isLive == true { return }
        let patienceEnds = client.now.adding(milliseconds: Self.patience)
        self.patienceEnds = patienceEnds
        client.remind(at: patienceEnds) { [weak self] in self?.patienceEnds == patienceEnds }
        let refusal = await withCheckedContinuation { opening.append($0) }
        if let refusal, refusal.code != .unreachable || replica?.epoch == nil {
            throw ListError(refusal)
        }
        wasOpened = true
    }

    /// How long opening waits for the server, in milliseconds.
    private static let patience: Int64 = 3_000

    func lookAtClock(_ now: Timestamp) {
        guard let patienceEnds, now >= patienceEnds else { return }
        opened(Refusal(.unreachable, "the server does not answer; start it, or come back later"))
    }

    func told(_ event: ListReplica.EditorEvent, of id: ElementID) { editors[id]?.told(event) }

    func closed(_ id: ElementID) { editors.removeValue(forKey: id)?.closed() }

    /// What will be decided of a mutation that was just submitted; `nil`: it never was.
    func decision(of n: MutationNumber?) -> Decision {
        guard let n else {
            return Decision(.refused(Refusal(.notOpen, "the list is closed; open it again")))
        }
        if let early = decidedEarly.removeValue(forKey: n) { return Decision(early) }
        let decision = Decision()
        undecided[n] = decision
        return decision
    }

    func decided(_ n: MutationNumber, _ outcome: Outcome) {
        guard let decision = undecided.removeValue(forKey: n) else {
            // Refused before the verb that submitted it has returned.
            decidedEarly = [n: outcome]
            return
        }
        decision.decided(outcome)
    }
}
