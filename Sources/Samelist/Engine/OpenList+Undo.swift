internal import ListModel
internal import ListReplica

/// What was done as one is taken back as one, though it was sent in parts.
extension OpenList {
    func join(from first: MutationNumber, through last: MutationNumber) {
        guard first < last else { return }
        var n = first
        while n <= last {
            wholes[n] = first
            n = n.next
        }
    }

    /// Takes the newest own work back; empty: there is none.
    func undoWhole() -> [Decision] { takeBack({ $0.nextUndo }, undo) }
    func redoWhole() -> [Decision] { takeBack({ $0.nextRedo }, redo) }

    private func takeBack(
        _ next: (Replica) -> MutationNumber?, _ step: () -> Decision?
    ) -> [Decision] {
        let before = replica.lastNumber
        var decisions: [Decision] = []
        let whole = next(replica).map { wholes[$0] ?? $0 }
        while let n = next(replica), (wholes[n] ?? n) == whole, let decision = step() {
            decisions.append(decision)
        }
        join(from: before.next, through: replica.lastNumber)
        return decisions
    }
}
