internal import ListModel
internal import ListReplica

/// Editors against their model.
extension Player {
    func checkEditors(_ replica: Replica, _ told: [EditorModel.Told], isClosed: Bool) {
        let renewed = takeRenewed(replica).union(isClosed ? [] : unsettled)
        // First, lest the number be taken for what was logged under it before.
        for id in renewed { if let editor = replica.editors[id] { model.takeOver(editor) } }
        let expected = model.look(at: sight(of: replica, isClosed), ticket: ticket)
            .filter { !renewed.contains($0.id) }
        let actual = told.filter { model[$0.id] != nil && !renewed.contains($0.id) }
        let left = expected.filter { model[$0.id] != nil }
        for id in renewed { if let editor = replica.editors[id] { model.takeOver(editor) } }
        if actual != left {
            return complain(.editor, "was to be told \(left), and was told \(actual)")
        }
        checkOpen(replica)
    }

    /// Whether an editor's commit was told to be saved. Where it was given another number and was
    /// not sent at all, its outcome alone tells under which number it is known here.
    func isSaved(_ id: ElementID, by n: MutationNumber, _ news: [News]) -> Bool {
        guard let commit = model[id]?.commit else { return false }
        return commit.n == n
            || news.contains { item in
                guard case .outcome(_, let told, let report) = item, report.editor == id else {
                    return false
                }
                return ledger.number(toldAs: told) == commit.n
                    && report.answer.outcome == .nothing(skips: [])
            }
    }

    /// Whether an element stands in the confirmed list, alive or not.
    func isConfirmed(_ id: ElementID) -> Bool {
        if case .unknown? = replica?.confirmed.standing(of: id) { return false }
        return true
    }

    /// Editors whose commit is proposed again under another number, which says nothing.
    private func takeRenewed(_ replica: Replica) -> Set<ElementID> {
        var renewed: Set<ElementID> = []
        for editor in model.watched {
            guard let before = editor.commit, let now = replica.editors[editor.id]?.commit,
                now.n != before.n
            else { continue }
            ledger.replace(before.n, with: now.n, at: ticket)
            renewed.insert(editor.id)
        }
        return renewed
    }

    func sight(of replica: Replica, _ isClosed: Bool) -> EditorModel.Sight {
        let head = replica.speculation.confirmedHead
        let epoch = replica.epoch
        let truth = simulation.truth
        let client = node.id
        // What another life of it has heard, it does not hear once more.
        let open = Set(hasGoneBack ? replica.speculation.pending.map(\.mutation.n) : [])
        // What may be in the log unseen may be what has taken the ID.
        let uncertain = replica.unresolved.filter(\.isUncertain).flatMap(\.mutation.operations)
            .flatMap(\.inserted)
        return EditorModel.Sight(
            list: replica.gone == nil && !isClosed ? replica.list : nil,
            isLogged: { n in
                guard !open.contains(n) else { return false }
                return epoch.flatMap { truth.version(of: n, by: client, in: $0, upTo: head) } != nil
            },
            denied: ledger.denied,
            isTaken: { self.isConfirmed($0) && !uncertain.contains($0) },
            own: own, lens: lens)
    }

    /// The same editors are open, showing the same.
    private func checkOpen(_ replica: Replica) {
        let open = replica.openEditors
        guard open.count == model.watched.count else {
            let ids = (open.map(\.id), model.watched.map(\.id))
            return complain(.editor, "has editors on \(ids.0), and should on \(ids.1)")
        }
        for editor in open {
            guard let known = model[editor.id] else {
                return complain(.editor, "should have no editor on \(editor.id)")
            }
            let should = known.shown
            if editor.shown != should || editor.theirs != known.theirs || editor.base != known.base
                || editor.touched != known.touched || (editor.vanish != nil) != known.isGone
                || editor.isInView != known.isInView
            {
                return complain(.editor, "has \(editor), and should have \(known)")
            }
        }
    }
}

extension Operation {
    fileprivate var inserted: [ElementID] {
        if case .insert(let id, _, _) = intent { return [id] }
        return []
    }
}
