package import ListModel
package import ListProtocol

/// What the user of a client can do. Each verb ends with everything that follows from it ready to
/// be taken.
extension ClientCore {
    /// Connects, and stays connected until `goOffline`.
    package func goOnline(at now: Timestamp) {
        link.wake(now)
        advance(now)
    }

    package func goOffline(at now: Timestamp) {
        if link.isConnected { work.append(.disconnect) }
        link.rest(now)
        lose("this client is offline")
        news.append(.link(link.state))
        advance(now)
    }

    /// Opens a list: at once from what was stored, and in step as soon as the server answers, which
    /// is told as `caughtUp`, `failed` or `closed`. Throws where the stored copy cannot be read.
    /// `lent`: a copy of another client, to begin with where this one has none.
    package func open(
        _ name: ListName, create: Bool = false, presence: Bool = true, keepsCopy: Bool = true,
        stored: [String: [UInt8]] = [:], lent: StoredCopy? = nil, at now: Timestamp
    ) throws(Refusal) {
        let replica: Replica
        if let known = replicas[name] ?? closed.removeValue(forKey: name) {
            replica = known
            replica.reopen()
        } else {
            replica = Replica(name: name, client: client, user: user, limits: limits)
            replica.keepsCopy = keepsCopy
            try replica.load(stored, decoder: MessageDecoder(limits: limits))
            if let lent { replica.begin(with: lent) }
        }
        replica.ticket = ticket
        replica.saved = saved
        replicas[name] = replica
        replica.isAskedFor = true
        replica.createsIfMissing = create
        replica.wantsPresence = presence
        if link.isOnline, replica.isAway { replica.open(session: session) }
        advance(now)
    }

    /// Its pending work waits until the list is opened again.
    package func close(_ name: ListName, at now: Timestamp) {
        guard let replica = replicas.removeValue(forKey: name) else { return }
        closed[name] = replica
        replica.disconnected()
        replica.outbox = []
        if link.isOnline { work.append(.send(.close(name))) }
        advance(now)
    }

    /// `nil`: the list is not open, or is no more.
    package func submit(
        _ operations: [Operation], atomic: Bool = false, to name: ListName, at now: Timestamp
    ) -> MutationNumber? {
        with(name, now) { replica in
            replica.gone == nil ? replica.submit(operations, atomic: atomic, at: now) : nil
        } ?? nil
    }

    package func undo(in name: ListName, at now: Timestamp) -> MutationNumber? {
        with(name, now) { $0.undo(at: now) } ?? nil
    }

    package func redo(in name: ListName, at now: Timestamp) -> MutationNumber? {
        with(name, now) { $0.redo(at: now) } ?? nil
    }

    package func discard(_ n: MutationNumber, in name: ListName, at now: Timestamp) -> Bool {
        with(name, now) { $0.discard(n) } ?? false
    }

    package func reload(_ name: ListName, at now: Timestamp) {
        _ = with(name, now) { $0.reload() }
    }

    package func edit(
        _ id: ElementID, _ policy: Editor.Policy, through view: ViewNumber = .shell,
        in name: ListName, at now: Timestamp
    ) throws(EditorFault) -> Editor {
        try onReplica(name, now) { replica throws(EditorFault) in
            try replica.edit(id, policy, through: view)
        }
    }

    package func type(
        _ changes: Fields, into id: ElementID, in name: ListName, at now: Timestamp
    ) throws(EditorFault) -> MutationNumber? {
        try onReplica(name, now) { replica throws(EditorFault) in
            try replica.type(changes, into: id, at: now)
        }
    }

    /// Types into a draft, whether its element is there or not. `seen`: what the typist saw, where
    /// that is not what the editor shows by now.
    package func keep(
        _ changes: Fields, over seen: Fields? = nil, in id: ElementID, of name: ListName,
        at now: Timestamp
    ) throws(EditorFault) {
        try onReplica(name, now) { replica throws(EditorFault) in
            try replica.keep(changes, over: seen, in: id)
        }
    }

    /// Keeps text that was typed for an element which does not exist yet; empty: none.
    package func jot(_ text: String, in name: ListName, at now: Timestamp) {
        with(name, now) { $0.jot(text) }
    }

    package func commit(
        _ id: ElementID, _ mode: Editor.Commit.Mode, in name: ListName, at now: Timestamp
    ) throws(EditorFault) -> MutationNumber? {
        try onReplica(name, now) { replica throws(EditorFault) in
            try replica.commit(id, mode, at: now)
        }
    }

    /// Takes a commit that was never sent back into its editor. False: there is none.
    package func reconsider(_ id: ElementID, in name: ListName, at now: Timestamp) -> Bool {
        with(name, now) { $0.reconsider(id, at: now) } ?? false
    }

    package func saveAsNew(
        _ id: ElementID, as new: ElementID, at place: Place?, in name: ListName, at now: Timestamp
    ) throws(EditorFault) -> MutationNumber {
        try onReplica(name, now) { replica throws(EditorFault) in
            try replica.saveAsNew(id, as: new, at: place, at: now)
        }
    }

    package func restoreWithDraft(_ id: ElementID, in name: ListName, at now: Timestamp)
        throws(EditorFault) -> MutationNumber
    {
        try onReplica(name, now) { replica throws(EditorFault) in
            try replica.restoreWithDraft(id, at: now)
        }
    }

    package func cancel(_ id: ElementID, in name: ListName, at now: Timestamp) -> Bool {
        with(name, now) { $0.cancel(id) } ?? false
    }

    /// Asks the server; the answer comes as `News.answer`. `nil`: there is no connection.
    package func ask(
        _ question: (RequestID) -> ClientMessage, at now: Timestamp
    ) -> RequestID? {
        guard link.isOnline else { return nil }
        lastRequest += 1
        asked.insert(lastRequest)
        work.append(.send(question(lastRequest)))
        advance(now)
        return lastRequest
    }

    /// Answered `.synced` once nothing of this list is pending and the head as of then is applied;
    /// waits for the server as long as it takes.
    package func sync(_ name: ListName, at now: Timestamp) -> RequestID {
        lastRequest += 1
        let request = lastRequest
        syncs.append(Sync(request: request, list: name))
        if case .waiting = link.state { link.wake(now) }
        advance(now)
        return request
    }

    func sendPings() {
        for index in syncs.indices where syncs[index].ping == nil {
            guard let replica = replicas[syncs[index].list], replica.isLive else { continue }
            lastRequest += 1
            syncs[index].ping = lastRequest
            work.append(.send(.ping(lastRequest, replica.name)))
        }
    }

    func finishSyncs() {
        if syncs.isEmpty { return }
        syncs.removeAll { sync in
            guard let replica = replicas[sync.list] else {
                let refusal = Refusal(.notOpen, "the list \(sync.list) is not open")
                news.append(.answer(sync.request, .error(refusal)))
                return true
            }
            if replica.gone != nil {
                // Of a list that is no more, nothing is missing.
                news.append(.answer(sync.request, .synced))
                return true
            }
            if case .failed(let refusal) = replica.sync {
                news.append(.answer(sync.request, .error(refusal)))
                return true
            }
            guard sync.isAnswered, replica.unresolved.isEmpty else { return false }
            news.append(.answer(sync.request, .synced))
            return true
        }
    }

    func with<Result>(
        _ name: ListName, _ now: Timestamp, _ body: (Replica) -> Result
    ) -> Result? {
        guard let replica = replicas[name] else { return nil }
        let result = body(replica)
        advance(now)
        return result
    }

    func onReplica<Result>(
        _ name: ListName, _ now: Timestamp,
        _ body: (Replica) throws(EditorFault) -> Result
    ) throws(EditorFault) -> Result {
        guard let replica = replicas[name] else { throw .notOpen }
        defer { advance(now) }
        return try body(replica)
    }
}

extension Replica {
    var isAway: Bool {
        if case .away = sync { return true }
        return false
    }

    /// Opened again by the user: a list that was gone, or could not be opened, is tried anew.
    func reopen() {
        retrying = nil
        switch sync {
        case .gone, .failed: sync = .away
        case .away, .leaving, .opening, .live: break
        }
    }
}
