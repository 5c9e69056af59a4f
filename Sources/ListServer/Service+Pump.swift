internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import WebSockets

/// Carrying out what the authority wants done.
extension Service {
    /// Pumps once for all that happens in this turn of the loop.
    func schedulePump() {
        loop.preconditionOnLoop()
        guard !isPumpDue else { return }
        isPumpDue = true
        loop.post { [self] in pump() }
    }

    private func pump() {
        isPumpDue = false
        let realms = due
        due = []
        for realm in realms {
            realm.isDue = false
            pump(realm)
        }
        proceedWithDrain()
    }

    private func pump(_ realm: Realm) {
        postStorageWork(of: realm)
        fanOut(realm.authority)
        for (id, goodbye) in realm.authority.takeClosed() {
            if let session = sessions[id] { end(session, goodbye) }
        }
        // What was delivered may have asked for more to read.
        postStorageWork(of: realm)
        if realm.isActive { wake(realm, at: WallClock.now.adding(milliseconds: Self.shortest)) }
        realm.isActive = false
    }

    private func fanOut(_ authority: Authority) {
        authority.takeDue(into: &readers)
        if readers.isEmpty { return }
        let start = steadySeconds()
        deliver(to: readers)
        figures.fanOutSeconds.add(steadySeconds() - start)
        figures.fanOutConnections.add(Double(readers.count))
    }

    /// Gives each session what there is for it, as far as its socket takes it.
    func deliver(to sessions: [AnyObject]) {
        // Taken out of this object, so that it is one access to each and not one for each session.
        var (room, outgoing, sent) = ([[UInt8]](), Broadcast(), Sent())
        swap(&room, &frames)
        swap(&outgoing, &broadcast)
        for case let session as Session in sessions {
            session.deliver(&room, in: &outgoing, counting: &sent)
        }
        outgoing.send()
        swap(&outgoing, &broadcast)
        swap(&room, &frames)
        figures.deliveries += sent.messages
        figures.bytesOut += sent.bytes
    }

    /// The goodbye goes last; who does not take what comes before it is left all the same.
    private func end(_ session: Session, _ goodbye: ServerMessage.Goodbye) {
        log(
            .debug, "closing",
            ["connection": "\(session.id.number)", "code": "\(goodbye.code)"])
        session.goodbye = goodbye
        deliver(to: [session])
        loop.after(milliseconds: options.drainMilliseconds) { session.leave(goodbye) }
    }

    /// The authority looks through its lists when time passes, so not more often than this.
    private static let shortest: Int64 = 50

    private func wake(_ realm: Realm, at time: Timestamp) {
        if let tick = realm.tick {
            if tick.at <= time { return }
            tick.timer.cancel()
        }
        let delay = max(time.milliseconds - WallClock.now.milliseconds, Self.shortest)
        let timer = loop.after(milliseconds: UInt64(delay)) { [self] in timePassed(in: realm) }
        realm.tick = (time, timer)
    }

    private func timePassed(in realm: Realm) {
        realm.tick = nil
        let now = WallClock.now
        realm.authority.handle(.tick, at: now)
        if let next = realm.authority.nextTick(after: now) { wake(realm, at: next) }
        markDue(realm)
    }
}
