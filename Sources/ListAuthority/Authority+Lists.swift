internal import ListModel
internal import ListProtocol

/// Lists come from the storage when somebody needs them, and go when nobody does.
extension Authority {
    func started(_ names: [StoredName], _ deletions: [Deletion]) {
        guard state == .starting else { return }
        for stored in names { lists[stored.name] = .stored(stored.epoch) }
        for deletion in deletions { self.deletions[deletion.name] = deletion }
        state = .serving
        let waiting = early
        early = []
        replay(waiting)
    }

    func creating(_ title: String?, _ schema: Schema?, _ who: Connection.Greeting) -> Coming {
        .creating(title: title, schema: schema, by: who.name, client: who.client)
    }

    /// Asks the storage for a list, and keeps what came for it until then.
    func bring(
        _ name: ListName, _ coming: Coming, with first: (ConnectionID, ClientMessage)
    ) {
        switch coming {
        case .creating:
            guard lists.count < limits.lists else {
                let refusal = Refusal(.tooMany, "this server holds at most \(limits.lists) lists")
                return refuse(first.1, from: first.0, refusal)
            }
            let epoch = Epoch(list: freshWord(), log: freshWord())
            lists[name] = .coming(epoch, coming, [first])
            work.append(.create(name, epoch))
        case .loading:
            guard case .stored(let epoch) = lists[name] else { return }
            lists[name] = .coming(epoch, coming, [first])
            work.append(.load(name))
        }
    }

    /// Handles a message that needs a list in memory, now or when it has come.
    func onHosted(
        _ message: ClientMessage, _ who: Connection.Greeting, _ id: ConnectionID, _ now: Timestamp
    ) {
        guard let name = message.list else { return }
        switch lists[name] {
        case .hosted(let list) where list.removal == nil:
            handle(message, of: list, who, id, now)
        case .hosted(let list):
            guard let later = list.removal?.later, later.count < limits.early else {
                return close(id, .tooManyRequests, "the list is being deleted", retry: 1_000)
            }
            list.removal?.later.append((id, message))
        case .none:
            refuse(message, from: id, absent(name, message))
        case .stored:
            bring(name, .loading, with: (id, message))
        case .coming(let epoch, let coming, let waiting):
            guard waiting.count < limits.early else {
                return close(id, .tooManyRequests, "the list is still loading", retry: 1_000)
            }
            lists[name] = .coming(epoch, coming, waiting + [(id, message)])
        case .unreadable(_, let refusal):
            refuse(message, from: id, refusal)
        }
    }

    private func absent(_ name: ListName, _ message: ClientMessage) -> Refusal {
        if let deletion = deletions[name] {
            return Refusal(.listDeleted, "the list \(name) was deleted by \(deletion.by)")
        }
        return Refusal(.noSuchList, "there is no list \(name); create it first")
    }

    private func handle(
        _ message: ClientMessage, of list: HostedList, _ who: Connection.Greeting,
        _ id: ConnectionID, _ now: Timestamp
    ) {
        switch message {
        case .open(let open): self.open(open, list, who, id, now)
        case .submit(let submission): submit(submission, to: list, who, id, now)
        case .presence(_, let editing): announce(editing, in: list, id)
        case .who(let request, _):
            send(.who(request, list.name, list.presence.all), to: id)
        case .remove(let request, _): remove(list, for: request, who, id, now)
        case .history(let request, _, let element, let before, let limit):
            work.append(
                .history(
                    list.name, of: element, before: before,
                    limit: max(1, min(limit, Self.mostHistory)), for: id, request))
        case .fates(let request, _, let ids): answerFates(request, ids, list, id)
        case .ping(let request, _):
            hold(.pong(request, list.name, list.durable), for: id, in: list)
        case .create(let request, _, let title, let schema):
            answerCreation(of: list, title, schema, for: request, who, id, now)
        case .close: leave(list.name, id)
        case .hello, .lists, .renew: break
        }
    }

    func created(_ name: ListName, _ refusal: Refusal?, _ now: Timestamp) {
        guard case .coming(let epoch, let coming, let waiting) = lists[name] else { return }
        if let refusal {
            lists[name] = nil
            for (id, message) in waiting { refuse(message, from: id, refusal) }
            return
        }
        let list = host(name, StoredList(newWith: epoch))
        if case .creating(let title, let schema, let by, let client) = coming,
            title != nil || schema != nil
        {
            describe(list, title, schema, by, client, now)
        }
        replay(waiting)
    }

    private func host(_ name: ListName, _ stored: StoredList) -> HostedList {
        let list = HostedList(name: name, stored: stored)
        list.idleSince = now
        counted[name] = nil
        lists[name] = .hosted(list)
        restless.insert(name)
        return list
    }

    func loaded(_ name: ListName, _ result: Result<StoredList, Refusal>, _ now: Timestamp) {
        guard case .coming(let epoch, _, let waiting) = lists[name] else { return }
        defer { surveyed(name, now) }
        switch result {
        case .success(let stored) where waiting.isEmpty:
            lists[name] = .stored(epoch)
            counted[name] = ListSummary(
                name: name, title: stored.state.title, version: stored.state.head,
                count: stored.state.count, open: 0)
        case .success(let stored):
            _ = host(name, stored)
            replay(waiting)
        case .failure(let refusal):
            // Damage stays; a disk that failed may do better when somebody asks again.
            let isDamaged = refusal.code == .listUnreadable
            lists[name] = isDamaged ? .unreadable(epoch, refusal) : .stored(epoch)
            for (id, message) in waiting { refuse(message, from: id, refusal) }
        }
    }

    func replay(_ waiting: [(ConnectionID, ClientMessage)]) {
        for (id, message) in waiting { received(message, from: id, now) }
    }

    /// The typed "no" to a message, in the form in which its sender waits for it.
    func refuse(_ message: ClientMessage, from id: ConnectionID, _ refusal: Refusal) {
        // Closing what is not open is done already.
        if case .close = message { return }
        if case .submit(let submission) = message {
            let answer = ServerMessage.Answer(.refused(refusal))
            return send(.outcome(submission.list, submission.n, answer), to: id)
        }
        if case .open(let open) = message, let deletion = deletions[open.list],
            refusal.code == .listDeleted
        {
            let gone = ServerMessage.Gone(code: .listDeleted, by: deletion.by, at: deletion.at)
            if open.position?.epoch.list == deletion.epoch.list {
                return send(.gone(open.list, gone), to: id)
            }
        }
        send(.error(message.request, message.list, refusal), to: id)
    }

    /// Entries that one question about history is answered with at most.
    private static let mostHistory = 1_000

    /// Puts lists away that nobody reads, and tells presence.
    func tick(_ now: Timestamp) {
        endExpired(now)
        endSurveys(now)
        admitQueued(now)
        for name in restless {
            guard let list = hosted(name) else {
                restless.remove(name)
                continue
            }
            tellPresence(of: list)
            if let idle = list.idleSince, now >= idle.adding(milliseconds: Self.idleTime) {
                putAway(list, now)
            }
            if list.idleSince == nil, !list.presence.isDirty { restless.remove(name) }
        }
    }

    /// What is under way with it goes first.
    private func putAway(_ list: HostedList, _ now: Timestamp) {
        if list.isAtRest {
            counted[list.name] = summary(of: list)
            lists[list.name] = .stored(list.epoch)
        } else {
            list.idleSince = now
        }
    }
}
