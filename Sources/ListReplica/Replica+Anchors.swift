internal import ListModel

/// Places that name elements which were forgotten while this client was away.
extension Replica {
    /// The visible list as it is now, where a change may take elements out of it that pending work
    /// names; `nil` where it cannot, since a copy costs a pass over the list.
    func knownBefore(_ entries: [Entry]) -> ListState? {
        guard !speculation.pending.isEmpty else { return nil }
        let forgets = entries.contains { entry in
            entry.operations.contains {
                if case .forget = $0 { return true }
                return false
            }
        }
        return forgets ? list : nil
    }

    /// Gives pending work another place, where its own is unknown by now: behind the nearest
    /// neighbour to the left that still stands. What was ever sent stays as it is: it may wait for
    /// the log, and the same number with another content would be refused.
    func anchorAnew(knowing before: ListState) {
        let own = Set(unresolved.flatMap(\.insertedIDs))
        var isChanged = false
        for index in unresolved.indices where isUnsent(unresolved[index].mutation.n) {
            let operations = unresolved[index].mutation.operations
            let anew = operations.map { anchored($0, own, before) }
            guard anew != operations else { continue }
            unresolved[index].mutation.operations = anew
            unresolved[index].ticket = ticket
            store(unresolved[index])
            isChanged = true
        }
        if isChanged { proposeAgain() }
    }

    private func isUnsent(_ n: MutationNumber) -> Bool {
        n > (Faults.has(.anchoredUnderSentNumber) ? sentThrough : everSent)
    }

    private func anchored(
        _ operation: Operation, _ own: Set<ElementID>, _ before: ListState
    ) -> Operation {
        var operation = operation
        switch operation.intent {
        case .insert(let id, let place, let fields):
            guard let place = standing(for: place, own, before) else { break }
            operation.intent = .insert(id, at: place, fields)
        case .move(let ids, let place):
            guard let place = standing(for: place, own, before) else { break }
            operation.intent = .move(ids, to: place)
        case .set, .count, .delete, .restore, .describe, .forget: break
        }
        return operation
    }

    /// `nil` where the place is as good as it was.
    private func standing(
        for place: Place, _ own: Set<ElementID>, _ before: ListState
    ) -> Place? {
        switch place {
        case .first, .last: return nil
        case .after(let id), .before(let id):
            guard !isKnown(id), !own.contains(id), before.orderIndex(of: id) != nil else {
                return nil
            }
            var left = before.id(before: id)
            while let id = left, !isKnown(id) { left = before.id(before: id) }
            return left.map { .after($0) } ?? .first
        }
    }

    private func isKnown(_ id: ElementID) -> Bool { list.orderIndex(of: id) != nil }

    /// Plays the pending work again, as `unresolved` has it now.
    private func proposeAgain() {
        let mutations = Dictionary(
            unresolved.map { ($0.mutation.n, $0.mutation) }, uniquingKeysWith: { $1 })
        let waiting = speculation.pending
        speculation.rebase({ self.context(of: $0) }, dropping: { _ in true }, { _ in })
        for pending in waiting {
            let mutation = mutations[pending.mutation.n] ?? pending.mutation
            speculation.propose(mutation, context(of: pending))
        }
    }
}
