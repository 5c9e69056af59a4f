internal import ListModel
package import ListProtocol

/// Creating lists twice, describing them, listing and deleting them.
extension Authority {
    func create(
        _ name: ListName, _ title: String?, _ schema: Schema?, for request: RequestID,
        _ who: Connection.Greeting, _ id: ConnectionID, _ message: ClientMessage, _ now: Timestamp
    ) {
        guard (title?.utf8.count ?? 0) <= limits.titleBytes else {
            let most = limits.titleBytes
            let refusal = Refusal(.tooLarge, "a title holds at most \(most) bytes")
            return refuse(message, from: id, refusal)
        }
        if lists[name] == nil {
            bring(name, creating(title, schema, who), with: (id, message))
        } else {
            onHosted(message, who, id, now)
        }
    }

    /// The list is there: fine, if it is as it was asked for; told once that is durable. Where
    /// nothing was ever written to it, its description got lost on the way, and is given now.
    func answerCreation(
        of list: HostedList, _ title: String?, _ schema: Schema?, for request: RequestID,
        _ who: Connection.Greeting, _ id: ConnectionID, _ now: Timestamp
    ) {
        let state = list.speculation.list
        if title ?? state.title != state.title || schema ?? state.schema != state.schema {
            guard state.head == .zero else {
                let refusal = Refusal(
                    .listExists, "there is a list \(list.name) with another title or schema")
                return send(.error(request, list.name, refusal), to: id)
            }
            describe(list, title, schema, who.name, who.client, now)
        }
        guard list.waiting.isEmpty else {
            return list.waiting[list.waiting.count - 1].creations.append((id, request))
        }
        hold(.done(request, list.name), for: id, in: list)
    }

    /// The first entry of a list that is created with a title or a schema, by its creator.
    func describe(
        _ list: HostedList, _ title: String?, _ schema: Schema?, _ by: UserName,
        _ client: ClientID, _ now: Timestamp
    ) {
        let mutation = Mutation(
            client: client, n: .zero,
            operations: [Operation(.describe(title: title, schema: schema))])
        propose(
            mutation,
            ClientMessage.Submission(
                list: list.name, n: .zero, heard: .zero, operations: mutation.operations),
            by, ConnectionID(0), to: list, now)
    }

    func remove(
        _ list: HostedList, for request: RequestID, _ who: Connection.Greeting,
        _ id: ConnectionID, _ now: Timestamp
    ) {
        let deletion = Deletion(name: list.name, epoch: list.epoch, by: who.name, at: now)
        list.removal = HostedList.Removal(connection: id, request: request, deletion: deletion)
        work.append(.drop(list.name, deletion))
    }

    func dropped(_ name: ListName, _ refusal: Refusal?, _ now: Timestamp) {
        guard let list = hosted(name), let removal = list.removal else { return }
        if let refusal {
            list.removal = nil
            dirty.insert(name)
            send(.error(removal.request, name, refusal), to: removal.connection)
            return replay(removal.later)
        }
        // What would come before its entry is covered by the word that the list is no more.
        for id in list.subscriptions.keys {
            guard let connection = connections[id] else { continue }
            connection.drop { $0.isOutcome && !isReady($0, connection) }
        }
        lists[name] = nil
        deletions[name] = removal.deletion
        let gone = MessageEncoder.encode(
            .gone(
                name,
                ServerMessage.Gone(
                    code: .listDeleted, by: removal.deletion.by, at: removal.deletion.at)))
        for id in list.subscriptions.keys {
            connections[id]?.leave(name)
            if !Faults.has(.dropNotTold) { send(gone, to: id, after: nil, of: name) }
        }
        refuseWaiting(
            in: list,
            Refusal(.listDeleted, "the list \(name) was deleted by \(removal.deletion.by)"))
        send(.done(removal.request, name), to: removal.connection)
        replay(list.ahead.map { ($0, .open($1)) })
        replay(removal.later)
    }
}

extension ClientMessage {
    /// The list it speaks of.
    var list: ListName? {
        switch self {
        case .hello, .lists, .renew: nil
        case .open(let open): open.list
        case .submit(let submission): submission.list
        case .close(let name), .presence(let name, _), .who(_, let name),
            .create(_, let name, _, _), .remove(_, let name), .history(_, let name, _, _, _),
            .fates(_, let name, _):
            name
        case .ping(_, let name): name
        }
    }

    /// The number of the question, where it is one.
    package var request: RequestID? {
        switch self {
        case .hello, .open, .close, .submit, .presence: nil
        case .who(let request, _), .create(let request, _, _, _), .remove(let request, _),
            .lists(let request), .history(let request, _, _, _, _), .fates(let request, _, _),
            .ping(let request, _), .renew(let request, _):
            request
        }
    }
}

extension ServerMessage {
    /// The list out of which it tells something; `nil`: none, or nothing that must not be known.
    var source: ListName? {
        switch self {
        case .snapshot(let list, _), .entries(let list, _), .caughtUp(let list, _, _, _),
            .presence(let list, _), .who(_, let list, _), .fates(_, let list, _),
            .history(_, let list, _):
            list
        case .welcome, .outcome, .gone, .done, .lists, .pong, .renewed, .error, .goodbye: nil
        }
    }
}
