package import ListModel
internal import ListProtocol

/// One's own work: proposed at once, sent when it is durable here, and reported when it is decided.
extension Replica {
    /// Applies operations to the visible list and queues them for the server. Answers the number
    /// under which the outcome will be reported.
    func submit(
        _ operations: [Operation], atomic: Bool = false, editor: ElementID? = nil,
        origin: MutationNumber? = nil, at now: Timestamp
    ) -> MutationNumber {
        submit(operations, atomic, as: .work, editor, origin, now)
    }

    func submit(
        _ operations: [Operation], _ atomic: Bool, as kind: UndoStack.Kind, _ editor: ElementID?,
        _ origin: MutationNumber?, _ now: Timestamp
    ) -> MutationNumber {
        lastNumber = lastNumber.next
        let mutation = Mutation(
            client: client, n: lastNumber, operations: restingOnInserts(operations),
            atomic: atomic)
        let waiting = Unresolved(
            mutation: mutation, at: now, ticket: ticket, editor: editor,
            commit: editor.flatMap { editors[$0]?.commit }, origin: origin, undoes: kind.undone)
        if let refusal = refusal(of: mutation) {
            let answer = ServerMessage.Answer(.refused(refusal))
            _ = settle(waiting, answer)
            report(waiting, answer)
            storePosition()
            return mutation.n
        }
        enqueue(waiting)
        speculation.propose(mutation, context(at: now, by: user))
        store(waiting)
        undoStack.submitted(mutation.n, as: kind)
        showOwn(operations)
        news.append(.changed(name))
        return mutation.n
    }

    private func showOwn(_ operations: [Operation]) {
        if together == nil, !hasOnlookers {
            if tellsTouched { touchedRows.add(operations, user) }
            return
        }
        let touched = Set(operations.flatMap(\.targets))
        touch(touched, Dictionary(touched.map { ($0, user) }, uniquingKeysWith: { $1 }))
        refreshEditors(.own, only: touched)
    }

    private func restingOnInserts(_ operations: [Operation]) -> [Operation] {
        let inserts = waitingInserts
        let mayRest = operations.contains { operation in
            guard let inserts else { return true }
            var isThere = false
            operation.forEachTarget { if inserts[$0] != nil { isThere = true } }
            return isThere
        }
        return mayRest ? operations.map(restingOnInserts) : operations
    }

    /// Work on an element whose insert waits must not fall on another's, should the insert be
    /// refused.
    private func restingOnInserts(_ operation: Operation) -> Operation {
        if case .insert = operation.intent { return operation }
        var operation = operation
        for id in operation.targets {
            guard let n = pendingInsert(of: id) else { continue }
            operation.condition = operation.condition ?? Condition()
            if operation.condition?.needs == nil { operation.condition?.needs = n }
        }
        return operation
    }

    /// The waiting mutation that inserts an element.
    func pendingInsert(of id: ElementID) -> MutationNumber? {
        let inserts = waitingInserts ?? unresolved.reduce(into: [:]) { $0.note($1) }
        waitingInserts = inserts
        return inserts[id]
    }

    /// Behind all that waits. What was gathered of that stays, so that long queues grow fast.
    private func enqueue(_ waiting: Unresolved) {
        var inserts = waitingInserts
        unresolved.append(waiting)
        inserts?.note(waiting)
        waitingInserts = inserts
    }

    /// Takes the newest own work back. `nil`: there is nothing to undo.
    func undo(at now: Timestamp) -> MutationNumber? {
        guard let step = undoStack.takeUndo() else { return nil }
        return submit(inverse(of: step), false, as: .undo(step), nil, nil, now)
    }

    func redo(at now: Timestamp) -> MutationNumber? {
        guard let step = undoStack.takeRedo() else { return nil }
        return submit(inverse(of: step), false, as: .redo(step), nil, nil, now)
    }

    package var canUndo: Bool { !undoStack.undoable.isEmpty }
    package var canRedo: Bool { !undoStack.redoable.isEmpty }
    /// The mutation that `undo` would take back, and the one that `redo` would.
    package var nextUndo: MutationNumber? { undoStack.undoable.last?.n }
    package var nextRedo: MutationNumber? { undoStack.redoable.last?.n }

    private func inverse(of step: UndoStack.Step) -> [Operation] {
        if let inverse = step.inverse {
            return Faults.has(.undoUnconditional) ? inverse.map { Operation($0.intent) } : inverse
        }
        guard let pending = speculation.pending.first(where: { $0.mutation.n == step.n }) else {
            return []
        }
        // Where nothing comes of the work, there is nothing to take back.
        return list.inverse(of: pending.resolution, at: nil).map { operation in
            var operation = operation
            operation.condition = operation.condition ?? Condition()
            operation.condition?.needs = step.n
            return operation
        }
    }

    /// Sends what is durable here, oldest first, a bounded number at a time.
    func sendWaiting() {
        guard case .live = sync else { return }
        // Looks at all that waits, so only where something is sent.
        lazy var heard = self.heard
        let repeated = everSentBefore
        for index in unresolved.indices.prefix(Self.window).dropFirst(sentCount) {
            guard unresolved[index].ticket <= saved || Faults.has(.sentBeforeSaved) else { return }
            let mutation = unresolved[index].mutation
            guard mutation.n <= released || Faults.has(.sentBeforeSaved) else { return }
            let again = mutation.n <= repeated
            // Should the list have forgotten this client, all that waits gets new numbers.
            if !again, isRepeating { return }
            outbox.append(
                .submit(
                    ClientMessage.Submission(
                        list: name, n: mutation.n, heard: heard,
                        operations: mutation.operations, atomic: mutation.atomic,
                        epoch: epoch, again: again)))
            sentThrough = mutation.n
            if Faults.has(.pendingForgottenWhenSent) {
                writes.append(.remove(keys.pending(sentThrough)))
            }
            everSent = max(everSent, sentThrough)
        }
    }

    /// How many of those that wait went out on this connection: the first, as all are in order.
    private var sentCount: Int {
        var low = 0
        var high = unresolved.count
        while low < high {
            let middle = (low + high) / 2
            if unresolved[middle].mutation.n <= sentThrough {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Mutations under way at once.
    private static let window = 256

    /// An outcome that comes while the list is fetched rests on entries that are not applied yet,
    /// and waits for them.
    func received(_ answer: ServerMessage.Answer, for n: MutationNumber, at now: Timestamp) {
        switch sync {
        case .leaving where Faults.has(.outcomeBeforeEntries): break
        case .leaving, .opening: return early.append((n, answer))
        case .away, .live, .gone, .failed: break
        }
        guard let index = unresolved.firstIndex(where: { $0.mutation.n == n }) else { return }
        // What was on its way when the list was taken away waits for it to come back.
        if hasLostAccess, !isLive { return }
        if case .refused(let refusal) = answer.outcome, refusal.code == .forgotten {
            return forgotten(from: index, answer, at: now)
        }
        if case .refused(let refusal) = answer.outcome, refusal.code == .numberReused {
            return reused(index, answer, at: now)
        }
        decided(index, answer, at: now)
    }

    func decided(_ index: Int, _ answer: ServerMessage.Answer, at now: Timestamp) {
        let n = unresolved[index].mutation.n
        let waiting = unresolved.remove(at: index)
        forget(waiting)
        var by: [ElementID: UserName] = [:]
        switch answer.outcome {
        case .logged(_, let skips): note(skips, &by)
        case .nothing(let skips):
            note(skips, &by)
            undoStack.dropped(n)
            if !waiting.insertedIDs.isEmpty { rejected[n] = skips.first?.code }
        case .refused(let refusal):
            undoStack.dropped(n)
            if !waiting.insertedIDs.isEmpty { rejected[n] = refusal.code }
        }
        let isEditors = settle(waiting, answer)
        drop(n, by, Set(waiting.mutation.operations.flatMap(\.targets)))
        let isItsOwn = isEditors || Faults.has(.draftOfAnotherEditor)
        if !isItsOwn || !proposedAgain(waiting, after: answer, at: now) {
            report(waiting, answer)
        }
        if unresolved.isEmpty, together == nil { rejected = [:] }
        if together == nil { keptFor = [:] }
        storePosition()
    }

    /// Takes work whose outcome is known from what is stored; until that is durable a crash brings
    /// it back, and it rests on what it rested on.
    func forget(_ waiting: Unresolved) {
        let n = waiting.mutation.n
        writes.append(.remove(keys.pending(n)))
        leaving[n] = ticket
        for needed in waiting.mutation.operations.compactMap({ $0.condition?.needs }) {
            leaving[needed] = ticket
        }
    }

    private func note(_ skips: [Skip], _ by: inout [ElementID: UserName]) {
        // Who removed an element is no reason for what is seen of it now.
        for skip in skips where skip.code != .removed {
            guard let id = skip.id, let name = skip.by else { continue }
            if skip.code == .beingEdited { keptFor[id] = name } else { by[id] = name }
        }
    }

    /// Takes a decided mutation from under the visible list, if it is still there.
    private func drop(
        _ n: MutationNumber, _ by: [ElementID: UserName], _ touched: Set<ElementID>
    ) {
        guard isVisible(n) else {
            return refreshEditors(.remote(by: by), only: touched)
        }
        takeBack([n])
        let all = touched.union(pendingTargets)
        touch(all, by)
        refreshEditors(.remote(by: by), only: all)
        news.append(.changed(name))
    }

    /// Whether it is still under the visible list, where work stands in the order of its numbers.
    private func isVisible(_ n: MutationNumber) -> Bool {
        let pending = speculation.pending
        var low = pending.startIndex
        var high = pending.endIndex
        while low < high {
            let middle = (low + high) / 2
            if pending[middle].mutation.n < n { low = middle + 1 } else { high = middle }
        }
        return low < pending.endIndex && pending[low].mutation.n == n
    }

    func report(_ waiting: Unresolved, _ answer: ServerMessage.Answer) {
        let report = Report(
            answer: answer, operations: waiting.mutation.operations, editor: waiting.editor)
        news.append(.outcome(name, waiting.origin ?? waiting.mutation.n, report))
    }

    /// Forgets work that was not sent yet. False: there is none under this number.
    func discard(_ n: MutationNumber) -> Bool {
        guard let waiting = unresolved.first(where: { $0.mutation.n == n }), n > sentThrough else {
            return false
        }
        unresolved.removeAll { $0.mutation.n == n }
        if !Faults.has(.discardedComesBack) { forget(waiting) }
        undoStack.dropped(n)
        if let id = waiting.editor { abandonCommit(of: id) }
        if !waiting.insertedIDs.isEmpty {
            rejected[n] = .noSuchElement
            if mayBeLogged(n) { discardedUnknown.insert(n) }
        }
        drop(n, [:], Set(waiting.mutation.operations.flatMap(\.targets)))
        storePosition()
        return true
    }
}

extension [ElementID: MutationNumber] {
    fileprivate mutating func note(_ waiting: Replica.Unresolved) {
        for id in waiting.insertedIDs where self[id] == nil { self[id] = waiting.mutation.n }
    }
}

extension Replica.Unresolved {
    var insertedIDs: [ElementID] {
        mutation.operations.compactMap {
            if case .insert(let id, _, _) = $0.intent { return id }
            return nil
        }
    }
}
