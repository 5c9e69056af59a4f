internal import ListModel
internal import ListProtocol

/// What the server says, and the ends of connections.
extension ClientCore {
    func received(_ message: ServerMessage, _ now: Timestamp) {
        switch message {
        case .welcome(let welcome):
            self.welcome = welcome
            link.welcomed(now)
            takeName(welcome.name)
            takeLimits(welcome)
            expires(welcome.expires, now)
            news.append(.link(link.state))
            for replica in inOrder { replica.open(session: welcome.session) }
        case .snapshot(let name, let part): replicas[name]?.received(part)
        case .entries(let name, let entries): replicas[name]?.received(entries)
        case .caughtUp(let name, let position, let logged, let highest):
            replicas[name]?.caughtUp(
                at: position, logged: logged, highest: highest, now: now)
            if replicas[name]?.isLive == true { garbles = 0 }
        case .outcome(let name, let n, let answer):
            replicas[name]?.received(answer, for: n, at: now)
        case .presence(let name, let change): replicas[name]?.received(change)
        case .fates(nil, let name, let fates): replicas[name]?.received(fates)
        case .gone(let name, let gone): replicas[name]?.end(gone)
        case .goodbye(let goodbye): parted(goodbye, now)
        case .renewed(_, let expires): self.expires(expires, now)
        case .error(let request, let name, let refusal): failed(request, name, refusal, now)
        case .pong(let request, _, _): answered(request)
        case .fates(.some(let request), let name, let fates):
            replicas[name]?.learn(fates)
            answer(request, .fates(fates))
        case .who(let request, _, let here): answer(request, .who(here))
        case .done(let request, _): answer(request, .done)
        case .lists(let request, let lists): answer(request, .lists(lists))
        case .history(let request, _, let entries): answer(request, .history(entries))
        }
    }

    private func failed(
        _ request: RequestID?, _ name: ListName?, _ refusal: Refusal, _ now: Timestamp
    ) {
        if let request {
            notRenewed(request, at: now)
            if let index = syncs.firstIndex(where: { $0.ping == request }) {
                news.append(.answer(syncs.remove(at: index).request, .error(refusal)))
            }
            return answer(request, .error(refusal))
        }
        guard let name, let replica = replicas[name] else { return }
        replica.openFailed(refusal, now) { link.pause(after: $0) }
    }

    /// The server knows better who this is than the client does.
    private func takeName(_ name: UserName) {
        user = name
        for replica in replicas.values { replica.user = name }
        for replica in closed.values { replica.user = name }
    }

    private func takeLimits(_ welcome: ServerMessage.Welcome) {
        limits.follow(welcome)
        for replica in replicas.values { replica.limits.follow(welcome) }
        for replica in closed.values { replica.limits.follow(welcome) }
    }

    private func answer(_ request: RequestID, _ reply: Reply) {
        guard asked.remove(request) != nil else { return }
        news.append(.answer(request, reply))
    }

    private func answered(_ ping: RequestID) {
        for replica in inOrder {
            if case .leaving(ping) = replica.sync { replica.open(session: session) }
        }
        guard let index = syncs.firstIndex(where: { $0.ping == ping }) else { return }
        syncs[index].isAnswered = true
    }

    private func parted(_ goodbye: ServerMessage.Goodbye, _ now: Timestamp) {
        if goodbye.code == CloseCode.goingAway.rawValue { link.drain() }
        disconnected(goodbye.code, goodbye.sentence, now, retry: goodbye.retry)
        work.append(.disconnect)
    }

    func disconnected(
        _ code: UInt16?, _ sentence: String, _ now: Timestamp, retry: Int64? = nil
    ) {
        guard link.isConnected else { return }
        if code == CloseCode.replaced.rawValue, link.wasReplacedByItself() {
            return cut(now, retry: 0, sentence)
        }
        switch code.map({ CloseCode.advice(for: $0) }) ?? .retryLater {
        case .stop:
            let isUnknown = code == CloseCode.notAuthenticated.rawValue
            let refusal = Refusal(isUnknown ? .notAuthenticated : .notAllowed, sentence)
            cut(now, retry: nil, sentence)
            link.refuse(refusal, now)
            news.append(.link(link.state))
        case .retryAtOnce: cut(now, retry: 0, sentence)
        case .retryLater, .resync: cut(now, retry: retry, sentence)
        }
    }

    /// The connection is begun anew, thrice at most; then it waits for the user, pending work kept.
    func garbled(_ sentence: String, _ now: Timestamp) {
        guard link.isConnected else { return }
        garbles += 1
        work.append(.disconnect)
        let sentence = "the server sent what is no message: \(sentence)"
        cut(now, retry: nil, sentence)
        guard garbles > Self.mostGarbles else { return }
        garbles = 0
        let refusal = Refusal(.malformed, sentence)
        link.refuse(refusal, now)
        news.append(.link(link.state))
        for replica in inOrder where replica.gone == nil {
            news.append(.failed(replica.name, refusal))
        }
    }

    private static let mostGarbles = 3

    func cut(_ now: Timestamp, retry: Int64?, _ sentence: String) {
        link.cut(now, retry: retry, sentence)
        lose(sentence)
        news.append(.link(link.state))
    }

    /// Everything that hung on the connection ends with it.
    func lose(_ sentence: String) {
        for replica in inOrder { replica.disconnected() }
        let refusal = Refusal(.unreachable, sentence)
        for request in asked.sorted() { news.append(.answer(request, .error(refusal))) }
        asked = []
        renewal = nil
        for index in syncs.indices {
            syncs[index].ping = nil
            syncs[index].isAnswered = false
        }
    }
}

extension Replica {
    /// The list could not be opened, or what was said of it was refused.
    func openFailed(_ refusal: Refusal, _ now: Timestamp, _ pause: (Int) -> Int64) {
        // That of what was said of a list before it ended says nothing of opening it again.
        guard case .opening = sync, refusal.code != .notOpen else { return }
        if epoch != nil, refusal.code == .listDeleted {
            return end(ServerMessage.Gone(code: .listDeleted, by: nil, at: now))
        }
        if epoch != nil, refusal.code == .notAllowed {
            return end(ServerMessage.Gone(code: .accessLost, by: nil, at: now))
        }
        let refusal = epoch != nil && refusal.code == .noSuchList ? unknownThere : refusal
        sync = .failed(refusal)
        if retryLater(refusal, now, pause) { news.append(.failed(name, refusal)) }
    }

    /// Nobody deleted it, so nothing of it is let go: the server's data were reset or moved away,
    /// and may come back.
    private var unknownThere: Refusal {
        Refusal(
            .noSuchList,
            "the server no longer knows the list \(name), though nobody deleted it: its data may "
                + "have been reset. Your copy, pending changes and drafts are kept. Ask for a "
                + "backup to be restored; a list made anew under this name is another one, and "
                + "refuses them")
    }

    func received(_ change: PresenceChange) {
        if change.isWhole { presence = [:] }
        for presence in change.here { self.presence[presence.session] = presence }
        for session in change.left { presence[session] = nil }
        tellOthers()
        news.append(.presence(name))
    }
}

extension Limits {
    fileprivate mutating func follow(_ welcome: ServerMessage.Welcome) {
        messageBytes = welcome.messageBytes
        operations = welcome.operations
        elementBytes = welcome.elementBytes
        fields = welcome.fields
    }
}
