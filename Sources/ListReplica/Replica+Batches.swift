internal import ListModel
internal import ListProtocol

/// From a change of the confirmed list to what is visible, and to what is told.
extension Replica {
    /// Changes the confirmed list under the pending work. Mutations that turn out to be logged are
    /// no longer pending; own inserts whose ID another has, as things stand now, are known to be
    /// refused before anything that rests on them is played again.
    func rebase(
        _ batch: inout Batch, dropping logged: Set<MutationNumber>,
        _ change: (inout ListState, inout Batch) throws(Inapplicable) -> Void
    ) throws(Inapplicable) {
        let visible = Set(speculation.pending.map(\.mutation.n))
        let inserts = unresolved.filter {
            visible.contains($0.mutation.n) && !$0.insertedIDs.isEmpty
        }
        let known = batch.logged.count
        var learnt = batch
        var done = logged
        var rejected = self.rejected
        try speculation.rebase(
            { pending in
                let refused = rejected
                return ResolutionContext(
                    at: pending.at, by: pending.by, limits: limits,
                    editor: { self.othersEditing($0).first },
                    isLogged: { refused[$0] == nil })
            },
            dropping: { done.contains($0.mutation.n) },
            { state throws(Inapplicable) in
                try change(&state, &learnt)
                done.formUnion(learnt.logged.map(\.n))
                for insert in inserts where !done.contains(insert.mutation.n) {
                    let n = insert.mutation.n
                    if insert.insertedIDs.allSatisfy(state.isFree) {
                        // Perhaps again: its grave was forgotten, or the log set back.
                        rejected[n] = nil
                    } else if !insert.isUncertain {
                        // One that may be in the log unseen may be what has taken its ID.
                        rejected[n] = .idTaken
                    }
                }
            })
        batch = learnt
        self.rejected = rejected
        replaysNext = false
        learn(batch.logged[known...], done, &batch)
    }

    /// Takes in the first entries, as far as the pending work need not be played again: those of
    /// others that have nothing to do with it, and one's own that were foreseen. Answers how many.
    /// Where it is known that own inserts are or will be refused, or was when the work was last
    /// played, it is played again.
    func pass(_ fresh: [Entry], _ batch: inout Batch) -> Int {
        guard rejected.isEmpty, !replaysNext else { return 0 }
        var count = 0
        while true {
            let own = fresh[count..<end(of: true, in: fresh, from: count)]
            let confirmed = speculation.confirm(own, limits) { entry, known in
                let own = Batch.Own(
                    n: entry.n, inverse: known.inverse, before: known.before, after: known.after)
                batch.note(own: entry, own)
            }
            let start = count + confirmed
            let others = fresh[start..<end(of: false, in: fresh, from: start)]
            let passed = speculation.pass(others, limits)
            for index in start..<start + passed { batch.note(fresh[index]) }
            count += confirmed + passed
            if confirmed + passed == 0 { break }
        }
        learn(batch.logged[...], Set(batch.logged.map(\.n)), &batch)
        return count
    }

    /// Where a run of entries ends that are all one's own, or all of others.
    private func end(of own: Bool, in entries: [Entry], from start: Int) -> Int {
        var end = start
        while end < entries.count, (entries[end].client == client) == own { end += 1 }
        return end
    }

    /// What is known of own work now that it is logged.
    private func learn(
        _ logged: ArraySlice<Batch.Own>, _ numbers: Set<MutationNumber>, _ batch: inout Batch
    ) {
        for own in logged { undoStack.logged(own) }
        for n in numbers.sorted() {
            confirmBirths(of: n)
            closeSaved(by: n, &batch)
        }
    }

    /// Takes own work from under the visible list.
    func takeBack(_ gone: Set<MutationNumber>) {
        speculation.rebase(
            { self.context(of: $0) }, dropping: { gone.contains($0.mutation.n) }, { _ in })
    }

    /// The pending work was played again: what comes of it may be another thing now, as who edits
    /// what has changed.
    func playedAgain() {
        let touched = pendingTargets
        touch(touched)
        refreshEditors(.remote(by: [:]), only: touched)
        news.append(.changed(name))
    }

    func confirmBirths(of n: MutationNumber) {
        for (id, editor) in editors where editor.birth == .pending(n) {
            editors[id]?.birth = .confirmed
            // What was foreseen to be refused, and was not, may return.
            if case .rejected? = editor.vanish?.cause {
                editors[id]?.state = .vanished(Vanish(.missing))
            }
            if editor.hasDraft, let editor = editors[id] { store(editor) }
        }
        for (number, editor) in companions where editor.birth == .pending(n) {
            companions[number]?.birth = .confirmed
            if case .rejected? = editor.vanish?.cause {
                companions[number]?.state = .vanished(Vanish(.missing))
            }
        }
    }

    /// A commit is saved by its entry, and its editor hears nothing of what came later. Restoring
    /// with the draft is two operations, of which one may be skipped: that waits for the outcome.
    private func closeSaved(by n: MutationNumber, _ batch: inout Batch) {
        for editor in openEditors {
            guard let commit = editor.commit, commit.n == n, commit.mode != .restore else {
                continue
            }
            editors[editor.id] = nil
            // The view that pinned it lets go of it.
            batch.touch(editor.id)
            writes.append(.remove(StateKeys.editor(editor.id, in: name)))
            if !Faults.has(.presenceAfterCommit) { announceEditing() }
        }
    }

    /// The elements on which the pending work acts.
    var pendingTargets: Set<ElementID> { speculation.targets() }

    /// Nothing is known yet, but that the pending work may look different.
    func newBatch() -> Batch {
        Batch(
            own: client, touched: pendingTargets,
            watching: Set(editors.keys).union(companions.values.map(\.id)))
    }

    /// Whether anybody looks at single elements.
    var hasOnlookers: Bool { !(views.isEmpty && editors.isEmpty && companions.isEmpty) }

    /// Tells views and editors.
    func finish(
        _ batch: Batch, touching changes: Touched, _ by: [ElementID: UserName] = [:]
    ) {
        if tellsTouched { touchedRows.add(changes) }
        if hasOnlookers {
            let touched = changes.ids
            updateViews(touched)
            let editing = Set(editors.keys).union(companions.values.map(\.id))
            let causes = batch.skippedFor.merging(by) { $1 }
            refreshEditors(.remote(by: causes, batch.authors), only: touched)
            if !editing.isDisjoint(with: batch.turned) { announceEditing() }
        }
        news.append(.changed(name))
    }

    /// Notes what rows may look different, and brings the views up to date; `by` says who changed
    /// which element.
    func touch(_ touched: Set<ElementID>?, _ by: [ElementID: UserName] = [:]) {
        if together == nil, tellsTouched { touchedRows.add(touched, by) }
        updateViews(touched)
    }

    /// Brings the views up to date.
    private func updateViews(_ touched: Set<ElementID>?) {
        if together != nil { return together?.add(touched) ?? () }
        // Over a copy of the keys, and each view taken out while it changes: its filter may look at
        // the others, and finds none where it looks at its own.
        for number in Array(views.keys) {
            let pinned = pinned(in: number)
            guard var view = views.removeValue(forKey: number) else { continue }
            if let touched {
                _ = view.update(touched.sorted(), from: list, pinned: pinned)
            } else {
                view.rebuild(from: list, pinned: pinned)
            }
            views[number] = view
        }
    }

    /// Compares editors with what is now, in the order in which they were opened.
    func refreshEditors(
        _ cause: Cause, only touched: Set<ElementID>?, vanish: Vanish? = nil
    ) {
        if together != nil, vanish == nil, case .remote(let by, _) = cause {
            return together?.add(touched, by) ?? ()
        }
        if editors.isEmpty, companions.isEmpty { return }
        let due = editors.values.filter { touched?.contains($0.id) ?? true }
            .sorted { $0.serial < $1.serial }
        var turned: Set<ElementID> = []
        for var editor in due {
            let before = editor
            let events = refresh(&editor, cause, vanish)
            editors[editor.id] = editor
            if before.state != editor.state { turned.insert(editor.id) }
            if !events.isEmpty || before.shown != editor.shown || before.state != editor.state
                || before.writers != editor.writers
                || before.restorer != editor.restorer
                || before.rowRestorer != editor.rowRestorer
            {
                store(editor)
            }
            news.append(contentsOf: events.map { .editor(name, editor.id, $0) })
        }
        turned.formUnion(refreshCompanions(cause, only: touched, vanish: vanish))
        guard !turned.isEmpty else { return }
        // A row is pinned by an editor that can write.
        if views.values.contains(where: \.pins) { touch(turned) }
        announceEditing()
    }

    func refresh(_ editor: inout Editor, _ cause: Cause, _ vanish: Vanish?) -> [EditorEvent] {
        let look = vanish.map { Look.gone($0, last: nil) } ?? look(at: editor)
        let inView = editor.isInView == nil ? nil : holds(editor)
        return editor.refresh(look, cause, isInView: inView, keptFor: keptFor(editor, cause))
    }

    /// The element under an editor as it is now.
    func look(at editor: Editor) -> Look {
        if let gone { return .gone(gone.vanish, last: nil) }
        if case .pending(let n) = editor.birth, let code = rejection(of: n) {
            return .gone(Vanish(.rejected(code)), last: nil)
        }
        switch list.standing(of: editor.id) {
        case .living(let element): return .living(element)
        case .grave where Faults.has(.editorBoundToIndex) && list.count > 0:
            return .living(list.element(at: 0) ?? list.elements[0])
        case .grave(.some(let grave)):
            let by = Faults.has(.vanishNamesTheWriter) ? grave.last.by : grave.by
            let vanish = Vanish(.deleted, by: by, at: grave.at, version: grave.version)
            return .gone(vanish, last: grave.last.fields)
        case .grave(nil): return .gone(Vanish(.missing), last: nil)
        case .unknown:
            guard case .pending(let n) = editor.birth, let code = skip(of: editor.id, in: n) else {
                return .gone(Vanish(.missing), last: nil)
            }
            return .gone(Vanish(.rejected(code)), last: nil)
        }
    }

    private func rejection(of n: MutationNumber) -> Code? {
        if let code = rejected[n] { return code }
        if unresolved.contains(where: { $0.mutation.n == n && $0.isUncertain }) { return nil }
        return speculation.pending.first { $0.mutation.n == n }?.resolution.refusal?.code
    }
}

extension Replica {
    /// An element that returns because one's own delete was or will be skipped returns by whom that
    /// is due to, who may have done nothing to it but look.
    private func keptFor(_ editor: Editor, _ cause: Cause) -> UserName? {
        guard case .remote(let by, _) = cause, editor.vanish != nil, by[editor.id] == nil else {
            return nil
        }
        if let name = keptFor[editor.id] { return name }
        let skips = speculation.pending.lazy.flatMap(\.resolution.skips)
        return skips.first { skip in
            skip.id == editor.id && skip.by != nil && skip.by != user && skip.code != .removed
        }?.by
    }

    /// Why the insert of an element that waits would be skipped, as things stand.
    private func skip(of id: ElementID, in n: MutationNumber) -> Code? {
        let pending = speculation.pending.first { $0.mutation.n == n }
        return pending?.resolution.skips.first { $0.id == id }?.code
    }
}

extension ServerMessage.Gone {
    var vanish: Vanish {
        Vanish(code == .accessLost ? .accessLost : .listDeleted, by: by, at: at)
    }
}

extension ListState {
    fileprivate func isFree(_ id: ElementID) -> Bool {
        if case .unknown = standing(of: id) { return true }
        return false
    }
}
