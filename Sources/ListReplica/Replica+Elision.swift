internal import ListModel
internal import ListProtocol

/// Work that the server never needs to see.
extension Replica {
    /// What was taken back before it was ever sent is not sent at all: its traces would fall on
    /// what others wrote in the meantime.
    func dropUndone() {
        var gone: Set<MutationNumber> = []
        for waiting in unresolved.reversed() where !gone.contains(waiting.mutation.n) {
            guard let undone = waiting.undoes, undone > everSent, !gone.contains(undone),
                let work = unresolved.first(where: { $0.mutation.n == undone })
            else { continue }
            gone.formUnion([undone, waiting.mutation.n])
            undoStack.elided(
                waiting.mutation.n, redoing: redoing(work, takenBackBy: waiting.mutation.n))
        }
        guard !gone.isEmpty else { return }
        let dropped = unresolved.filter { gone.contains($0.mutation.n) }
        unresolved.removeAll { gone.contains($0.mutation.n) }
        let nothing = ServerMessage.Answer(.nothing(skips: []))
        for waiting in dropped {
            forget(waiting)
            if !waiting.insertedIDs.isEmpty { rejected[waiting.mutation.n] = .noSuchElement }
            _ = settle(waiting, nothing)
        }
        takeBack(gone)
        let touched = Set(dropped.flatMap { $0.mutation.operations.flatMap(\.targets) })
        touch(touched.union(pendingTargets))
        refreshEditors(.remote(by: [:]), only: touched.union(pendingTargets))
        for waiting in dropped { report(waiting, nothing) }
        news.append(.changed(name))
        storePosition()
    }

    /// Doing it again takes the undo back, with its conditions: others may have written there
    /// since. What was inserted is inserted anew.
    private func redoing(
        _ work: Unresolved, takenBackBy undo: MutationNumber
    ) -> [Operation] {
        guard work.undoes == nil, work.insertedIDs.isEmpty,
            let pending = speculation.pending.first(where: { $0.mutation.n == undo })
        else { return work.mutation.operations }
        return list.inverse(of: pending.resolution, at: nil).map { operation in
            let needs = work.mutation.operations.lazy
                .filter { !Set($0.targets).isDisjoint(with: operation.targets) }
                .compactMap { $0.condition?.needs }.first
            guard let needs else { return operation }
            var operation = operation
            operation.condition = operation.condition ?? Condition()
            operation.condition?.needs = needs
            return operation
        }
    }

    /// Why a mutation can never be sent; then it is refused here, and not in the way of what
    /// follows.
    func refusal(of mutation: Mutation) -> Refusal? {
        var bytes = 0
        for operation in mutation.operations {
            let size = operation.intent.byteCount
            guard size <= limits.elementBytes else {
                let most = limits.elementBytes
                return Refusal(
                    .tooLarge, "an element holds at most \(most) bytes, these are \(size)",
                    id: operation.targets.first)
            }
            bytes += size
        }
        // Escapes make a byte six at most; what may come near the bound is encoded to see.
        guard bytes * 6 > limits.messageBytes / 2 else { return nil }
        let message = ClientMessage.submit(
            ClientMessage.Submission(
                list: name, n: mutation.n, heard: mutation.n, operations: mutation.operations))
        guard MessageEncoder.encode(message).count > limits.messageBytes - 1_024 else {
            return nil
        }
        let most = limits.messageBytes
        return Refusal(.tooLarge, "one mutation holds at most \(most) bytes; write it in parts")
    }
}

extension Operation.Intent {
    /// What it brings along.
    fileprivate var byteCount: Int {
        switch self {
        case .insert(_, _, let fields), .set(_, let fields): fields.byteCount
        case .move(let ids, _), .forget(let ids): ids.reduce(0) { $0 + $1.text.utf8.count + 3 }
        case .count, .delete, .restore, .describe: 0
        }
    }
}
