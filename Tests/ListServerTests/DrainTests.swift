import ListModel
import ListProtocol
import Storage
import Testing

@testable import ListServer
@testable import WebSockets

@Suite("A drain", .timeLimit(.minutes(5))) struct DrainTests {
    let bench: Bench
    let gate = Gate()

    init() throws { bench = try Bench() }

    /// A server whose disk waits at the gate.
    private func server(drainMilliseconds: UInt64 = 20_000) throws -> Server {
        let gate = gate
        return try bench.server {
            $0.drainMilliseconds = drainMilliseconds
        } open: {
            PassingStorage(InMemoryLogStorage()) { gate.pass() }
        }
    }

    private func drain(_ server: Server) -> Inbox<Drained> {
        let inbox = Inbox<Drained>()
        server.drain { inbox.put($0) }
        return inbox
    }

    @Test func `tells every client when to come back, at different times`() async throws {
        let server = try server()
        let names = ["ana", "bo", "cleo"]
        var clients: [TestClient] = []
        for name in names { clients.append(try await bench.client(name, of: server)) }
        _ = try await clients[0].open(create: true)
        _ = try await clients[0].submit(1, [try insert("a")])
        let drained = drain(server)
        var retries: Set<Int64> = []
        for client in clients {
            let (messages, reason) = try await client.end()
            guard case .goodbye(let goodbye)? = messages.last else { throw Unexpected("silence") }
            #expect(goodbye.code == 1001 && reason == .peer(1001, goodbye.sentence))
            retries.insert(try #require(goodbye.retry))
        }
        #expect(retries.count == names.count && retries.allSatisfy { $0 >= 500 })
        let end = try await drained.next()
        #expect(end.clientsLeft == 0 && end.entries == 1)
    }

    @Test func `answers what is under way before it says goodbye`() async throws {
        let server = try server()
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        gate.close()
        ana.send(submission(1, [try insert("a")]), .ping(1, nil))
        #expect(try await ana.next() == .pong(1, nil, nil))
        let drained = drain(server)
        // Behind the drain: its client will send it again.
        ana.send(submission(2, [try insert("b")]))
        gate.open()
        let messages = try await ana.end().messages
        let logged = ServerMessage.Answer(.logged(Version(1), skips: []))
        #expect(messages.contains(.outcome(todo, MutationNumber(1), logged)))
        guard case .goodbye? = messages.last else { throw Unexpected("\(messages)") }
        #expect(try await drained.next().entries == 1)
    }

    @Test func `does not wait for ever for a disk that hangs`() async throws {
        let server = try server(drainMilliseconds: 300)
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        gate.close()
        ana.send(submission(1, [try insert("a")]), .ping(1, nil))
        #expect(try await ana.next() == .pong(1, nil, nil))
        #expect(try await drain(server).next().entries == nil)
        gate.open()
    }

    @Test func `is seen by probes`() async throws {
        let server = try server()
        func status(_ path: String) -> Int {
            server.loop.perform { [service = server.service] in
                service.respond(to: HTTPRequest(method: "GET", path: path, port: 0)).status
            }
        }
        #expect(status("/readyz") == 200 && status("/healthz") == 200)
        _ = try await drain(server).next()
        #expect(status("/readyz") == 503 && status("/healthz") == 200)
    }
}

@Suite("A start", .timeLimit(.minutes(5))) struct StartTests {
    @Test func `is seen by probes, and clients wait for it`() async throws {
        let bench = try Bench()
        let loop = try EventLoop()
        let service = Service(
            ServerOptions(), Limits(), ListServer.Gate(limits: Limits()), nil, on: loop)
        func status(_ path: String) -> Int {
            loop.perform {
                service.respond(to: HTTPRequest(method: "GET", path: path, port: 0)).status
            }
        }
        #expect(status("/readyz") == 503 && status("/healthz") == 200)
        #expect(status("/version") == 200 && status("/") == 404)
        let sockets = WebSocketServer(on: loop, delegate: service)
        try sockets.listen(host: "127.0.0.1", port: 0)
        let ana = TestClient(bench.loop, port: sockets.port)
        #expect(try await ana.event() == .opened)
        let who = try #require(ClientID("ana"))
        ana.send(
            .hello(ClientMessage.Hello(client: who, name: try #require(UserName("ana")))),
            .lists(1))
        let archive = try Archive(InMemoryLogStorage(), limits: Limits())
        try archive.openDeletions()
        let storage = try StorageThread<ArchiveWorkload>(archive)
        loop.perform {
            service.serve(
                Service.Serving(sockets: sockets, storage: storage),
                .started(lists: [], deletions: []))
        }
        guard case .welcome = try await ana.next() else { throw Unexpected("no welcome") }
        #expect(try await ana.next() == .lists(1, []))
        #expect(status("/readyz") == 200)
        loop.stop()
        storage.stop()
    }
}
