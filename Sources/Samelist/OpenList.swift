public import ListModel
public import ListReplica
public import Observation

/// An open list: its elements in order, one's own work shown at once.
///
/// Reading is always possible, also offline and after the list is gone. Every verb answers a
/// `Submission`, which may be ignored: the work is kept, sent, and shown as it is decided.
@MainActor
@Observable
public final class OpenList {
    public let name: ListName
    /// Counts the changes of the list; reading the list depends on it.
    private var generation = 0
    /// Why the list can no longer be used; `nil` while it can.
    public private(set) var end: Refusal?
    @ObservationIgnored public let client: ListClient
    @ObservationIgnored private var waiting: [MutationNumber: CheckedContinuation<Outcome, Never>] =
        [:]
    @ObservationIgnored private var decidedEarly: [MutationNumber: Outcome] = [:]
    @ObservationIgnored private var opening: CheckedContinuation<Refusal?, Never>?
    @ObservationIgnored private var patienceEnds: Timestamp?
    @ObservationIgnored private var editors: [ElementID: OpenEditor] = [:]

    init(_ name: ListName, of client: ListClient) {
        self.name = name
        self.client = client
    }

    var replica: Replica? { client.core.replicas[name] }

    private var list: ListState {
        _ = generation
        return replica?.list ?? ListState()
    }

    public var title: String { list.title }
    public var count: Int { list.count }
    /// All elements in order. O(n).
    public var elements: [Element] { list.elements }
    /// The element with `index` others before it; `nil` outside the list. O(log n).
    public subscript(index: Int) -> Element? { list.element(at: index) }
    public subscript(id: ElementID) -> Element? { list[id] }
    /// How many elements stand before this one. O(log n).
    public func index(of id: ElementID) -> Int? { list.index(of: id) }
    /// Mutations whose outcome is not known yet.
    public var pendingCount: Int {
        _ = generation
        return replica?.unresolved.count ?? 0
    }

    @discardableResult
    public func insert(
        _ fields: Fields, id: ElementID = Fresh.element(), at place: Place = .last
    ) -> Submission {
        submit([Operation(.insert(id, at: place, fields))])
    }

    /// Writes fields; `.null` removes one.
    @discardableResult
    public func set(_ id: ElementID, _ changes: Fields) -> Submission {
        submit([Operation(.set(id, changes))])
    }

    @discardableResult
    public func move(_ ids: [ElementID], to place: Place) -> Submission {
        submit([Operation(.move(ids, to: place))])
    }

    @discardableResult
    public func remove(_ ids: [ElementID]) -> Submission {
        submit(ids.map { Operation(.delete($0, unlessEdited: false)) })
    }

    /// The rows as they are now, for a gesture that begins: it says later, by number, what it
    /// means.
    public var shownRows: ShownRows { ShownRows(list.elements.map(\.id)) }

    @discardableResult
    public func remove(atOffsets offsets: some Sequence<Int>, of rows: ShownRows) -> Submission {
        submit(rows.remove(atOffsets: offsets))
    }

    @discardableResult
    public func move(
        fromOffsets source: some Sequence<Int>, toOffset destination: Int, of rows: ShownRows
    ) -> Submission {
        submit(rows.move(fromOffsets: source, toOffset: destination).map { [$0] } ?? [])
    }

    @discardableResult
    public func restore(_ id: ElementID) -> Submission { submit([Operation(.restore(id))]) }

    /// Operations as one mutation; with `atomic` all or nothing.
    @discardableResult
    public func submit(_ operations: [Operation], atomic: Bool = false) -> Submission {
        let n = client.perform { core, now in
            core.submit(operations, atomic: atomic, to: name, at: now)
        }
        return Submission(n: n, list: self)
    }

    /// Takes one's own newest work back, as far as nobody has changed it since. `nil`: there is
    /// none.
    @discardableResult
    public func undo() -> Submission? {
        client.perform { core, now in core.undo(in: name, at: now) }.map {
            Submission(n: $0, list: self)
        }
    }

    @discardableResult
    public func redo() -> Submission? {
        client.perform { core, now in core.redo(in: name, at: now) }.map {
            Submission(n: $0, list: self)
        }
    }

    /// Opens an editor on an element; one that is open already is answered again.
    public func edit(_ id: ElementID, _ policy: EditorPolicy = .draft) throws(EditorFault)
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
    public var keptEditors: [ElementID] { replica?.openEditors.map(\.id) ?? [] }
}

/// What the client tells.
extension OpenList {
    func refresh() {
        generation += 1
        if replica?.isLive == true { opened(nil) }
    }

    func ended(with refusal: Refusal) {
        end = refusal
        generation += 1
        opened(refusal)
    }

    private func opened(_ refusal: Refusal?) {
        patienceEnds = nil
        opening?.resume(returning: refusal)
        opening = nil
    }

    /// Returns once the list is in step, or there is a local copy and no server within 3 seconds.
    func untilOpen() async throws(ClientFault) {
        if replica?.isLive == true { return }
        let patienceEnds = client.now.adding(milliseconds: Self.patience)
        self.patienceEnds = patienceEnds
        client.remind(at: patienceEnds) { [weak self] in self?.patienceEnds == patienceEnds }
        let refusal = await withCheckedContinuation { opening = $0 }
        guard let refusal else { return }
        if refusal.code == .unreachable, replica?.epoch != nil { return }
        throw .refused(refusal)
    }

    /// How long opening waits for the server, in milliseconds.
    private static let patience: Int64 = 3_000

    func lookAtClock(_ now: Timestamp) {
        guard let patienceEnds, now >= patienceEnds else { return }
        opened(Refusal(.unreachable, "the server does not answer; start it, or come back later"))
    }

    func told(_ event: EditorEvent, of id: ElementID) { editors[id]?.told(event) }

    func closed(_ id: ElementID) { editors.removeValue(forKey: id)?.closed() }

    func decided(_ n: MutationNumber, _ outcome: Outcome) {
        if let continuation = waiting.removeValue(forKey: n) {
            continuation.resume(returning: outcome)
        } else {
            decidedEarly[n] = outcome
            if decidedEarly.count > 1_000 { decidedEarly = [n: outcome] }
        }
    }

    func outcome(of n: MutationNumber) async -> Outcome {
        if let outcome = decidedEarly.removeValue(forKey: n) { return outcome }
        return await withCheckedContinuation { waiting[n] = $0 }
    }
}

/// Work on its way to the server.
@MainActor
public struct Submission {
    let n: MutationNumber?
    let list: OpenList

    /// What became of it; waits for the server as long as it takes.
    public func outcome() async -> Outcome {
        guard let n else { return .refused(Refusal(.notOpen, "the list is closed; open it again")) }
        return await list.outcome(of: n)
    }
}
