internal import ListModel
internal import ListProtocol

/// Greeting, routing, and the end of connections.
extension Authority {
    func connected(_ id: ConnectionID) {
        connections[id] = Connection(id: id)
        if state == .draining { close(id, .goingAway, "the server is about to end", retry: 1_000) }
    }

    func disconnected(_ id: ConnectionID, _ now: Timestamp) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        for name in connection.lists { leave(name, id, now) }
        if let client = connection.greeting?.client, byClient[client] == id {
            byClient[client] = nil
        }
    }

    func received(_ message: ClientMessage, from id: ConnectionID, _ now: Timestamp) {
        guard let connection = connections[id], !connection.isClosing else { return }
        if case .hello(let hello) = message { return greet(hello, id) }
        guard let greeting = connection.greeting else {
            let refusal = Refusal(.helloFirst, "say hello first: version, client and name")
            send(.error(nil, nil, refusal), to: id)
            return close(id, .helloExpected, refusal.sentence, retry: nil)
        }
        route(message, greeting, id, now)
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
        // The newer connection is the true one: the older may be half-open without knowing it.
        if let older = byClient.updateValue(id, forKey: hello.client) {
            close(older, .replaced, "this client connected again", retry: nil)
        }
        connections[id]?.greeting = Connection.Greeting(client: hello.client, name: hello.name)
        send(
            .welcome(
                ServerMessage.Welcome(
                    name: hello.name, session: id.number, messageBytes: limits.messageBytes,
                    operations: limits.operations, elementBytes: limits.elementBytes,
                    fields: limits.fields)),
            to: id)
    }

    private func route(
        _ message: ClientMessage, _ who: Connection.Greeting, _ id: ConnectionID, _ now: Timestamp
    ) {
        switch message {
        case .hello: break
        case .lists(let request): answerLists(request, id)
        case .ping(let request, nil): send(.pong(request, nil, nil), to: id)
        case .close(let name): leave(name, id, now)
        case .create(let request, let name, let title, let schema):
            create(name, title, schema, for: request, who, id, message, now)
        case .open(let open) where open.create && lists[open.list] == nil:
            bring(open.list, creating(nil, nil, who), with: (id, message))
        case .open, .submit, .presence, .who, .remove, .history, .fates, .ping:
            onHosted(message, who, id, now)
        }
    }

    func refuse(_ n: MutationNumber, of list: ListName, from id: ConnectionID, _ refusal: Refusal) {
        guard connections[id]?.greeting != nil else { return send(.error(nil, list, refusal), to: id) }
        send(.outcome(list, n, ServerMessage.Answer(.refused(refusal))), to: id)
    }

    func send(_ message: ServerMessage, to id: ConnectionID) {
        send(MessageEncoder.encode(message), to: id, after: nil)
    }

    /// Puts a message into the outbox; one that grows beyond its limit ends the connection, whose client
    /// comes back and asks again.
    func send(
        _ bytes: [UInt8], to id: ConnectionID, after: (list: ListName, version: Version)?
    ) {
        guard let connection = connections[id], !connection.isClosing else { return }
        guard connection.outbox.count < limits.outbox else {
            let most = limits.outbox
            return close(id, .tooSlow, "\(most) messages were not taken in time", retry: 1_000)
        }
        connections[id]?.outbox.append(Connection.Outgoing(bytes: bytes, after: after))
        markDue(id)
    }

    func close(_ id: ConnectionID, _ code: CloseCode, _ sentence: String, retry: Int64?) {
        guard let connection = connections[id], !connection.isClosing else { return }
        let goodbye = ServerMessage.Goodbye(code: code.rawValue, sentence: sentence, retry: retry)
        connections[id]?.outbox.append(
            Connection.Outgoing(bytes: MessageEncoder.encode(.goodbye(goodbye)), after: nil))
        connections[id]?.isClosing = true
        markDue(id)
        closed.append((id, goodbye))
    }

    /// Clients are told to come back at different times, so that they do not all come at once.
    func drain(_ retry: Int64) {
        state = .draining
        for (index, id) in connections.keys.sorted(by: { $0.number < $1.number }).enumerated() {
            let later = retry + Int64(index % 100) * 10
            close(id, .goingAway, "the server is about to end", retry: later)
        }
    }
}
