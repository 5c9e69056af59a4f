import Glibc
import Testing
import WebSockets

@Suite struct ListenTests {
    private func listen(
        _ host: String, _ port: UInt16, tls: TLSFiles? = nil
    ) throws -> (EventLoop, WebSocketServer) {
        let loop = try EventLoop()
        let server = WebSocketServer(on: loop, delegate: try TestServer())
        do {
            try server.listen(host: host, port: port, tls: tls)
        } catch {
            loop.stop()
            throw error
        }
        return (loop, server)
    }

    @Test func `each way not to listen has its error and a sentence`() throws {
        let server = try TestServer()
        defer { server.stop() }
        func error(_ host: String, _ port: UInt16, tls: TLSFiles? = nil) -> String {
            do {
                let (loop, _) = try listen(host, port, tls: tls)
                loop.stop()
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            error("127.0.0.1", server.port)
                == "Port \(server.port) on 127.0.0.1 is in use by another program.")
        #expect(error("no.such.host.invalid", 0) == "There is no address for no.such.host.invalid.")
        #expect(error("192.0.2.1", 0) == "192.0.2.1 is no address of this machine.")
        #expect(
            error("127.0.0.1", 0, tls: TLSFiles(certificate: "/no/cert", key: "/no/key"))
                .hasPrefix("The certificate /no/cert cannot be read: No such file"))
        if geteuid() != 0 {
            #expect(
                error("127.0.0.1", 80) == "Listening on port 80 of 127.0.0.1 is not permitted.")
        }
    }

    @Test func `a name is listened on at all its addresses, at one port`() throws {
        let (loop, server) = try listen("localhost", 0)
        defer { loop.stop() }
        #expect(server.port != 0)
        _ = try RawSocket.open(port: server.port)
    }

    @Test func `a server listens on several ports, and tells HTTP requests which`() throws {
        var behaviour = Behaviour()
        behaviour.respond = { HTTPResponse(status: 200, text: "\($0.port)") }
        let server = try TestServer(behaviour)
        defer { server.stop() }
        let second = try server.server.listen(host: "127.0.0.1", port: 0)
        #expect(second != server.port)
        for port in [server.port, second] {
            let socket = try RawSocket(port: port)
            try socket.send("GET / HTTP/1.1\r\nHost: server\r\nConnection: close\r\n\r\n")
            #expect(try socket.readToEnd().string.hasSuffix("\r\n\r\n\(port)"))
            _ = try RawSocket.open(port: port)
        }
    }

    @Test func `TLS and plain ports live together, TLS first`() throws {
        let certificate = try TestCertificate()
        let server = try TestServer(.echo, tls: certificate.files)
        defer { server.stop() }
        let plain = try server.server.listen(host: "127.0.0.1", port: 0)
        let clients = [
            TestClient(server.loop, certificate.endpoint(server.port)),
            TestClient(server.loop, port: plain),
        ]
        for client in clients {
            try client.opens.next()
            client.send([Array("hello")])
            #expect(try client.messages.next() == Array("hello"))
        }
        let other = try TestServer()
        defer { other.stop() }
        #expect(throws: WebSocketError.self) {
            try other.server.listen(host: "127.0.0.1", port: 0, tls: certificate.files)
        }
    }

    @Test func `a second server on one loop is refused`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let second = WebSocketServer(on: server.loop, delegate: server)
        #expect(throws: WebSocketError.self) { try second.listen(host: "127.0.0.1", port: 0) }
    }

    @Test func `after stopListening the port is free and the connections live on`() throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        server.server.stopListening()
        server.loop.perform {}
        #expect(throws: RawSocket.Ended.self) { try RawSocket(port: server.port) }
        try socket.sendText(Array("still here"))
        #expect(try socket.readFrame().payload.string == "still here")
        let (loop, _) = try listen("127.0.0.1", server.port)
        loop.stop()
    }

    @Test func `a server stops with connections in every state`() throws {
        let server = try TestServer(.echo)
        let client = TestClient(server.loop, port: server.port)
        try client.opens.next()
        let raw = try RawSocket.open(port: server.port)
        let half = try RawSocket(port: server.port)
        try half.send("GET / HTTP/1.1\r\n")
        let silent = try RawSocket(port: server.port)
        let late = try RawSocket.open(port: server.port)
        _ = try server.opens.next(3)
        server.loop.post {}
        server.stop()
        for socket in [raw, half, silent, late] { #expect(try socket.readToEnd().isEmpty) }
        #expect(try server.closes.next(3) == [.lost, .lost, .lost])
        #expect(try client.closes.next() == .lost)
    }
}
