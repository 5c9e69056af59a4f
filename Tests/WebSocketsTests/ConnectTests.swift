import Glibc
import Testing
import WebSockets

@Suite struct ConnectTests {
    private func failure(_ client: TestClient) throws -> ConnectFailure? {
        guard case .failed(let failure, let sentence) = try client.closes.next() else {
            return nil
        }
        #expect(sentence.hasSuffix("."))
        return failure
    }

    @Test func `each way not to connect has its reason`() throws {
        let loop = try EventLoop()
        defer { loop.stop() }
        let free = try MuteServer().port
        #expect(try failure(TestClient(loop, port: free)) == .refused)
        #expect(
            try failure(TestClient(loop, .init(host: "no.such.host.invalid", port: 1)))
                == .unknownHost)

        let mute = try MuteServer()
        let plain = TestClient(loop, port: mute.port)
        try mute.answer { _ in "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n" }
        #expect(try failure(plain) == .httpStatus(404))
        let redirected = TestClient(loop, port: mute.port)
        try mute.answer { _ in
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(try failure(redirected) == .httpStatus(302))
        for subprotocol in ["other", nil] {
            let client = TestClient(loop, port: mute.port)
            try mute.acceptWebSocket(subprotocol: subprotocol)
            #expect(try failure(client) == .protocolRefused)
        }
        let noise = TestClient(loop, .init(host: "127.0.0.1", port: mute.port)) {
            $0.connectMilliseconds = 500
        }
        try mute.answer { _ in "What?\r\n\r\n" }
        #expect(try failure(noise) != nil)
    }

    @Test func `a server that does not answer is given up in time`() throws {
        let loop = try EventLoop()
        defer { loop.stop() }
        let mute = try MuteServer()
        let client = TestClient(loop, .init(host: "127.0.0.1", port: mute.port)) {
            $0.connectMilliseconds = 200
        }
        #expect(try failure(client) == .timedOut)
    }

    @Test func `a name with several addresses is tried at each of them`() throws {
        // The server has 127.0.0.1 only; on most machines the name's first address is ::1.
        let server = try TestServer(.echo)
        defer { server.stop() }
        let client = TestClient(server.loop, .init(host: "localhost", port: server.port))
        try client.opens.next()
        client.send([Array("hello")])
        #expect(try client.messages.next() == Array("hello"))
    }

    @Test func `a client closed or detached while connecting ends once, or in silence`() throws {
        let server = try TestServer()
        defer { server.stop() }
        for round in 0..<50 {
            let client = TestClient(server.loop, port: server.port)
            if round % 2 == 0 { client.client.close() } else { client.client.detach() }
            if round % 2 == 0 {
                _ = try client.closes.next()
                client.client.close()
            }
            server.loop.perform {}
            #expect(client.closes.isEmpty)
        }
        let client = TestClient(server.loop, port: server.port)
        try client.opens.next()
        client.client.detach()
        try server.waitUntilEmpty()
        #expect(client.closes.isEmpty)
    }

    @Test func `stopping a loop ends its clients, whatever they were doing`() throws {
        let server = try TestServer()
        let mute = try MuteServer()
        let loop = try EventLoop()
        let open = TestClient(loop, port: server.port)
        try open.opens.next()
        let waiting = TestClient(loop, port: mute.port)
        let resolving = TestClient(loop, .init(host: "no.such.host.invalid", port: 1))
        loop.perform {}
        loop.stop()
        #expect(try open.closes.next() == .lost)
        #expect(try failure(waiting) == .stopped)
        #expect(try failure(resolving) != nil)
        #expect(try server.closes.next() == .lost)
        #expect(try failure(TestClient(loop, port: server.port)) == .stopped)
        server.stop()
    }

    @Test func `a message over the client's limit closes with 1009`() throws {
        var behaviour = Behaviour()
        behaviour.opened = { _ = $0.send([noise(200_000)]) }
        let server = try TestServer(behaviour)
        defer { server.stop() }
        let client = TestClient(server.loop, .init(host: "127.0.0.1", port: server.port)) {
            $0.maxMessage = 100_000
        }
        guard case .peer(1009, _) = try server.closes.next() else {
            Issue.record("not closed for its size")
            return
        }
        guard case .local(1009, _) = try client.closes.next() else {
            Issue.record("not closed by the client")
            return
        }
        #expect(client.messages.isEmpty)
    }

    @Test func `a thousand clients of one loop are open at a time`() throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        let loop = try EventLoop()
        defer { loop.stop() }
        let clients = (0..<1_000).map { _ in TestClient(loop, port: server.port) }
        for client in clients { try client.opens.next() }
        for (index, client) in clients.enumerated() { client.send([Array("\(index)")]) }
        for (index, client) in clients.enumerated() {
            #expect(try client.messages.next() == Array("\(index)"))
        }
    }
}
