internal import ListModel
internal import ListProtocol

/// A client whose state was set back to an earlier copy (a backup, a snapshot of the machine, a
/// folder copied aside): it would use numbers once more that a life has used which it does not
/// remember, and be answered what became of that life's work.
extension Replica {
    /// The list has logged this client's numbers up to `highest`. Where that is more than this
    /// client ever let out, what it never sent goes on above, in its order.
    func leaveNumbers(through highest: MutationNumber) {
        guard highest > everSent, !Faults.has(.sentBeforeSaved) else { return }
        let sent = everSent
        let visible = Set(speculation.pending.map(\.mutation.n))
        let former = unresolved.map(\.mutation.n)
        let logged = former.filter { $0 <= sent && !visible.contains($0) }
        lastNumber = max(lastNumber, highest)
        everSent = highest
        var now: [MutationNumber: MutationNumber] = [:]
        for n in former where n > sent {
            guard let index = unresolved.firstIndex(where: { $0.mutation.n == n }) else { continue }
            renumber(index)
            now[n] = lastNumber
        }
        for index in unresolved.indices {
            if let new = unresolved[index].undoes.flatMap({ now[$0] }) {
                unresolved[index].undoes = new
            }
        }
        // Inserts that were given up here: what rests on them must not rest on that life's work.
        for n in rejected.keys.sorted() where n > sent && n <= highest { giveUpAnew(n) }
        proposeAll(but: Set(logged))
        storePosition()
    }

    /// An insert that was given up bears a number that nobody has used.
    private func giveUpAnew(_ n: MutationNumber) {
        lastNumber = lastNumber.next
        rejected[lastNumber] = rejected.removeValue(forKey: n)
        rest(on: n, insteadOf: lastNumber)
        renumberEditors(n, lastNumber)
    }

    /// The list keeps nothing of outcomes that were heard: what rests on one that is known here
    /// rests on nothing, or on what nobody has done.
    private func restOnWhatIsKnown(_ mutation: Mutation) {
        for n in mutation.operations.compactMap({ $0.condition?.needs })
        where !unresolved.contains(where: { $0.mutation.n == n }) {
            if rejected[n] == nil { rest(on: n, insteadOf: nil) } else { giveUpAnew(n) }
        }
    }

    /// Another life of this client has used the number, or one that it rests on. What that life
    /// sent, and this one had sent before, was decided then: the log shows whether it was done.
    /// Anything else is proposed again.
    func reused(_ index: Int, _ answer: ServerMessage.Answer, at now: Timestamp) {
        let waiting = unresolved[index]
        let n = waiting.mutation.n
        if n <= everSentBefore {
            if isShown(waiting) { return decidedAsShown(index, at: now) }
            if waiting.isUncertain { return decided(index, answer, at: now) }
        }
        let visible = Set(speculation.pending.map(\.mutation.n))
        let logged = Set(unresolved.map(\.mutation.n)).subtracting(visible).subtracting([n])
        restOnWhatIsKnown(waiting.mutation)
        renumber(index)
        proposeAll(but: logged)
        storePosition()
        playedAgain()
    }
}
