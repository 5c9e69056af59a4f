internal import ListModel
internal import ListProtocol

/// From a change of the confirmed list to what is visible, and to what is told.
extension Replica {
    /// Changes the confirmed list under the pending work. Mutations that turn out to be logged are no
    /// longer pending; own inserts whose ID another has taken are known to be refused before anything
    /// that rests on them is played again.
    func rebase(
        _ batch: inout Batch, dropping logged: Set<MutationNumber>,
        _ change: (inout ListState, inout Batch) throws(Inapplicable) -> Void
    ) throws(Inapplicable) {
        let inserts = unresolved.flatMap { waiting in
            waiting.insertedIDs.map { (id: $0, n: waiting.mutation.n) }
        }
        var learnt = batch
        var done = logged
        var rejected = self.rejected
        let editors = presence.values.filter { $0.session != session && !$0.editing.isEmpty }
        try speculation.rebase(
            { pending in
                let refused = rejected
                return ResolutionContext(
                    at: pending.at, by: pending.by, limits: limits,
                    editor: { id in editors.first { $0.editing.contains(id) }?.name },
                    isLogged: { refused[$0] == nil })
            },
            dropping: { done.contains($0.mutation.n) },
            { state throws(Inapplicable) in
                try change(&state, &learnt)
                done.formUnion(learnt.logged.map(\.n))
                for (id, n) in inserts where !done.contains(n) {
                    if case .unknown = state.standing(of: id) { continue }
                    rejected[n] = .idTaken
                }
            })
        batch = learnt
        self.rejected = rejected
        for own in batch.logged { undoStack.logged(own) }
        for n in done { confirmBirths(of: n) }
    }

    private func confirmBirths(of n: MutationNumber) {
        for (id, editor) in editors where editor.birth == .pending(n) {
            editors[id]?.birth = .confirmed
        }
    }

    /// Tells views and editors; `nil`: anything may have changed.
    func finish(_ batch: Batch, touching touched: Set<ElementID>?) {
        var all = touched
        for pending in speculation.pending {
            all?.formUnion(pending.mutation.operations.flatMap(\.targets))
        }
        updateView(all)
        refreshEditors(.remote(by: batch.by), only: all)
        news.append(.changed(name))
    }

    func updateView(_ touched: Set<ElementID>?) {
        guard view != nil else { return }
        let pinned = Set(editors.values.filter { $0.isInView != nil && $0.vanish == nil }.map(\.id))
        if let touched {
            _ = view?.update(touched.sorted(), from: list, pinned: pinned)
        } else {
            view?.rebuild(from: list, pinned: pinned)
        }
    }

    /// Compares editors with what is now, in the order in which they were opened.
    func refreshEditors(
        _ cause: Cause, only touched: Set<ElementID>?, vanish: Vanish? = nil
    ) {
        let due = editors.values.filter { touched?.contains($0.id) ?? true }
            .sorted { $0.serial < $1.serial }
        var endedOrBegan = false
        for var editor in due {
            let look = vanish.map { Look.gone($0) } ?? self.look(at: editor)
            let inView = view.map { $0.filter.admits(id: editor.id, in: list) }
            let before = editor
            let events = editor.refresh(look, cause, isInView: editor.isInView == nil ? nil : inView)
            editors[editor.id] = editor
            if before.state != editor.state { endedOrBegan = true }
            if !events.isEmpty || before.shown != editor.shown { store(editor) }
            news.append(contentsOf: events.map { .editor(name, editor.id, $0) })
        }
        if endedOrBegan { announceEditing() }
    }

    /// The element under an editor as it is now.
    func look(at editor: Editor) -> Look {
        if let gone {
            let cause: Vanish.Cause = gone.code == .accessLost ? .accessLost : .listDeleted
            return .gone(Vanish(cause, by: gone.by, at: gone.at))
        }
        if case .pending(let n) = editor.birth, let code = rejection(of: n) {
            return .gone(Vanish(.rejected(code)))
        }
        switch list.standing(of: editor.id) {
        case .living(let element): return .living(element)
        case .grave(.some(let grave)):
            return .gone(Vanish(.deleted, by: grave.by, at: grave.at, version: grave.version))
        case .grave(nil), .unknown: return .gone(Vanish(.missing))
        }
    }

    private func rejection(of n: MutationNumber) -> Code? {
        if let code = rejected[n] { return code }
        return speculation.pending.first { $0.mutation.n == n }?.resolution.refusal?.code
    }
}

extension Filter {
    func admits(id: ElementID, in list: ListState) -> Bool {
        list[id].map { admits($0) } ?? false
    }
}
