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
        fanOut(realm.authority.takeDue())
        for (id, goodbye) in realm.authority.takeClosed() {
            if let session = sessions[id] { end(session, goodbye) }
        }
        // What was delivered may have asked for more to read.
        postStorageWork(of: realm)
        if realm.isActive { wake(realm, at: WallClock.now.adding(milliseconds: Self.shortest)) }
        realm.isActive = false
    }

    private func fanOut(_ due: [ListAuthority.ConnectionID]) {
        if due.isEmpty { return }
        let start = steadySeconds()
        for id in due {
            if let session = sessions[id] { deliver(to: session) }
        }
        figures.fanOutSeconds.add(steadySeconds() - start)
        figures.fanOutConnections.add(Double(due.count))
    }

    func deliver(to session: Session) {
        session.deliver(from: session.realm.authority, &frames, counting: &figures)
    }

    /// The goodbye goes last; who does not take what comes before it is left all the same.
    private func end(_ session: Session, _ goodbye: ServerMessage.Goodbye) {
        log(
            .debug, "closing",
            ["connection": "\(session.id.number)", "code": "\(goodbye.code)"])
        session.goodbye = goodbye
        deliver(to: session)
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
