import Testing
import WebSockets

@Suite struct HTTPTests {
    private func server(_ body: String = "ok\n") throws -> TestServer {
        var behaviour = Behaviour()
        behaviour.respond = { request in
            switch request.path {
            case "/healthz": HTTPResponse(status: 200, text: body)
            case "/version":
                HTTPResponse(status: 200, contentType: "application/json", text: "{}")
            case "/readyz": HTTPResponse(status: 503, text: request.method)
            default: HTTPResponse(status: 404, text: "There is nothing at \(request.path).\n")
            }
        }
        return try TestServer(behaviour)
    }

    private func exchange(_ socket: RawSocket, _ request: String) throws -> (String, String) {
        try socket.send(request + "\r\nHost: localhost\r\n\r\n")
        let head = try socket.readHead()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            .flatMap { Int($0.dropFirst(16)) }
        return (head, try socket.read(request.hasPrefix("HEAD") ? 0 : length ?? 0).string)
    }

    @Test func `requests are answered one after the other on one connection`() throws {
        let server = try server()
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        for _ in 0..<3 {
            let (head, body) = try exchange(socket, "GET /healthz HTTP/1.1")
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.contains("\r\nContent-Length: 3\r\n"))
            #expect(head.contains("\r\nContent-Type: text/plain; charset=utf-8\r\n"))
            #expect(body == "ok\n")
        }
        #expect(try exchange(socket, "GET /version?x=1 HTTP/1.1").0.contains("application/json"))
        #expect(try exchange(socket, "GET /readyz HTTP/1.1").0.hasPrefix("HTTP/1.1 503 "))
        #expect(
            try exchange(socket, "GET /nothing HTTP/1.1").1 == "There is nothing at /nothing.\n")
        let (head, _) = try exchange(socket, "HEAD /healthz HTTP/1.1")
        #expect(head.contains("\r\nContent-Length: 3\r\n"))
        #expect(try exchange(socket, "GET /healthz HTTP/1.1").1 == "ok\n")
    }

    @Test func `HTTP 1.0 and Connection close end the connection after the answer`() throws {
        let server = try server()
        defer { server.stop() }
        for request in ["GET /healthz HTTP/1.0", "GET /healthz HTTP/1.1\r\nConnection: close"] {
            let socket = try RawSocket(port: server.port)
            #expect(try exchange(socket, request).1 == "ok\n")
            #expect(try socket.readToEnd().isEmpty)
        }
    }

    @Test func `a body larger than the socket's buffers arrives whole`() throws {
        let text = noise(1_000_000).string
        let server = try server(text)
        defer { server.stop() }
        let socket = try RawSocket(port: server.port, receiveBuffer: 4_096)
        #expect(try exchange(socket, "GET /healthz HTTP/1.1").1 == text)
        #expect(try exchange(socket, "GET /readyz HTTP/1.1").1 == "GET")
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
    func `other methods are refused`(method: String) throws {
        let server = try server()
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        try socket.send("\(method) /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
        #expect(try socket.readHead().hasPrefix("HTTP/1.1 405 "))
    }

    @Test func `an upgrade to something else is answered as plain HTTP`() throws {
        let server = try server()
        defer { server.stop() }
        for upgrade in ["h2c", "H2C\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"] {
            let socket = try RawSocket(port: server.port)
            let (head, body) = try exchange(
                socket, "GET /healthz HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: \(upgrade)")
            #expect(head.hasPrefix("HTTP/1.1 200 "))
            #expect(body == "ok\n")
        }
    }

    @Test(arguments: [
        "\r\n\r\n", "GET\r\n\r\n", "GET healthz HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}",
        "GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\n\r\n",
        "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /../../etc/passwd HTTP/1.1\r\n\r\n",
        "POST /healthz HTTP/1.1\r\nContent-Length: -5\r\n\r\nxxxxx",
        "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    ])
    func `broken requests end their own connection only`(request: String) throws {
        let server = try server()
        defer { server.stop() }
        let bad = try RawSocket(port: server.port)
        try bad.send(request)
        let good = try RawSocket(port: server.port)
        #expect(try exchange(good, "GET /healthz HTTP/1.1").1 == "ok\n")
    }
}
