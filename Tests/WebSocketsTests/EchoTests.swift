import Testing
import WebSockets

@Suite struct EchoTests {
    @Test func `messages go both ways, in order, between a client and a server`() throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        let client = TestClient(server.loop, port: server.port)
        try client.opens.next()
        let texts = (0..<100).map { Array("message \($0)") }
        for text in texts { client.send([text]) }
        #expect(try client.messages.next(100) == texts)
        client.client.close(code: 1000, reason: "done")
        #expect(try client.closes.next() == .local(1000, "done"))
        #expect(try server.closes.next() == .peer(1000, "done"))
    }

    @Test func `client and server may have loops of their own`() throws {
        let server = try TestServer(.echo)
        let loop = try EventLoop()
        let client = TestClient(loop, port: server.port)
        try client.opens.next()
        client.send([Array("a"), Array(""), Array("ü")])
        #expect(try client.messages.next(3).map(\.string) == ["a", "", "ü"])
        server.stop()
        #expect(try client.closes.next() == .lost)
        loop.stop()
    }

    @Test func `PR1 a message of 1 MiB comes back whole, though deflate was offered`() throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        let answer = try socket.handshake(more: ["Sec-WebSocket-Extensions: permessage-deflate"])
        #expect(answer.hasPrefix("HTTP/1.1 101"))
        #expect(!answer.lowercased().contains("extensions"))
        let message = noise(1 << 20)
        try socket.sendText(message)
        #expect(try socket.readFrame() == Frame(opcode: 1, payload: message))
    }

    @Test func `PR2 what was sent may be overwritten at once`() throws {
        var behaviour = Behaviour()
        behaviour.opened = { connection in
            var payloads = [noise(200_000)]
            _ = connection.send(payloads)
            for index in payloads[0].indices { payloads[0][index] = 0 }
        }
        let server = try TestServer(behaviour)
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port, receiveBuffer: 4_096)
        #expect(try socket.readFrame().payload == noise(200_000))
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
    func `a message of each kind of length comes back whole`(length: Int) throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        let message = noise(length)
        let socket = try RawSocket.open(port: server.port)
        try socket.sendText(message)
        #expect(try socket.readFrame() == Frame(opcode: 1, payload: message))
        let client = TestClient(server.loop, port: server.port)
        try client.opens.next()
        client.send([message])
        #expect(try client.messages.next() == message)
    }

    @Test func `several messages in one send are one write and several frames`() throws {
        var behaviour = Behaviour()
        behaviour.opened = { _ = $0.send([Array("a"), noise(300), Array("c")]) }
        let server = try TestServer(behaviour)
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        #expect(
            try (0..<3).map { _ in try socket.readFrame().payload } == [
                Array("a"), noise(300), Array("c"),
            ])
    }
}
