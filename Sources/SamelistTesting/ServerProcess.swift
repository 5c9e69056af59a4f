internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import ListServer
internal import Storage

/// The server's process in memory: the authority that the real one has, over the same archive, with
/// connections that are no sockets. What it logged survives it.
@MainActor
final class ServerProcess {
    let agenda: Agenda
    private let storage = InMemoryLogStorage()
    private let decoder = MessageDecoder(limits: Limits())
    private var run: Run?
    private var words = 0
    private var connections: UInt64 = 0

    /// One run of the process, from its start to its end.
    private final class Run {
        let authority: Authority
        let archive: Archive
        var clients: [ConnectionID: Connection] = [:]
        var isPumpDue = false
        /// Takes nobody in any more.
        var isDraining = false
        var tick: Timestamp?

        init(_ authority: Authority, _ archive: Archive) {
            self.authority = authority
            self.archive = archive
        }
    }

    init(_ agenda: Agenda) {
        self.agenda = agenda
        start()
    }

    var isRunning: Bool { run != nil }
    var takesClients: Bool { run.map { !$0.isDraining } ?? false }

    func start() {
        guard run == nil else { return }
        do {
            let archive = try Archive(storage, limits: Limits())
            let deletions = try archive.openDeletions()
            let authority = Authority { [weak self] in self?.freshWord() ?? "" }
            run = Run(authority, archive)
            handle(.started(lists: archive.names, deletions: deletions))
        } catch {
            preconditionFailure("the storage in memory fails: \(error)")
        }
    }

    private func freshWord() -> String {
        words += 1
        return "word\(words)"
    }

    /// Says goodbye to all, and ends.
    func drain() {
        run?.isDraining = true
        handle(.drain(retry: 1_000))
        agenda.settle()
        kill()
    }

    /// Ends at once: what was logged is kept, what is on its way is lost.
    func kill() {
        guard let ended = run else { return }
        run = nil
        for connection in ended.clients.values.sorted(by: { $0.id.number < $1.id.number }) {
            connection.end(code: nil, "the connection was lost")
        }
    }

    // From the clients.

    /// `nil` where there is no process to take the connection.
    func accept(_ client: InMemorySurroundings) -> Connection? {
        guard let run, takesClients else { return nil }
        connections += 1
        let connection = Connection(ConnectionID(connections), client, self)
        run.clients[connection.id] = connection
        handle(.connected(connection.id))
        return connection
    }

    func received(_ bytes: [UInt8], on id: ConnectionID) {
        guard run?.clients[id] != nil else { return }
        do throws(DecodingFault) {
            handle(.message(id, try decoder.decodeClientMessage(bytes)))
        } catch {
            handle(Event(error, from: id))
        }
    }

    func lost(_ id: ConnectionID) {
        guard run?.clients.removeValue(forKey: id) != nil else { return }
        handle(.disconnected(id))
    }

    // To the storage and the clients.

    private func handle(_ event: Event) {
        guard let run else { return }
        run.authority.handle(event, at: agenda.now)
        guard !run.isPumpDue else { return }
        run.isPumpDue = true
        plan(for: run) { $0.pump($1) }
    }

    private func pump(_ run: Run) {
        run.isPumpDue = false
        work(run)
        for id in run.authority.takeDue() { deliver(to: id, run) }
        for (id, goodbye) in run.authority.takeClosed() {
            deliver(to: id, run)
            run.clients.removeValue(forKey: id)?.end(code: goodbye.code, goodbye.sentence)
            handle(.disconnected(id))
        }
        // What was delivered may have asked for more to read.
        work(run)
        wake(run)
    }

    private func deliver(to id: ConnectionID, _ run: Run) {
        guard let connection = run.clients[id] else { return }
        while true {
            let frames = run.authority.takeFrames(for: id, bytes: 64 << 10)
            if frames.isEmpty { return }
            for frame in frames { connection.down(frame) }
        }
    }

    private func work(_ run: Run) {
        for work in run.authority.takeStorageWork() {
            let event = run.archive.perform(work)
            plan(for: run) { server, _ in if let event { server.handle(event) } }
        }
    }

    /// Presence is told in a moment, for which the clock moves on; a list that nobody reads is put
    /// away some time.
    private func wake(_ run: Run) {
        guard let tick = run.authority.nextTick(after: agenda.now), run.tick != tick else { return }
        run.tick = tick
        let isSoon = tick < agenda.now.adding(milliseconds: 1_000)
        let isWanted = { [weak run] in isSoon && run?.tick == tick }
        agenda.plan(at: tick, while: isWanted) { [weak self, weak run] in
            guard let self, let run, run === self.run else { return }
            if run.tick == tick { run.tick = nil }
            handle(.tick)
        }
    }

    /// Of a run that has ended meanwhile nothing happens.
    private func plan(
        for run: Run, _ action: @escaping (ServerProcess, Run) -> Void
    ) {
        agenda.plan { [weak self, weak run] in
            guard let self, let run, run === self.run else { return }
            action(self, run)
        }
    }
}

/// A connection between a client and the server: messages arrive in order, as bytes, until one side
/// ends it or it is cut.
@MainActor
final class Connection {
    let id: ConnectionID
    private let agenda: Agenda
    private weak var client: InMemorySurroundings?
    private weak var server: ServerProcess?
    private var isUp = true

    init(_ id: ConnectionID, _ client: InMemorySurroundings, _ server: ServerProcess) {
        self.id = id
        agenda = server.agenda
        self.client = client
        self.server = server
    }

    func up(_ bytes: [UInt8]) {
        agenda.plan { [self] in if isUp { server?.received(bytes, on: id) } }
    }

    func down(_ bytes: [UInt8]) {
        agenda.plan { [self] in client?.received(bytes, on: self) }
    }

    /// The client leaves; what it sent before still arrives.
    func close() {
        client = nil
        agenda.plan { [self] in server?.lost(id) }
    }

    /// The server ends it, behind what it sent.
    func end(code: UInt16?, _ sentence: String) {
        isUp = false
        agenda.plan { [self] in client?.lost(self, code: code, sentence) }
    }

    /// Nothing gets through any more, not even what is on its way; both sides notice.
    func cut() {
        isUp = false
        let cut = client
        client = nil
        agenda.plan { [self] in
            server?.lost(id)
            cut?.lost(self, code: nil, "the connection was lost")
        }
    }
}
