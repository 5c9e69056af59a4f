internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import Storage
internal import WebSockets

/// Who a connection is: what its token gives it is found out here, once, and handed to the
/// authority, which judges every message by it.
extension Service {
    /// Takes a message to the authority that it is for.
    func heed(_ message: ClientMessage, _ session: Session) {
        if case .submit = message { figures.edits += 1 }
        switch message {
        case .hello(let hello): greet(hello, session)
        case .renew(let request, let token): renew(token, request, session)
        default: handle(.message(session.id, message), in: session.realm)
        }
    }

    private func greet(_ hello: ClientMessage.Hello, _ session: Session) {
        var hello = hello
        let token = session.connection.authorization.map(Self.bearer) ?? hello.token ?? ""
        hello.token = nil
        session.connection.authorization = nil
        let isFirst = !session.saidHello
        session.saidHello = true
        if isFirst, !gate.isOpen {
            guard let admission = gate.admission(of: token, at: WallClock.now) else {
                log(.info, "not-admitted", ["connection": "\(session.id.number)"])
                return handle(.accessEnded(session.id), in: session.realm)
            }
            guard hasRoom(for: session, admission) else { return }
            admit(session, admission)
        }
        handle(.message(session.id, .hello(hello)), in: session.realm)
    }

    private func admit(_ session: Session, _ admission: Admission) {
        session.admission = admission
        crowds[User(admission), default: 0] += 1
        log(
            .debug, "admitted",
            ["connection": "\(session.id.number)", "name": admission.access.name.text])
        if admission.tenant != session.realm.tenant {
            handle(.disconnected(session.id), in: session.realm)
            let realm = realm(of: admission.tenant)
            handle(.connected(session.id), in: realm)
            session.enter(realm)
        }
        handle(.admitted(session.id, admission.access), in: session.realm)
    }

    /// Where nobody needs a token, none is looked at.
    private func renew(_ token: String, _ request: RequestID, _ session: Session) {
        guard let before = session.admission else {
            return handle(.message(session.id, .renew(request, token: "")), in: session.realm)
        }
        guard let admission = gate.admission(of: token, at: WallClock.now),
            admission.tenant == before.tenant, admission.access.name == before.access.name
        else {
            let refusal = Refusal(
                .notAuthenticated, "this token is no other of the same name that holds")
            return handle(
                .refused(session.id, refusal, request: request, list: nil), in: session.realm)
        }
        session.admission = admission
        handle(.accessRenewed(session.id, request, admission.access), in: session.realm)
    }

    /// Whether a handshake may go on, by the header in which it shows a token, if it does.
    func admits(authorization: String?) -> Bool {
        guard let authorization, !gate.isOpen else { return true }
        return gate.admission(of: Self.bearer(authorization), at: WallClock.now) != nil
    }

    /// The token of `Bearer TOKEN`; empty where it is none.
    private static func bearer(_ authorization: String) -> String {
        let words = authorization.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return "" }
        return String(words[1])
    }
}

/// Tokens that are made, revoked or changed while the server runs.
extension Service {
    /// Another look at the tokens every so often, in milliseconds.
    private static let pause: UInt64 = 1_000

    func watchTokens() {
        guard let tokens, let storage = serving?.storage else { return }
        storage.post(
            .perform { [self] _ in
                let news = tokens.news()
                loop.post { [self] in
                    take(news)
                    loop.after(milliseconds: Self.pause) { [self] in watchTokens() }
                }
            })
    }

    private func take(_ news: TokenWatch.News) {
        switch news {
        case .nothing: break
        case .tokens(let stored):
            gate.take(stored)
            log(.info, "tokens", ["valid": "\(gate.count(at: WallClock.now))"])
            judgeAnew()
        case .unreadable(let sentence):
            log(.error, "tokens-unreadable", ["reason": sentence, "kept": "the old ones"])
        }
    }

    /// Everybody's access as it is by now; who was let in without a token goes, once there is one.
    func judgeAnew() {
        guard !gate.isOpen else { return }
        for realm in realms.values { handle(.accessDemanded, in: realm) }
        let now = WallClock.now
        for session in sessions.values {
            guard let before = session.admission else { continue }
            guard let admission = gate.renewed(before, at: now) else {
                handle(.accessEnded(session.id), in: session.realm)
                continue
            }
            guard admission != before else { continue }
            session.admission = admission
            handle(.accessRenewed(session.id, nil, admission.access), in: session.realm)
        }
    }
}

/// Files that the operator has replaced.
extension Service {
    func reload() {
        log(.info, "reload")
        do throws(WebSocketError) {
            try serving?.sockets.reloadCertificate()
        } catch {
            log(
                .error, "certificate-unusable",
                ["reason": error.description, "kept": "the old one"])
        }
        reloadKey()
    }

    private func reloadKey() {
        guard let signing = options.signing else { return }
        do throws(ServerError) {
            gate.take(try SignedTokens(signing, limits: limits))
            judgeAnew()
        } catch {
            log(.error, "key-unusable", ["reason": error.description, "kept": "the old one"])
        }
    }
}
