package import ListAuthority
internal import ListModel
internal import ListProtocol

/// The server's process: the authority with simulated sockets and a simulated log. What is on its
/// disk survives it.
package final class ServerNode {
    unowned let world: World
    package let disk: Disk
    /// `nil` while the process does not run.
    package private(set) var authority: Authority?
    private var sessions: [ConnectionID: Session] = [:]
    /// Number of this run of the process; what earlier ones planned is let go.
    private var run = 0
    private var isPumpDue = false
    private var decoder = MessageDecoder(limits: Limits())
    private var lastJob = Timestamp.zero
    /// Work that the disk has not done yet, oldest first.
    private var jobs: [StorageWork] = []

    /// A connection as the server sees it.
    private struct Session {
        let wire: Wire
        unowned let client: ClientNode
        var isWritable = true
        /// Said once all else is sent.
        var goodbye: ServerMessage.Goodbye?
    }

    init(_ world: World) {
        self.world = world
        disk = Disk()
    }

    package var isRunning: Bool { authority != nil }
    /// What the server takes for the time.
    private var clock: Timestamp {
        world.now.adding(milliseconds: world.conditions.serverClock)
    }
    package var connectionCount: Int { sessions.count }

    package func start() {
        guard authority == nil else { return }
        let conditions = world.conditions
        decoder = MessageDecoder(limits: conditions.limits)
        authority = Authority(
            limits: conditions.limits, history: conditions.history,
            freshWord: { [unowned world] in world.random.word() })
        handle(.started(lists: disk.names, deletions: disk.deletions))
    }

    /// Ends the process at once. Of the work that the disk was doing, some may have been done.
    package func kill() {
        guard authority != nil else { return }
        let done = Int.random(in: 0...jobs.count, using: &world.random)
        for work in jobs.prefix(done) { _ = disk.perform(work, decoder) }
        if world.conditions.tears, let half = jobs.dropFirst(done).first { tear(half) }
        stop()
        let lost = sessions.values.sorted { $0.wire.id.number < $1.wire.id.number }
        sessions = [:]
        for session in lost {
            session.wire.cut()
            world.plan(after: world.latency()) {
                session.client.closed(session.wire, code: nil, "the connection was lost")
            }
        }
    }

    /// Says goodbye to all, and ends once nothing is under way.
    package func drain() throws(LiveLock) {
        handle(.drain(retry: 1_000))
        try world.run(for: 60_000) { sessions.isEmpty && jobs.isEmpty }
        kill()
    }

    /// Of an append that was under way some records may be there, the oldest.
    private func tear(_ work: StorageWork) {
        guard case .append(let name, let after, let records) = work, records.count > 1 else {
            return
        }
        let count = Int.random(in: 0..<records.count, using: &world.random)
        let some = Array(records.prefix(count))
        if count > 0 { _ = disk.perform(.append(name, after: after, records: some), decoder) }
    }

    private func stop() {
        authority = nil
        run += 1
        jobs = []
        lastJob = .zero
        isPumpDue = false
    }

    // From the sockets.

    /// False where there is no process to take the connection.
    func accept(_ wire: Wire, from client: ClientNode) -> Bool {
        guard authority != nil else { return false }
        sessions[wire.id] = Session(wire: wire, client: client)
        handle(.connected(wire.id))
        return true
    }

    func received(_ bytes: [UInt8], on id: ConnectionID) {
        guard sessions[id] != nil else { return }
        do throws(DecodingFault) {
            handle(.message(id, try decoder.decodeClientMessage(bytes)))
        } catch {
            let refusal = Refusal(error.code, error.sentence)
            if let list = error.list, let n = error.n {
                handle(.refusedSubmission(id, list, n, refusal))
            } else {
                handle(.refused(id, refusal, request: error.request, list: error.list))
            }
        }
    }

    func lost(_ id: ConnectionID) {
        guard sessions.removeValue(forKey: id) != nil else { return }
        handle(.disconnected(id))
    }

    package func handle(_ event: Event) {
        guard let authority else { return }
        authority.handle(event, at: clock)
        schedulePump()
    }

    // To the sockets and the disk.

    private func schedulePump() {
        guard !isPumpDue else { return }
        isPumpDue = true
        let run = run
        world.plan(after: 0) { if self.run == run { self.pump() } }
    }

    private func pump() {
        guard let authority else { return }
        isPumpDue = false
        postStorageWork()
        for id in authority.takeDue().sorted(by: { $0.number < $1.number }) { deliver(to: id) }
        for (id, goodbye) in authority.takeClosed() {
            sessions[id]?.goodbye = goodbye
            deliver(to: id)
        }
        postStorageWork()
        guard let tick = authority.nextTick(after: clock) else { return }
        let run = run
        let isSoon = tick < clock.adding(milliseconds: 1_000)
        let pause = tick.milliseconds - clock.milliseconds
        world.plan(after: pause, isWork: isSoon) { if self.run == run { self.timePassed() } }
    }

    private func timePassed() {
        guard let authority, let due = authority.nextTick(after: clock),
            due <= clock.adding(milliseconds: 1_000)
        else { return }
        handle(.tick)
    }

    private func deliver(to id: ConnectionID) {
        guard let authority, let session = sessions[id], session.isWritable else { return }
        let frames = authority.takeFrames(for: id, bytes: world.conditions.writeBytes)
        guard !frames.isEmpty else {
            if let goodbye = session.goodbye { close(session, goodbye) }
            return
        }
        for bytes in frames {
            session.wire.down { session.client.receive(bytes, on: session.wire) }
        }
        sessions[id]?.isWritable = false
        let run = run
        world.plan(after: world.conditions.writePause) {
            guard self.run == run else { return }
            self.sessions[id]?.isWritable = true
            self.deliver(to: id)
            self.postStorageWork()
        }
    }

    private func close(_ session: Session, _ goodbye: ServerMessage.Goodbye) {
        session.wire.down {
            session.client.closed(session.wire, code: goodbye.code, goodbye.sentence)
        }
        lost(session.wire.id)
    }

    private func postStorageWork() {
        guard let authority else { return }
        for work in authority.takeStorageWork() {
            let pause = Int64.random(in: world.conditions.flush, using: &world.random)
            lastJob = max(lastJob, world.now.adding(milliseconds: pause))
            jobs.append(work)
            let run = run
            world.plan(at: lastJob) {
                guard self.run == run else { return }
                self.jobs.removeFirst()
                self.handle(self.outcome(of: work))
            }
        }
    }

    private func outcome(of work: StorageWork) -> Event {
        let conditions = world.conditions
        let failures = work.isWrite ? conditions.failedAppends : conditions.failedReads
        if world.random.happens(failures) { return work.failed("input or output error") }
        let event = disk.perform(work, decoder)
        guard case .append(let name, _, _) = work else { return event }
        let isLost = world.random.happens(conditions.lostAnswers)
        return isLost ? .appendFailed(name, .failed("no answer")) : event
    }
}
