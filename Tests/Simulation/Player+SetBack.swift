internal import ListModel
internal import ListProtocol
internal import PairHarness

/// A client whose disk is copied, and which starts from the copy later: what checkers know of it
/// goes back with it. What the life between did is of another, under the same name.
extension Player {
    struct Copy {
        let state: [String: [UInt8]]
        let model: EditorModel
        let ledger: Ledger
        let saved: UInt64
        let takenBack: Set<MutationNumber>
        let asked: [MutationNumber: Consent.Asked]
    }

    var hasCopy: Bool { copy != nil }

    func copyAside() {
        copy = Copy(
            state: node.state, model: model, ledger: ledger, saved: saved, takenBack: takenBack,
            asked: asked)
    }

    /// The process must not run.
    func setBack() {
        guard let copy else { return }
        for (n, asked) in asked where copy.asked[n]?.digest != asked.digest {
            others(under: n, asked)
        }
        hasGoneBack = true
        node.state = copy.state
        let left = ledger
        (model, ledger, saved) = (copy.model, copy.ledger, copy.saved)
        ledger.leave(left)
        (takenBack, asked) = (copy.takenBack, copy.asked)
    }

    /// What an entry was asked as: by this life, or by one that was left.
    func asked(as entry: Entry) -> Consent.Asked? {
        lefts[entry.n]?.first { $0.digest == entry.digest } ?? asked[entry.n]
    }

    /// Whether an entry is the work of a life that was left.
    func isLeft(_ entry: Entry) -> Bool {
        asked[entry.n]?.digest != entry.digest
            && lefts[entry.n]?.contains { $0.digest == entry.digest } ?? false
    }

    /// Set back, a client may see that its work is in the log, and no longer learn where.
    func wasShown(_ n: MutationNumber, _ version: Version, _ entries: [Entry]) -> Bool {
        guard hasGoneBack, version == replica?.speculation.confirmedHead else { return false }
        // It takes an element for its own whose ID it has sent to be inserted.
        let isInsert = asked[n]?.operations.contains { operation in
            if case .insert = operation.intent { return true }
            return false
        }
        return !entries.isEmpty || isInsert ?? false
    }

    /// Work goes on under another number, which says nothing.
    func noteRenumbered() {
        for waiting in replica?.unresolved ?? [] {
            let n = waiting.mutation.n
            guard let origin = waiting.origin, !ledger.isWaiting(n),
                let old = ledger.number(toldAs: origin)
            else { continue }
            ledger.replace(old, with: n, at: ticket)
            model.renumber(old, n)
            if takenBack.contains(old) { takenBack.insert(n) }
        }
    }
}
