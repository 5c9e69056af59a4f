internal import ListModel
internal import ListProtocol

/// Keeping in step: opening, catching up, resynchronising.
extension Replica {
    /// The connection is up: says where this replica stands, and which elements are under its editors.
    func open(session: UInt64?) {
        guard gone == nil else { return }
        self.session = session
        var tries = 0
        if case .opening(let incoming) = sync { tries = incoming.tries }
        sync = .opening(Incoming(tries: tries))
        sentThrough = .zero
        let position = epoch.map { Position(epoch: $0, version: speculation.confirmedHead) }
        outbox.append(
            .open(
                ClientMessage.Open(
                    list: name, create: createsIfMissing, position: tries > 0 ? nil : position,
                    editing: editors.values.filter { $0.vanish == nil }.map(\.id).sorted(),
                    heard: heard, presence: wantsPresence)))
    }

    func disconnected() {
        presence = [:]
        session = nil
        tellOthers()
        switch sync {
        case .opening, .live, .failed: sync = .away
        case .away, .gone: break
        }
    }

    /// Throws the confirmed list away and fetches it again; pending work and editors stay.
    package func reload() {
        guard case .live = sync else { return }
        outbox.append(.close(name))
        sync = .opening(Incoming(tries: 1))
        open(session: session)
    }

    func received(_ part: SnapshotPart) {
        guard case .opening(var incoming) = sync else { return }
        if part.index == 0 {
            incoming.parts = []
            incoming.snapshot = ListState(
                head: part.position.version, title: part.title, schema: part.schema)
        }
        let fits =
            part.index == incoming.parts.count
            && part.position.version == incoming.snapshot?.head
        guard fits, incoming.snapshot?.append(part.rows) == true else {
            return fallOutOfStep("part \(part.index) of the snapshot does not fit")
        }
        incoming.parts.append(part)
        sync = .opening(incoming)
    }

    func received(_ entries: [Entry]) {
        switch sync {
        case .opening(var incoming):
            incoming.entries.append(contentsOf: entries)
            sync = .opening(incoming)
        case .live:
            applyLive(entries)
        case .away, .gone, .failed: break
        }
    }

    func received(_ fates: [Fate]) {
        guard case .opening(var incoming) = sync else { return }
        incoming.fates.append(contentsOf: fates)
        sync = .opening(incoming)
    }

    private func applyLive(_ entries: [Entry]) {
        let fresh = entries.filter { $0.version > speculation.confirmedHead }
        guard let first = fresh.first else { return }
        guard first.version == speculation.confirmedHead.next else {
            return fallOutOfStep("entry \(first.version) does not follow")
        }
        var batch = Batch(own: client)
        do {
            try rebase(&batch, dropping: []) { state, batch throws(Inapplicable) in
                for entry in fresh { try batch.apply(entry, to: &state) }
            }
        } catch {
            return fallOutOfStep(error.description)
        }
        for entry in fresh { store(entry) }
        if tellsEntries { news.append(.entries(name, fresh)) }
        finish(batch, touching: batch.touched)
    }

    /// "Caught up": everything that came since `open` is applied as one change, so that editors and
    /// views are told the difference between what they showed and what is now, and nothing else.
    func caughtUp(at position: Position, logged: [MutationNumber], now: Timestamp) {
        guard case .opening(let incoming) = sync else { return }
        if let epoch, epoch.list != position.epoch.list {
            end(ServerMessage.Gone(code: .listDeleted, by: nil, at: now))
        }
        var batch = Batch(own: client)
        do {
            try rebase(&batch, dropping: Set(logged)) { state, batch throws(Inapplicable) in
                if let snapshot = incoming.snapshot { state = snapshot }
                for entry in incoming.entries where entry.version > state.head {
                    try batch.apply(entry, to: &state)
                }
                for case .deleted(let grave) in incoming.fates { state.learn(grave) }
                guard state.head == position.version else {
                    throw Inapplicable("the list ends at \(state.head), not \(position.version)")
                }
            }
        } catch {
            return fallOutOfStep(error.description)
        }
        epoch = position.epoch
        createsIfMissing = false
        sync = .live
        if incoming.snapshot != nil {
            storeSnapshot()
        } else {
            for entry in incoming.entries { store(entry) }
        }
        if tellsEntries, incoming.snapshot == nil, !incoming.entries.isEmpty {
            news.append(.entries(name, incoming.entries))
        }
        storePosition()
        finish(batch, touching: incoming.snapshot == nil ? batch.touched : nil)
        announceEditing()
        news.append(.caughtUp(name))
    }

    /// What came does not fit what is here: fetches the list anew, thrice at most, then says so.
    private func fallOutOfStep(_ why: String) {
        var tries = 0
        if case .opening(let incoming) = sync { tries = incoming.tries }
        guard tries < 3 else {
            let refusal = Refusal(
                .malformed, "the server's list cannot be applied (\(why)); pending work is kept")
            sync = .failed(refusal)
            return news.append(.failed(name, refusal))
        }
        outbox.append(.close(name))
        sync = .opening(Incoming(tries: tries + 1))
        open(session: session)
    }

    /// The list was deleted, or may no longer be read.
    func end(_ gone: ServerMessage.Gone) {
        let refusal = Refusal(gone.code, "the list \(name) is no longer there")
        let waiting = unresolved
        unresolved = []
        rejected = [:]
        sync = .gone(gone)
        epoch = nil
        speculation = Speculation()
        undoStack.clear()
        view = view.map { View($0.filter, sort: $0.sort, pins: $0.pins, of: list) }
        let cause: Vanish.Cause = gone.code == .accessLost ? .accessLost : .listDeleted
        refreshEditors(
            .remote(by: [:]), only: nil, vanish: Vanish(cause, by: gone.by, at: gone.at))
        for mutation in waiting { report(mutation, ServerMessage.Answer(.refused(refusal))) }
        writes.append(.removePrefix(StateKeys.contents(of: name)))
        storePosition()
        news.append(.changed(name))
        news.append(.closed(name, gone))
    }
}
