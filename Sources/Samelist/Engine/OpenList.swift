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
    private(set) var generation = 0
    /// Counts the outcomes: of work that was part of the list already, the list does not change.
    private var outcomes = 0
    /// Why the list can no longer be used; `nil` while it can.
    package private(set) var end: ListError?
    /// Why the list is out of step, though the server is there; `nil` while it is in step.
    private(set) var trouble: ListError?
    /// The last time that the list's log was replaced.
    private(set) var logReplacement: LogReplacement?
    /// The last work that was refused, or could not be written.
    private(set) var lastRefusal: ListError?
    /// Who holds this list typed, or an editor in it, holds the client.
    @ObservationIgnored package unowned let client: ListClient
    @ObservationIgnored let replica: Replica
    /// The newest mutation of which that is asked; a newer outcome comes early.
    @ObservationIgnored private var newest: MutationNumber
    @ObservationIgnored private var undecided: [MutationNumber: Decision] = [:]
    /// Of a mutation whose verb has not returned yet.
    @ObservationIgnored private var decidedEarly:
        [MutationNumber: (outcome: Outcome, ofEditor: Bool)] = [:]
    /// Which rows may have changed, for those who follow them; who lags behind looks at all rows.
    @ObservationIgnored let touched = Telling<Touched>(most: 250)
    /// What was refused and nobody waited for.
    @ObservationIgnored let refusals = Telling<ListError>(most: 1_000)
    /// How many filters and orders are being asked.
    @ObservationIgnored var lookers = 0
    /// Those who wait for the list to open.
    @ObservationIgnored var opening: [Signal] = []
    /// Editors that somebody holds: those with drafts, and the others.
    @ObservationIgnored var drafting: [ElementID: Weak<OpenEditor>] = [:]
    @ObservationIgnored var companions: [EditorNumber: Weak<OpenEditor>] = [:]
    /// Mutations that are taken back as one, by the first of them.
    @ObservationIgnored var wholes: [MutationNumber: MutationNumber] = [:]
    /// The typed lists over this one, by their elements' type.
    @ObservationIgnored var typed: [ObjectIdentifier: Weak<AnyObject>] = [:]

    init(_ replica: Replica, of client: ListClient) {
        name = replica.name
        self.client = client
        self.replica = replica
        newest = replica.lastNumber
        replica.tellsTouched = true
    }

    /// Those of the server, once it has told them.
    var limits: Limits {
        get { replica.limits }
        set { replica.limits = newValue }
    }

    /// The list as it is visible. Not to be kept: what is kept is copied by the next change.
    var state: ListState {
        _ = generation
        return replica.list
    }

    private var list: ListState { state }

    /// The last entry that is part of the list here.
    var version: Version {
        _ = generation
        return replica.speculation.confirmedHead
    }

    package var title: String { list.title }
    package var count: Int { list.count }
    /// All elements in order. O(n).
    package var elements: [Element] { list.elements }
    /// The element with `index` others before it; `nil` outside the list. O(log n).
    package subscript(index: Int) -> Element? { list.element(at: index) }
    package subscript(id: ElementID) -> Element? { list[id] }
    /// How many elements stand before this one. O(log n).
    package func index(of id: ElementID) -> Int? { list.index(of: id) }
    func othersEditing(_ id: ElementID) -> [UserName] {
        _ = generation
        return replica.othersEditing(id)
    }

    /// Mutations whose outcome is not known yet.
    package var pendingCount: Int {
        observeWork()
        return replica.unresolved.count
    }

    /// What waits, and what can be undone, change with the list and with outcomes.
    func observeWork() {
        _ = generation
        _ = outcomes
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
        decision(of: propose(operations, atomic: atomic))
    }

    /// `nil`: the list is not open.
    func propose(_ operations: [Operation], atomic: Bool = false) -> MutationNumber? {
        client.perform { core, now in
            core.submit(operations, atomic: atomic, to: name, at: now)
        }
    }

    /// Takes one's own newest work back, as far as nobody has changed it since. `nil`: there is
    /// none.
    @discardableResult
    package func undo() -> Decision? {
        client.perform { core, now in core.undo(in: name, at: now) }.map { decision(of: $0) }
    }

    var canUndo: Bool {
        observeWork()
        return replica.canUndo
    }

    var canRedo: Bool {
        observeWork()
        return replica.canRedo
    }

    @discardableResult
    package func redo() -> Decision? {
        client.perform { core, now in core.redo(in: name, at: now) }.map { decision(of: $0) }
    }
}

/// What the client tells.
extension OpenList {
    func refresh() {
        generation += 1
        let rows = replica.takeTouched()
        if !rows.isEmpty { touched.tell(rows) }
        if replica.isLive { trouble = nil }
        wake()
    }

    /// The list could not be opened, or opened again; that may change.
    func failed(with refusal: Refusal) {
        trouble = ListError(refusal)
        refresh()
    }

    /// The list is no more, or was closed here.
    package func ended(with refusal: Refusal) {
        guard end == nil else { return }
        end = ListError(refusal)
        refresh()
        touched.finish()
        refusals.finish()
        for decision in undecided.values { decision.decided(.refused(refusal)) }
        undecided = [:]
        let open = drafting.values.compactMap(\.object) + companions.values.compactMap(\.object)
        for editor in open { editor.end(.listClosed(ListError(refusal))) }
    }

    /// What will be decided of a mutation that was just submitted; `nil`: it never was. What was
    /// refused at once is told, but where the verb throws it.
    func decision(of n: MutationNumber?, isThrown: Bool = false) -> Decision {
        guard let n else {
            return Decision(.refused(Refusal(.notOpen, "the list is closed; open it again")))
        }
        newest = max(newest, n)
        if let early = decidedEarly.removeValue(forKey: n) {
            var isTold = !isThrown
            if case .refused = early.outcome {} else { isTold = true }
            if isTold, !early.ofEditor, let error = ListError(early.outcome) { refused(error) }
            return Decision(early.outcome)
        }
        let decision = Decision()
        undecided[n] = decision
        return decision
    }

    func decided(_ n: MutationNumber, _ outcome: Outcome, ofEditor: Bool) {
        outcomes += 1
        if n > newest {
            // Before the verb that submitted it has returned.
            decidedEarly = [n: (outcome, ofEditor)]
            return
        }
        let decision = undecided.removeValue(forKey: n)
        let isAwaited = ofEditor || decision?.isAwaited ?? false
        if !isAwaited, let error = ListError(outcome) { refused(error) }
        decision?.decided(outcome)
    }

    func replaced(_ replacement: LogReplacement) { logReplacement = replacement }

    /// Tells whoever listens what could not be done.
    func refused(_ error: ListError) {
        lastRefusal = error
        refusals.tell(error)
    }
}
