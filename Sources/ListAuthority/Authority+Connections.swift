internal import ListModel
internal import ListProtocol

/// Greeting, routing, and the end of connections.
extension Authority {
    func connected(_ id: ConnectionID) {
        connections[id] = Connection(id: id)
        if state == .draining { close(id, .goingAway, "the server is about to end", retry: 1_000) }
    }

    func disconnected(_ id: ConnectionID) {
        for open in connections[id]?.opened ?? [] { leave(open.list.name, id) }
        if Faults.has(.subscribedTwice) {
            for case .hosted(let list) in lists.values { list.subscriptions[Self.second(id)] = nil }
        }
        surveys[id] = nil
        guard let connection = connections.removeValue(forKey: id) else { return }
        if let identity = connection.greeting?.identity, byClient[identity] == id {
            byClient[identity] = nil
        }
    }

    func received(_ message: ClientMessage, from id: ConnectionID, _ now: Timestamp) {
        guard let connection = connections[id], !connection.isClosing else { return }
        if connection.access?.hasExpired(at: now) == true { return endAccess(id) }
        guard state != .starting else { return wait(message, id) }
        if case .hello(let hello) = message { return greet(hello, id) }
        guard let greeting = connection.greeting else {
            let refusal = Refusal(.helloFirst, "say hello first: version, client and name")
            send(.error(nil, nil, refusal), to: id)
            return close(id, .helloExpected, refusal.sentence, retry: nil)
        }
        if let refusal = denial(of: message, from: connection) {
            return refuse(message, from: id, refusal)
        }
        route(message, greeting, id, now)
    }

    /// Nothing can be said of lists before the stored ones are known.
    private func wait(_ message: ClientMessage, _ id: ConnectionID) {
        guard early.count < limits.connections else {
            return close(id, .tooManyRequests, "the server is starting", retry: 1_000)
        }
        early.append((id, message))
    }

    private func greet(_ hello: ClientMessage.Hello, _ id: ConnectionID) {
        guard connections[id]?.greeting == nil else {
            let refusal = Refusal(.helloFirst, "hello was said already; connect anew to change it")
            return send(.error(nil, nil, refusal), to: id)
        }
        guard hello.version == 1 else {
            let refusal = Refusal(
                .unsupportedVersion, "this server speaks version 1, not \(hello.version)")
            send(.error(nil, nil, refusal), to: id)
            return close(id, .unsupportedVersion, refusal.sentence, retry: nil)
        }
        let access = connections[id]?.access
        guard access != nil || !demandsAccess else { return endAccess(id) }
        let name = access?.name ?? hello.name
        let identity = identity(of: hello.client, name)
        // The newer connection is the true one: the older may be half-open without knowing it.
        if let older = byClient.updateValue(id, forKey: identity) {
            close(older, .replaced, CloseCode.replacedSentence, retry: nil)
        }
        connections[id]?.greeting = Connection.Greeting(
            client: hello.client, name: name, identity: identity)
        send(
            .welcome(
                ServerMessage.Welcome(
                    name: name, session: id.number, expires: access?.expires,
                    messageBytes: limits.messageBytes, operations: limits.operations,
                    elementBytes: limits.elementBytes, fields: limits.fields)),
            to: id)
    }

    private func route(
        _ message: ClientMessage, _ who: Connection.Greeting, _ id: ConnectionID, _ now: Timestamp
    ) {
        switch message {
        case .hello: break
        // With another token it comes as `accessRenewed`.
        case .renew(let request, _):
            send(.renewed(request, expires: connections[id]?.access?.expires), to: id)
        case .lists(let request): askLists(request, id, now)
        case .ping(let request, nil): send(.pong(request, nil, nil), to: id)
        case .create(let request, let name, let title, let schema):
            create(name, title, schema, for: request, who, id, message, now)
        case .open(let open) where isCreation(open):
            bring(open.list, creating(nil, nil, who), with: (id, message))
        case .open, .close, .submit, .presence, .who, .remove, .history, .fates, .ping:
            onHosted(message, who, id, now)
        }
    }

    /// A client that knew the list before it was deleted is told so, and does not bring it back.
    func isCreation(_ open: ClientMessage.Open) -> Bool {
        guard open.create, lists[open.list] == nil else { return false }
        guard let at = open.position, let deletion = deletions[open.list] else { return true }
        return at.epoch.list != deletion.epoch.list
    }

    func refuse(
        _ n: MutationNumber, of list: ListName, from id: ConnectionID, _ refusal: Refusal
    ) {
        guard let connection = connections[id], connection.greeting != nil else {
            return send(.error(nil, list, refusal), to: id)
        }
        if demandsAccess, (connection.access?.right(to: list) ?? .read) < .write {
            let submission = ClientMessage.Submission(
                list: list, n: n, heard: .zero, operations: [])
            let denial = denial(of: .submit(submission), from: connection)
            return send(
                .outcome(list, n, ServerMessage.Answer(.refused(denial ?? refusal))), to: id)
        }
        send(.outcome(list, n, ServerMessage.Answer(.refused(refusal))), to: id)
    }

    func send(_ message: ServerMessage, to id: ConnectionID) {
        note(message, to: id)
        send(MessageEncoder.encode(message), to: id, after: nil, of: message.source)
    }

    /// Puts a message into the outbox; one that grows beyond its limit ends the connection, whose
    /// client comes back and asks again. What is told out of a list goes to those who may read it.
    func send(
        _ bytes: [UInt8], to id: ConnectionID, after: (list: ListName, position: Position)?,
        of list: ListName?, isOutcome: Bool = false
    ) {
        guard let connection = connections[id], !connection.isClosing else { return }
        if let list, !mayRead(list, id) { return }
        guard connection.outbox.count < limits.outbox,
            connection.outboxBytes < limits.outboxBytes
        else {
            let (count, bytes) = (connection.outbox.count, connection.outboxBytes)
            connection.drop { _ in true }
            let sentence = "\(count) messages of \(bytes) bytes were not taken in time"
            return close(id, .tooSlow, sentence, retry: 1_000)
        }
        connection.put(
            Connection.Outgoing(bytes: bytes, after: after, list: list, isOutcome: isOutcome))
        markDue(connection)
    }

    /// Says the last word. What waits for entries that were not sent is left out, and comes when
    /// its asker asks again; presence and subscriptions end at once, whenever the socket does.
    func close(_ id: ConnectionID, _ code: CloseCode, _ sentence: String, retry: Int64?) {
        guard let connection = connections[id], !connection.isClosing else { return }
        let goodbye = ServerMessage.Goodbye(code: code.rawValue, sentence: sentence, retry: retry)
        connection.drop { !isReady($0, connection) }
        connection.put(
            Connection.Outgoing(bytes: MessageEncoder.encode(.goodbye(goodbye)), after: nil))
        connection.isClosing = true
        for open in connection.opened { leave(open.list.name, id) }
        markDue(connection)
        closed.append((id, goodbye))
    }

    /// Clients are told to come back one after another, so that they do not all come at once: so
    /// many a second that ten seconds are enough, and not fewer than 500.
    func drain(_ retry: Int64) {
        state = .draining
        let count = Int64(connections.count)
        let span = min(count * 2, 10_000)
        for (index, id) in connections.keys.sorted(by: { $0.number < $1.number }).enumerated() {
            let later = retry + Int64(index) * max(span, 1) / max(count, 1)
            close(id, .goingAway, "the server is about to end", retry: later)
        }
    }
}
