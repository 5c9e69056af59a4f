internal import ListModel
internal import ListProtocol

/// Lists come from the storage when somebody needs them, and go when nobody does.
extension Authority {
    func started(_ names: [StoredName], _ deletions: [Deletion], _ now: Timestamp) {
        guard state == .starting else { return }
        for stored in names { lists[stored.name] = .stored(stored.epoch) }
        for deletion in deletions { self.deletions[deletion.name] = deletion }
        state = .serving
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
        case .hosted, .none:
            refuse(message, from: id, absent(name, message))
        case .stored:
            bring(name, .loading, with: (id, message))
        case .coming(let epoch, let coming, let waiting):
            guard waiting.count < limits.outbox else {
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
                    list.name, of: element, before: before, limit: limit, for: id, request))
        case .fates(let request, _, let ids): answerFates(request, ids, list, id)
        case .ping(let request, _):
            let pong = ServerMessage.pong(request, list.name, list.durable)
            send(MessageEncoder.encode(pong), to: id, after: (list.name, list.durable))
        case .create(let request, _, let title, let schema):
            answerCreation(of: list, title, schema, for: request, id)
        case .hello, .close, .lists: break
        }
    }

    func created(_ name: ListName, _ refusal: Refusal?, _ now: Timestamp) {
        guard case .coming(let epoch, let coming, let waiting) = lists[name] else { return }
        if let refusal {
            lists[name] = nil
            for (id, message) in waiting { refuse(message, from: id, refusal) }
            return
        }
        deletions[name] = nil
        let list = HostedList(name: name, stored: StoredList(newWith: epoch))
        list.idleSince = now
        lists[name] = .hosted(list)
        if case .creating(let title, let schema, let by, let client) = coming,
            title != nil || schema != nil
        {
            describe(list, title, schema, by, client, now)
        }
        replay(waiting, now)
    }

    func loaded(_ name: ListName, _ result: Result<StoredList, Refusal>, _ now: Timestamp) {
        guard case .coming(let epoch, _, let waiting) = lists[name] else { return }
        switch result {
        case .success(let stored):
            let list = HostedList(name: name, stored: stored)
            list.idleSince = now
            lists[name] = .hosted(list)
            replay(waiting, now)
        case .failure(let refusal):
            lists[name] = .unreadable(epoch, refusal)
            for (id, message) in waiting { refuse(message, from: id, refusal) }
        }
    }

    private func replay(_ waiting: [(ConnectionID, ClientMessage)], _ now: Timestamp) {
        for (id, message) in waiting { received(message, from: id, now) }
    }

    /// The typed "no" to a message, in the form in which its sender waits for it.
    func refuse(_ message: ClientMessage, from id: ConnectionID, _ refusal: Refusal) {
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

    /// Puts lists away that nobody reads, and tells presence.
    func tick(_ now: Timestamp) {
        for (name, place) in lists {
            guard case .hosted(let list) = place else { continue }
            tellPresence(of: list)
            if let idle = list.idleSince, list.waiting.isEmpty, !list.isSaving,
                list.removal == nil, now >= idle.adding(milliseconds: Self.idleTime)
            {
                lists[name] = .stored(list.epoch)
            }
        }
    }
}
