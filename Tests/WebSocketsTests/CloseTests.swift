import Testing
import WebSockets

@Suite struct CloseTests {
    @Test(arguments: [1000, 1001, 1008, 1009, 1011, 4000, 4321, 4999] as [UInt16])
    func `a close code and its text reach the peer`(code: UInt16) throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = TestClient(server.loop, port: server.port)
        let connection = try server.opens.next()
        try client.opens.next()
        server.loop.post { connection.close(code: code, reason: "because") }
        #expect(try client.closes.next() == .peer(code, "because"))
        #expect(try server.closes.next() == .local(code, "because"))

        let other = TestClient(server.loop, port: server.port)
        try other.opens.next()
        other.client.close(code: code, reason: "bye")
        #expect(try server.closes.next() == .peer(code, "bye"))
        #expect(try other.closes.next() == .local(code, "bye"))
    }

    @Test func `what was sent before the close arrives before it, also to a slow reader`() throws {
        var behaviour = Behaviour()
        behaviour.opened = { connection in
            _ = connection.send([noise(250_000)])
            connection.close(code: 4001, reason: "enough")
            connection.close(code: 4002, reason: "once is enough")
            #expect(connection.send([Array("late")]) == .overflow)
        }
        let server = try TestServer(behaviour) { $0.sendBuffer = 16_384 }
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port, receiveBuffer: 4_096)
        #expect(try socket.readFrame().payload == noise(250_000))
        #expect(try socket.readFrame().closeCode == 4001)
        try socket.send(RawSocket.frame(8, [0x0f, 0xa1]))
        #expect(try socket.readToEnd().isEmpty)
        #expect(try server.closes.next() == .local(4001, "enough"))
    }

    @Test func `PR4 a close in mid-message, inside the callback, is a clean one`() throws {
        var behaviour = Behaviour()
        behaviour.received = { message, connection in
            connection.close(code: 4004, reason: "no more")
        }
        let server = try TestServer(behaviour)
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        // Behind the message that makes the server close lie fragments of another.
        let more = (0..<5).flatMap { RawSocket.frame($0 == 0 ? 1 : 0, noise(50), isFinal: false) }
        try socket.send(RawSocket.frame(1, Array("first")) + more)
        #expect(try socket.readFrame().closeCode == 4004)
        try socket.send(RawSocket.frame(8, [0x0f, 0xa4]))
        #expect(try server.closes.next() == .local(4004, "no more"))
        #expect(try server.messages.next() == Array("first"))
        #expect(server.messages.isEmpty)
    }

    @Test func `a peer that does not answer a close is dropped when its time is over`() throws {
        var behaviour = Behaviour()
        behaviour.opened = { $0.close(code: 4005, reason: "") }
        let server = try TestServer(behaviour) { $0.closeMilliseconds = 200 }
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        #expect(try server.closes.next() == .local(4005, ""))
        #expect(try socket.readFrame().closeCode == 4005)
        #expect(try socket.readToEnd().isEmpty)
    }

    @Test func `a peer that does not read at all is dropped as well`() throws {
        var behaviour = Behaviour()
        behaviour.opened = { connection in
            _ = connection.send([noise(1 << 20)])
            connection.close(code: 4006, reason: "")
        }
        let server = try TestServer(behaviour) {
            $0.closeMilliseconds = 200
            $0.sendBuffer = 16_384
        }
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port, receiveBuffer: 4_096)
        #expect(try server.closes.next() == .local(4006, ""))
        try server.waitUntilEmpty()
        withExtendedLifetime(socket) {}
    }

    @Test func `a peer that just goes away is told as lost`() throws {
        let server = try TestServer()
        defer { server.stop() }
        var socket: RawSocket? = try RawSocket.open(port: server.port)
        _ = try server.opens.next()
        withExtendedLifetime(socket) {}
        socket = nil
        #expect(try server.closes.next() == .lost)
    }

    @Test func `a long reason is cut at a character, not sent in two`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = TestClient(server.loop, port: server.port)
        let connection = try server.opens.next()
        server.loop.post {
            connection.close(code: 4000, reason: String(repeating: "é", count: 100))
        }
        #expect(try client.closes.next() == .peer(4000, String(repeating: "é", count: 61)))
    }

    @Test func `closeAll tells everyone, and stop drops everyone`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let clients = (0..<20).map { _ in TestClient(server.loop, port: server.port) }
        for client in clients { try client.opens.next() }
        server.server.closeAll(code: 1001, reason: "restart")
        for client in clients { #expect(try client.closes.next() == .peer(1001, "restart")) }

        let socket = try RawSocket.open(port: server.port)
        server.server.stop()
        #expect(try socket.readToEnd().isEmpty)
        #expect(throws: RawSocket.Ended.self) { try RawSocket(port: server.port) }
        try server.waitUntilEmpty()
    }
}
