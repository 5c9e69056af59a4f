internal import ListAuthority
internal import ListModel
internal import ListProtocol

/// What one connection, and one user, may have of the server: see `Limits`.
extension Service {
    /// A user of a tenant, of whom there may be many connections.
    struct User: Hashable {
        let tenant: Tenant
        let name: UserName

        init(_ admission: Admission) {
            tenant = admission.tenant
            name = admission.access.name
        }
    }

    /// Who says nothing holds a descriptor for nothing.
    func expectHello(_ session: Session) {
        strangers.append((session.id, loop.now + UInt64(limits.helloSeconds) * 1_000))
        if strangers.count == 1 { watchStrangers(after: UInt64(limits.helloSeconds) * 1_000) }
    }

    /// One timer for all of them, since one for each would take more memory than who has said
    /// hello; and not more than one look a second.
    private func watchStrangers(after milliseconds: UInt64) {
        loop.after(milliseconds: milliseconds) { [self] in
            let now = loop.now
            let due = strangers.prefix { $0.until <= now }
            strangers.removeFirst(due.count)
            for (id, _) in due { missHello(of: id) }
            guard let next = strangers.first else { return }
            watchStrangers(after: max(1_000, next.until - now))
        }
    }

    private func missHello(of id: ListAuthority.ConnectionID) {
        guard let session = sessions[id], !session.saidHello, takesWork else { return }
        sendAway(
            session, .helloLate,
            Refusal(.helloFirst, "hello did not come within \(limits.helloSeconds) seconds"))
    }

    func mayRead(_ bytes: Int, from session: Session) -> Bool {
        if session.allowance.read(bytes, at: loop.now) { return true }
        sendAway(
            session, .tooManyRequests,
            Refusal(.tooManyRequests, "at most \(limits.bytesPerSecond) bytes a second are read"))
        return false
    }

    /// Leaving out anything but a question would leave the client waiting, or its work in another
    /// order: so that closes the connection, and all is said again on the next.
    func mayHeed(_ message: ClientMessage, from session: Session) -> Bool {
        var isEdit = false
        if case .submit = message { isEdit = true }
        guard let excess = session.allowance.spend(isEdit: isEdit, at: loop.now) else {
            return true
        }
        let refusal = refusal(of: excess)
        if message.request != nil, session.allowance.forgives() {
            handle(.unheeded(session.id, message, refusal), in: session.realm)
        } else {
            sendAway(session, .tooManyRequests, refusal)
        }
        return false
    }

    /// What cannot be understood counts as what can.
    func mayErr(_ session: Session) -> Bool {
        guard let excess = session.allowance.spend(isEdit: false, at: loop.now) else {
            return true
        }
        sendAway(session, .tooManyRequests, refusal(of: excess))
        return false
    }

    private func refusal(of excess: Allowance.Excess) -> Refusal {
        let (most, what) =
            switch excess {
            case .messages: (limits.messagesPerSecond, "messages")
            case .edits: (limits.editsPerSecond, "mutations")
            }
        return Refusal(
            .tooManyRequests, "at most \(most) \(what) a second are taken from one connection")
    }

    func hasRoom(for session: Session, _ admission: Admission) -> Bool {
        let most = limits.connectionsPerUser
        guard crowds[User(admission), default: 0] >= most else { return true }
        sendAway(
            session, .tooManyConnections,
            Refusal(.tooMany, "one user has at most \(most) connections"))
        return false
    }

    /// The connection is no more.
    func left(_ session: Session) {
        guard let user = session.admission.map(User.init), let count = crowds[user] else { return }
        crowds[user] = count == 1 ? nil : count - 1
    }

    private func sendAway(_ session: Session, _ code: CloseCode, _ refusal: Refusal) {
        session.isSentAway = true
        log(
            .warning, "sent-away",
            [
                "connection": "\(session.id.number)", "from": session.connection.remoteAddress,
                "code": "\(code.rawValue)", "reason": refusal.sentence,
            ])
        handle(
            .sentAway(session.id, code, refusal, retry: Allowance.retry), in: session.realm)
    }
}
