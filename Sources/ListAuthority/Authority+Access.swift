internal import ListModel
internal import ListProtocol

/// Who may do what: what every message needs, and what becomes of a connection whose access
/// changes.
///
/// As long as no access is demanded, everybody may do everything under any name. From then on a
/// connection has what the shell admitted it with, or nothing. What comes in is checked in `denial`
/// alone, what goes out of lists in `mayRead`.
extension Authority {
    /// Why a message may not be heeded; `nil`: it may. Says the same of a list that is there as of
    /// one that is not.
    func denial(of message: ClientMessage, from connection: Connection) -> Refusal? {
        guard demandsAccess, case .right(let needed, let list) = need(of: message) else {
            return nil
        }
        guard let right = connection.access?.right(to: list) else {
            return Refusal(.notAllowed, "your token gives no right to the list \(list)")
        }
        guard right < needed else { return nil }
        switch needed {
        case .read, .write:
            return Refusal(.readOnly, "your token gives the right to read \(list), not to write")
        case .own:
            let sentence =
                "making, describing and deleting \(list) needs a token with the right own"
            return Refusal(right == .read ? .readOnly : .notAllowed, sentence)
        }
    }

    private enum Need {
        case nothing
        case right(Right, ListName)
    }

    /// The table of rights.
    private func need(of message: ClientMessage) -> Need {
        switch message {
        case .hello, .renew, .lists, .ping(_, nil): .nothing
        case .close(let list), .who(_, let list), .history(_, let list, _, _, _),
            .fates(_, let list, _), .ping(_, .some(let list)):
            .right(.read, list)
        case .open(let open): .right(isCreation(open) ? .own : .read, open.list)
        case .presence(let list, let editing): .right(editing.isEmpty ? .read : .write, list)
        case .submit(let submission):
            .right(
                submission.operations.contains(where: \.describes) ? .own : .write, submission.list)
        case .create(_, let list, _, _), .remove(_, let list): .right(.own, list)
        }
    }

    /// Whether a connection may still be told of a list.
    func mayRead(_ list: ListName, _ id: ConnectionID) -> Bool {
        !demandsAccess || connections[id]?.access?.right(to: list) != nil
    }

    /// The shell found a token to be good, before hello.
    func admitted(_ id: ConnectionID, _ access: Access) {
        guard let connection = connections[id], connection.greeting == nil else { return }
        connections[id]?.access = access
        expect(access.expires)
    }

    /// From here on nobody is served without access, and who has none goes.
    func demandAccess() {
        guard !demandsAccess else { return }
        demandsAccess = true
        for id in connections.keys.sorted(by: { $0.number < $1.number }) {
            guard let connection = connections[id], connection.access == nil else { continue }
            if connection.greeting != nil { endAccess(id) }
        }
    }

    /// Another token of the same name: lists that it may not read are taken away.
    func renewAccess(_ id: ConnectionID, _ request: RequestID?, _ access: Access) {
        guard let connection = connections[id], !connection.isClosing,
            connection.access?.name == access.name
        else { return }
        connections[id]?.access = access
        expect(access.expires)
        for open in connection.opened where access.right(to: open.list.name) == nil {
            take(open.list.name, from: id)
        }
        if let request { send(.renewed(request, expires: access.expires), to: id) }
    }

    /// Everything that was open is taken away, and the connection closed: its token expired, was
    /// revoked, or never was one.
    func endAccess(_ id: ConnectionID) {
        guard let connection = connections[id], !connection.isClosing else { return }
        connections[id]?.drop { _ in true }
        for open in connection.opened { take(open.list.name, from: id) }
        connections[id]?.access = nil
        send(.error(nil, nil, Self.notAuthenticated), to: id)
        close(id, .notAuthenticated, Self.notAuthenticated.sentence, retry: nil)
    }

    /// The same whatever is wrong with a token, so that nobody learns from it.
    static let notAuthenticated = Refusal(
        .notAuthenticated, "a token that holds is needed here; ask the operator for one")

    private func take(_ name: ListName, from id: ConnectionID) {
        connections[id]?.drop { $0.list == name }
        leave(name, id)
        send(.gone(name, ServerMessage.Gone(code: .accessLost, by: nil, at: now)), to: id)
    }

    /// Ends what has expired. Cost: all connections, but only when one of them has.
    func endExpired(_ now: Timestamp) {
        guard let next = nextExpiry, next <= now else { return }
        nextExpiry = nil
        for id in connections.keys.sorted(by: { $0.number < $1.number }) {
            guard let access = connections[id]?.access else { continue }
            if access.hasExpired(at: now) { endAccess(id) } else { expect(access.expires) }
        }
    }

    private func expect(_ expiry: Timestamp?) {
        guard let expiry else { return }
        nextExpiry = min(nextExpiry ?? expiry, expiry)
    }

    /// Under what a client is known: with access, its name is part of it, so that nobody takes
    /// another's place by saying its ID.
    func identity(of client: ClientID, _ name: UserName) -> ClientIdentity {
        ClientIdentity(client: client, name: demandsAccess ? name : nil)
    }

    /// Whether a client's ID belongs to another name in a list: to that under which it wrote there
    /// last. What is said under an ID that stands in everybody's log could else pass for its
    /// owner's.
    func isAnothers(_ who: Connection.Greeting, in list: HostedList) -> Bool {
        guard demandsAccess else { return false }
        let owner = list.sessions.name(of: who.client) ?? list.claims[who.client]
        return owner.map { $0 != who.name } ?? false
    }

    func anothers(_ client: ClientID) -> Refusal {
        Refusal(.notAllowed, "the client ID \(client) is another's here; take a new one")
    }
}

/// A client, and with access the name that it belongs to.
struct ClientIdentity: Hashable {
    let client: ClientID
    let name: UserName?
}

extension Operation {
    fileprivate var describes: Bool {
        if case .describe = intent { return true }
        return false
    }
}
