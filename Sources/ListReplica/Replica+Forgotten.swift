internal import ListModel
internal import ListProtocol

/// A list that has forgotten this client no longer knows what of its work it logged. The numbers
/// are the identity that counts: what waits goes on under numbers that were never used, save what
/// the log shows, and save what may be in it unseen, which the user is told.
extension Replica {
    /// Something waits for its outcome that went out on an earlier connection.
    var isRepeating: Bool { unresolved.contains { $0.mutation.n <= everSentBefore } }

    /// The list came as a whole: what is not known to be in its log may be there all the same.
    func beUncertain(but logged: Set<MutationNumber>) {
        for index in unresolved.indices where unresolved[index].mutation.n <= everSent {
            guard !unresolved[index].isUncertain, !logged.contains(unresolved[index].mutation.n)
            else { continue }
            unresolved[index].isUncertain = true
            store(unresolved[index])
        }
    }

    /// All from here on, in order, since later work may rest on earlier. Their own answers, which
    /// are under way, find nothing.
    func forgotten(from first: Int, _ refusal: ServerMessage.Answer, at now: Timestamp) {
        let visible = Set(speculation.pending.map(\.mutation.n))
        let logged = Set(unresolved.map(\.mutation.n)).subtracting(visible)
        for n in unresolved[first...].map(\.mutation.n) {
            guard let index = unresolved.firstIndex(where: { $0.mutation.n == n }) else { continue }
            if isShown(unresolved[index]) {
                decidedAsShown(index, at: now)
            } else if unresolved[index].isUncertain, !unresolved[index].isOnlyInserts {
                decided(index, refusal, at: now)
            } else {
                renumber(index)
            }
        }
        proposeAll(but: logged)
        storePosition()
        playedAgain()
    }

    /// An entry had it, or the elements that it inserts are there.
    func isShown(_ waiting: Unresolved) -> Bool {
        let n = waiting.mutation.n
        guard let pending = speculation.pending.first(where: { $0.mutation.n == n }) else {
            return true
        }
        return waiting.isUncertain && waiting.isOnlyInserts
            && pending.resolution.refusal?.code == .idTaken
    }

    /// It is in the log, nobody knows where.
    func decidedAsShown(_ index: Int, at now: Timestamp) {
        let n = unresolved[index].mutation.n
        rest(on: n, insteadOf: nil)
        confirmBirths(of: n)
        let done = Outcome.logged(speculation.confirmedHead, skips: [])
        decided(index, ServerMessage.Answer(done), at: now)
    }

    /// To the end, where its new number stands. An insert may be proposed whatever became of it:
    /// its ID cannot be taken twice.
    func renumber(_ index: Int) {
        let former = unresolved.remove(at: index)
        var waiting = former
        let old = waiting.mutation.n
        lastNumber = lastNumber.next
        waiting.mutation = Mutation(
            client: client, n: lastNumber, operations: waiting.mutation.operations,
            atomic: waiting.mutation.atomic)
        waiting.origin = waiting.origin ?? old
        waiting.ticket = ticket
        waiting.isUncertain = false
        waiting.commit?.n = lastNumber
        unresolved.append(waiting)
        forget(former)
        store(waiting)
        rest(on: old, insteadOf: lastNumber)
        undoStack.renumbered(old, lastNumber)
        rejected[old] = nil
        renumberEditors(old, lastNumber)
    }

    func renumberEditors(_ old: MutationNumber, _ new: MutationNumber) {
        for (id, editor) in editors {
            if editor.birth == .pending(old) { editors[id]?.birth = .pending(new) }
            if editor.commit?.n == old { editors[id]?.commit?.n = new }
            if let now = editors[id], now.birth != editor.birth || now.commit != editor.commit {
                store(now)
            }
        }
        for (number, editor) in companions where editor.birth == .pending(old) {
            companions[number]?.birth = .pending(new)
        }
    }

    /// Plays everything that waits, but what the confirmed list holds.
    func proposeAll(but logged: Set<MutationNumber>) {
        speculation.rebase({ self.context(of: $0) }, dropping: { _ in true }, { _ in })
        for waiting in unresolved where !logged.contains(waiting.mutation.n) {
            speculation.propose(waiting.mutation, context(at: waiting.at, by: user))
        }
    }

    /// What rested on a mutation rests on its new number; `nil`: on nothing, since it is done.
    func rest(on old: MutationNumber, insteadOf new: MutationNumber?) {
        for index in unresolved.indices {
            var operations = unresolved[index].mutation.operations
            for at in operations.indices where operations[at].condition?.needs == old {
                operations[at].condition?.needs = new
            }
            guard operations != unresolved[index].mutation.operations else { continue }
            unresolved[index].mutation.operations = operations
            store(unresolved[index])
        }
    }
}

extension Replica.Unresolved {
    fileprivate var isOnlyInserts: Bool { insertedIDs.count == mutation.operations.count }
}
