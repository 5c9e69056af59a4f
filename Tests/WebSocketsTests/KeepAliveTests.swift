import Testing
import WebSockets

@Suite struct KeepAliveTests {
    @Test func `PR7 a peer that never answers a ping is gone in time, a healthy one stays`() throws
    {
        let server = try TestServer(.echo) {
            $0.pingAfterSeconds = 1
            $0.hangUpAfterSeconds = 2
        }
        defer { server.stop() }
        let client = TestClient(server.loop, port: server.port)
        try client.opens.next()
        let dead = try RawSocket.open(port: server.port)
        let start = server.loop.now
        #expect(try dead.readFrame() == Frame(opcode: 9, payload: []))
        #expect(try dead.readToEnd().isEmpty)
        #expect((1_000...4_000).contains(server.loop.now - start))
        #expect(try server.closes.next() == .lost)
        // By now the healthy one, idle as well, has answered two pings or more.
        client.send([Array("still here")])
        #expect(try client.messages.next() == Array("still here"))
        #expect(client.closes.isEmpty)
    }

    @Test func `pings can be switched off`() throws {
        let server = try TestServer(.echo) {
            $0.pingAfterSeconds = 0
            $0.hangUpAfterSeconds = 1
        }
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        let later = Inbox<Void>()
        server.loop.post { server.loop.after(milliseconds: 2_500) { later.put(()) } }
        try later.next()
        try socket.sendText(Array("still here"))
        #expect(try socket.readFrame() == Frame(opcode: 1, payload: Array("still here")))
    }

    @Test func `a peer that answers every ping stays, though it says nothing else`() throws {
        let server = try TestServer(.echo) {
            $0.pingAfterSeconds = 1
            $0.hangUpAfterSeconds = 4
        }
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        // Answered at once, long before the time to hang up: five of them take longer than that.
        for _ in 0..<5 {
            #expect(try socket.readFrame() == Frame(opcode: 9, payload: []))
            try socket.send([0x8A, 0x80, 0, 0, 0, 0])
        }
        #expect(server.closes.isEmpty)
    }

    @Test func `a peer that talks is not pinged`() throws {
        let server = try TestServer(.echo) {
            $0.pingAfterSeconds = 1
            $0.hangUpAfterSeconds = 2
        }
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        let start = server.loop.now
        while server.loop.now - start < 2_500 {
            try socket.sendText(Array("x"))
            #expect(try socket.readFrame().opcode == 1)
        }
    }

    @Test func `a peer that reads slowly but steadily stays, though its pong comes late`() throws {
        let log = (0..<60).map { noise(50_000, seed: UInt64($0 + 1)) }
        let cursors = BroadcastTests.Cursors(log)
        var behaviour = Behaviour()
        behaviour.opened = { cursors.pump($0) }
        behaviour.writable = { cursors.pump($0) }
        let server = try TestServer(behaviour) {
            $0.pingAfterSeconds = 1
            $0.hangUpAfterSeconds = 2
            $0.sendBuffer = 16_384
        }
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port, receiveBuffer: 4_096)
        let start = server.loop.now
        var texts = 0
        while texts < log.count {
            // Paced by the clock: 60 messages in some 5 s, and no pong before the end.
            while server.loop.now - start < UInt64(texts) * 80 {}
            let frame = try socket.readFrame()
            guard frame.opcode == 1 else { continue }
            #expect(frame.payload == log[texts])
            texts += 1
        }
        #expect(server.closes.isEmpty)
    }

    @Test func `a client notices a server that has gone silent`() throws {
        // A listening socket whose owner answers the handshake, and then nothing.
        let mute = try MuteServer()
        let loop = try EventLoop()
        defer { loop.stop() }
        let client = TestClient(loop, .init(host: "127.0.0.1", port: mute.port)) {
            $0.pingAfterSeconds = 1
            $0.hangUpAfterSeconds = 2
        }
        try mute.acceptWebSocket()
        try client.opens.next()
        #expect(try client.closes.next() == .lost)
    }
}
