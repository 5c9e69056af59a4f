internal import ListModel
internal import ListProtocol

/// Keeping in step: opening, catching up, resynchronising.
extension Replica {
    /// The connection is up: says where this replica stands, and which elements are under its
    /// editors.
    func open(session: UInt64?) {
        guard gone == nil else { return }
        self.session = session
        everSentBefore = everSent
        if Faults.has(.retryRenumbered), let first = unresolved.first {
            lastNumber = lastNumber.next
            unresolved[0].mutation = Mutation(
                client: client, n: lastNumber, operations: first.mutation.operations)
        }
        var position: Position?
        if let epoch, !wantsWhole, tries == 0 {
            position = Position(epoch: epoch, version: speculation.confirmedHead)
        }
        // Also what own work alone has deleted: it may have been deleted there meanwhile.
        let editing = ids(of: { $0.vanish?.canReturn ?? true }).prefix(limits.editing)
        sync = .opening(Incoming(named: Set(editing)))
        outbox.append(
            .open(
                ClientMessage.Open(
                    list: name, create: createsIfMissing, position: position,
                    editing: Array(editing), heard: heard, presence: wantsPresence,
                    last: position == nil ? nil : lastEntryAt, base: true)))
    }

    func disconnected() {
        presence = [:]
        session = nil
        sentThrough = .zero
        early = []
        tellOthers()
        switch sync {
        case .leaving, .opening, .live, .failed: sync = .away
        case .away, .gone: break
        }
    }

    /// Throws the confirmed list away and fetches it again; pending work and editors stay.
    package func reload() {
        guard case .live = sync else { return }
        wantsWhole = true
        leave()
    }

    /// Ends the subscription, to begin another once nothing more of this one comes.
    func leave() {
        outbox.append(.close(name))
        sync = .leaving(fence: nil)
    }

    func received(_ part: SnapshotPart) {
        guard case .opening(var incoming) = sync else { return }
        // Held once, what has come so far is added to and not copied.
        sync = .away
        let fits = incoming.take(part)
        sync = .opening(incoming)
        if !fits { fallOutOfStep("part \(part.index) of the snapshot does not fit") }
    }

    func received(_ entries: [Entry]) {
        switch sync {
        case .opening(var incoming):
            sync = .away
            incoming.entries.append(contentsOf: entries)
            sync = .opening(incoming)
        case .live:
            applyLive(entries)
        case .away, .leaving, .gone, .failed: break
        }
    }

    func received(_ fates: [Fate]) {
        guard case .opening(var incoming) = sync else { return }
        incoming.fates.append(contentsOf: fates)
        sync = .opening(incoming)
    }

    private func applyLive(_ entries: [Entry]) {
        let confirmed = speculation.currentHead()
        let isFresh = entries.indices.allSatisfy { entries[$0].version > confirmed }
        let fresh = isFresh ? entries : entries.filter { $0.version > confirmed }
        guard let first = fresh.first else { return }
        guard first.version == confirmed.next else {
            return fallOutOfStep("entry \(first.version) does not follow")
        }
        let known = knownBefore(fresh)
        var batch = newBatch()
        let rest = fresh.dropFirst(pass(fresh, &batch))
        do {
            if !rest.isEmpty {
                try rebase(&batch, dropping: []) { state, batch throws(Inapplicable) in
                    for entry in rest { try batch.apply(entry, to: &state) }
                }
            }
        } catch {
            return fallOutOfStep(error.description)
        }
        lastEntryAt = fresh.last?.at
        if let known { anchorAnew(knowing: known) }
        store(fresh)
        if tellsEntries { news.append(.entries(name, fresh)) }
        if !batch.logged.isEmpty { storePosition() }
        finish(batch, touching: batch.changes)
    }

    /// "Caught up": everything that came since `open` is applied as one change, so that editors and
    /// views are told the difference between what they showed and what is now, and nothing else.
    func caughtUp(
        at position: Position, logged: [MutationNumber], highest: MutationNumber = .zero,
        now: Timestamp
    ) {
        guard case .opening(let incoming) = sync else { return }
        if let epoch, epoch.list != position.epoch.list { return replaced(now) }
        if let flaw = incoming.flaw(at: position, from: epoch) { return fallOutOfStep(flaw) }
        if lacksFates(incoming) { return leave() }
        // Before the log's entries are taken for one's own work under the same numbers.
        leaveNumbers(through: highest)
        if epoch != position.epoch { forgetForeseenRefusals() }
        note(logged, with: incoming)
        let known = incoming.snapshot == nil ? knownBefore(incoming.entries) : list
        let former = speculation.confirmedHead
        var batch = newBatch()
        do {
            try rebase(&batch, dropping: Set(logged)) { state, batch throws(Inapplicable) in
                guard var whole = incoming.snapshot else {
                    return try incoming.bring(&state, to: position.version, &batch)
                }
                batch.authors.note(
                    whole: whole, over: state, incoming.fates, under: self.allEditors.map(\.id),
                    isOfOtherLog: self.epoch != position.epoch)
                try incoming.bring(&whole, to: position.version, &batch)
                state = whole
            }
        } catch {
            return fallOutOfStep(error.description)
        }
        if let epoch, epoch != position.epoch { changedLog(whichHolds: Set(logged), former) }
        if hasLostAccess { proposeAll(but: Set(logged)) }
        standInStep(with: position.epoch)
        lastEntryAt = incoming.lastEntryAt(at: position.version, before: lastEntryAt)
        if incoming.snapshot != nil { bearFaults() }
        if let known { anchorAnew(knowing: known) }
        keep(incoming)
        let (also, told) = hearEarly(now)
        if incoming.snapshot != nil { batch.touchAll() }
        finish(batch, touching: batch.changes.adding(also), also.by)
        tellCaughtUp(told)
    }

    private func tellCaughtUp(_ told: [News]) {
        if unresolved.isEmpty { rejected = [:] }
        keptFor = [:]
        news.append(contentsOf: told)
        announceEditing()
        news.append(.caughtUp(name))
    }

    /// What the list says of own work, and what it leaves open.
    private func note(_ logged: [MutationNumber], with incoming: Incoming) {
        if incoming.snapshot != nil { beUncertain(but: Set(logged)) }
        for n in discardedUnknown.intersection(logged) { rejected[n] = nil }
        discardedUnknown = []
    }

    /// An editor was opened since `open` was sent, and its element is gone: once more, so that it
    /// is told by whom.
    private func lacksFates(_ incoming: Incoming) -> Bool {
        guard let snapshot = incoming.snapshot, editors.count <= limits.editing else {
            return false
        }
        return editors.values.contains { editor in
            guard editor.vanish == nil, !incoming.named.contains(editor.id),
                case .grave(nil) = snapshot.standing(of: editor.id)
            else { return false }
            return true
        }
    }

    private func keep(_ incoming: Incoming) {
        if incoming.snapshot != nil {
            storeSnapshot()
        } else {
            store(incoming.entries)
        }
        if tellsEntries, incoming.snapshot == nil, !incoming.entries.isEmpty {
            news.append(.entries(name, incoming.entries))
        }
        storePosition()
    }

    private func standInStep(with epoch: Epoch) {
        self.epoch = epoch
        hasLostAccess = false
        isAskedFor = false
        createsIfMissing = false
        wantsWhole = false
        tries = 0
        retrying = nil
        sync = .live
        // What was never let out goes once that is written down.
        for index in unresolved.indices where unresolved[index].mutation.n > released {
            unresolved[index].ticket = ticket
        }
    }

    /// An ID that was taken in another epoch may be free in this one.
    private func forgetForeseenRefusals() {
        for waiting in unresolved { rejected[waiting.mutation.n] = nil }
    }

    private func bearFaults() {
        if Faults.has(.resyncForgetsPending) { unresolved = [] }
        guard Faults.has(.eventOnReload) else { return }
        for id in editors.keys { editors[id]?.shown = Fields() }
    }

    /// The outcomes that came while the list was fetched, and work that need not be sent: what they
    /// change is looked at with the rest, and told before them.
    private func hearEarly(_ now: Timestamp) -> (changed: Touched, told: [News]) {
        let answers = early
        early = []
        let before = news
        news = []
        together = Touched()
        for (n, answer) in answers { received(answer, for: n, at: now) }
        dropUndone()
        defer {
            together = nil
            news = before
        }
        return (together ?? Touched(), news)
    }

    /// The same list goes on from an earlier state. What the lost log held of the work that waits
    /// for its outcome waits for an entry again; what was done before and is known by versions of
    /// that log alone cannot be undone.
    private func changedLog(whichHolds logged: Set<MutationNumber>, _ former: Version) {
        let version = speculation.confirmedHead
        news.append(.logReplaced(name, LogReplacement(former: former, version: version)))
        undoStack.changedLog()
        let visible = Set(speculation.pending.map(\.mutation.n))
        let isShort = unresolved.contains {
            !visible.contains($0.mutation.n) && !logged.contains($0.mutation.n)
        }
        if isShort { proposeAll(but: logged) }
    }

    /// What came does not fit what is here: fetches the list anew, thrice at most, then says so.
    private func fallOutOfStep(_ why: String) {
        // What was applied of it, and played again over that, is seen until then.
        touch(nil)
        news.append(.changed(name))
        guard tries < Self.mostTries else {
            tries = 1
            outbox.append(.close(name))
            let refusal = Refusal(
                .malformed, "the server's list cannot be applied (\(why)); pending work is kept")
            sync = .failed(refusal)
            return news.append(.failed(name, refusal))
        }
        tries += 1
        leave()
    }

    private static let mostTries = 3
}
