import Testing
import WebSockets

@Suite struct HandshakeTests {
    private func server() throws -> TestServer {
        var behaviour = Behaviour.echo
        behaviour.origins = ["https://app.example.com"]
        return try TestServer(behaviour)
    }

    @Test func `AU4 an origin counts only when it is exactly one that is allowed`() throws {
        let server = try server()
        defer { server.stop() }
        func status(_ origins: String...) throws -> String {
            let socket = try RawSocket(port: server.port)
            let answer = try socket.handshake(more: origins.map { "Origin: \($0)" })
            return String(answer.dropFirst(9).prefix(3))
        }
        #expect(try status() == "101")
        #expect(try status("https://app.example.com") == "101")
        for origin in [
            "https://evilapp.example.com", "https://app.example.com.evil.tld", "null",
            "https://app.example.com:8443", "http://app.example.com", "https://app.example.com/",
            "https://APP.example.com", "https://example.com", "app.example.com", "*",
        ] {
            #expect(try status(origin) == "403", "\(origin)")
        }
        #expect(try status("https://app.example.com", "https://evil.tld") == "403")
        #expect(try status("https://evil.tld", "https://app.example.com") == "403")
    }

    @Test func `other versions and subprotocols are refused with a reason`() throws {
        let server = try server()
        defer { server.stop() }
        func answer(_ version: String?, _ subprotocol: String?) throws -> String {
            try RawSocket(port: server.port).handshake(version: version, subprotocol: subprotocol)
        }
        #expect(try answer("13", "samelist.v1").contains("Sec-WebSocket-Protocol: samelist.v1"))
        #expect(try answer("13", "other, samelist.v1").hasPrefix("HTTP/1.1 101"))
        #expect(try answer("8", "samelist.v1").hasPrefix("HTTP/1.1 426"))
        #expect(try answer("8", "samelist.v1").contains("Sec-WebSocket-Version: 13\r\n"))
        #expect(try answer(nil, "samelist.v1").hasPrefix("HTTP/1.1 426"))
        for subprotocol in [nil, "", "samelist.v2", "samelist", "http", "samelist.v1x"] {
            #expect(try answer("13", subprotocol).hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func `AU7 slow handshakes end in time, and hold up nobody`() throws {
        let server = try TestServer(.echo) { $0.handshakeMilliseconds = 600 }
        defer { server.stop() }
        let silent = try (0..<100).map { _ in try RawSocket(port: server.port) }
        let slow = try (0..<100).map { _ in try RawSocket(port: server.port) }
        for socket in slow { try socket.send("GET / HTTP/1.1\r\nHost: x\r\n") }
        let honest = try RawSocket.open(port: server.port)
        try honest.sendText(Array("hello"))
        #expect(try honest.readFrame().payload.string == "hello")
        // One more header now and then does not buy more time.
        for round in 0..<3 {
            for socket in slow { try? socket.send("X-\(round): y\r\n") }
            try honest.sendText(Array("\(round)"))
            #expect(try honest.readFrame().payload.string == "\(round)")
        }
        for socket in silent + slow { #expect(try socket.readToEnd().isEmpty) }
        try honest.sendText(Array("still here"))
        #expect(try honest.readFrame().payload.string == "still here")
    }

    @Test func `more sockets than allowed are turned away, and there is room again later`() throws {
        let server = try TestServer(.echo) { $0.maxConnections = 5 }
        defer { server.stop() }
        var sockets = try (0..<5).map { _ in try RawSocket.open(port: server.port) }
        let extra = try RawSocket(port: server.port)
        #expect(throws: (any Error).self) { try extra.handshake() }
        try sockets[0].sendText(Array("hello"))
        #expect(try sockets[0].readFrame().payload.string == "hello")
        sockets.removeLast()
        #expect(try server.closes.next() == .lost)
        // The freed place may take a turn of the loop to be counted.
        #expect((0..<100).contains { _ in (try? RawSocket.open(port: server.port)) != nil })
    }
}
