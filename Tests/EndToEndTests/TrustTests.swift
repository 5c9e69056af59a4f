import Foundation
import ListProtocol
import Testing

/// Tokens, addresses and certificates of the program itself.
@Suite("Who may come to samelistd") struct TrustTests {
    private func create(_ arguments: [String], in folder: URL) throws -> Ended {
        try run(["token", "create"] + arguments, in: folder)
    }

    private let usual = ["--name", "ana", "--list", "team-*,x:own", "--rights", "write"]

    @Test func `a token is printed alone, listed without itself, and revoked for good`() throws {
        let folder = try temporaryFolder()
        let made = try create(usual + ["--expires", "30d", "--tenant", "acme"], in: folder)
        #expect(made.code == 0 && made.errors.contains("It is not shown again"))
        let token = made.output.trimmingCharacters(in: .newlines)
        #expect(token.hasPrefix("sl1.") && !token.contains(" ") && !made.errors.contains(token))
        let list = try run(["token", "list"], in: folder)
        let cells = list.output.trimmingCharacters(in: .newlines).components(separatedBy: "\t")
        #expect(
            cells.count == 6 && cells[1] == "valid"
                && cells[3...] == ["acme", "ana", "team-*:write,x:own"])
        #expect(!list.output.contains(token))
        #expect(try run(["token", "revoke", cells[0]], in: folder).output.contains(cells[0]))
        #expect(try run(["token", "list"], in: folder).output.contains("revoked"))
        #expect(try run(["token", "revoke", cells[0]], in: folder).code == 1)
    }

    @Test(arguments: [
        ["token"], ["token", "make"], ["token", "create"], ["token", "create", "--name", "a"],
        ["token", "create", "--name", "a", "--list", "x"],
        ["token", "create", "--name", "a", "--list", "X", "--rights", "read"],
        ["token", "create", "--name", "a", "--list", "x", "--rights", "root"],
        ["token", "create", "--name", "a", "--list", "x", "--rights", "read", "--expires", "1y"],
        ["token", "create", "--name", "a", "--list", "x", "--rights", "read", "--tenant", "A/B"],
        ["token", "revoke"], ["token", "revoke", "x", "--name", "y"], ["token", "list", "more"],
        ["serve", "--tls-cert", "c.pem"], ["serve", "--jwt-key", "k"], ["serve", "--origin", "*"],
        ["serve", "--origin", "https://a.example/path"],
        [
            "serve", "--jwt-key", "k", "--jwt-alg", "none", "--jwt-issuer", "i",
            "--jwt-audience", "a",
        ],
    ])
    func `a wrong command line is told in one line`(words: [String]) throws {
        let ended = try run(words)
        #expect(ended.code == 2 && ended.output.isEmpty)
        #expect(ended.errors.count { $0 == "\n" } == 1)
    }

    @Test func `other machines' addresses need a token, and TLS unless told otherwise`() throws {
        let folder = try temporaryFolder()
        let bare = try run(["serve", "--listen", "0.0.0.0:0"], in: folder)
        #expect(bare.code == 2 && bare.errors.contains("--tls-cert"))
        let open = try run(["serve", "--listen", "0.0.0.0:0", "--insecure"], in: folder)
        #expect(open.code == 1 && open.errors.contains("token create"))
        #expect(try create(usual + ["--data", "samelist-data"], in: folder).code == 0)
        let daemon = try Daemon(["serve", "--listen", "0.0.0.0:0", "--insecure"], in: folder)
        let line = try daemon.line()
        #expect(line.contains("ws://0.0.0.0:") && line.contains("(with a token)"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test
    func `SIGHUP shows a new certificate, keeps connections, and keeps the old for a bad one`()
        throws
    {
        let folder = try temporaryFolder()
        try makeCertificate(in: folder, "first")
        let (daemon, port) = try secure(in: folder)
        let held = try HeldConnection(port: port, in: folder)
        #expect(try subject(port) == "first")
        try makeCertificate(in: folder, "second")
        daemon.signal(SIGHUP)
        try wait { try subject(port) == "second" }
        try Data("no certificate".utf8).write(to: folder.appendingPathComponent("cert.pem"))
        daemon.signal(SIGHUP)
        let told = try daemon.errorLine { $0.contains("certificate-unusable") }
        #expect(told.contains("kept=\"the old one\"") && told.contains("cert.pem"))
        #expect(try subject(port) == "second")
        #expect(held.isOpen)
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `speaks TLS 1.2 and 1.3, and nothing older`() throws {
        let folder = try temporaryFolder()
        try makeCertificate(in: folder, "test")
        let (daemon, port) = try secure(in: folder)
        for (version, works) in [
            ("tls1_3", true), ("tls1_2", true), ("tls1_1", false), ("tls1", false),
        ] {
            let script =
                "openssl s_client -connect 127.0.0.1:\(port) -\(version) "
                + "-cipher ALL:@SECLEVEL=0 </dev/null 2>&1 | grep -q 'Cipher is [A-Z]'"
            #expect(try shell(script, in: folder) == works, "\(version)")
        }
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `a certificate that cannot be used is named at the start`() throws {
        let folder = try temporaryFolder()
        try makeCertificate(in: folder, "one")
        let files = ["--tls-cert", "cert.pem", "--tls-key", "none.pem"]
        let missing = try run(["serve", "--listen", "127.0.0.1:0"] + files, in: folder)
        #expect(missing.code == 1 && missing.errors.contains("none.pem"))
        _ = try shell("openssl genpkey -algorithm RSA -out none.pem 2>/dev/null", in: folder)
        let other = try run(["serve", "--listen", "127.0.0.1:0"] + files, in: folder)
        #expect(other.code == 1 && other.errors.contains("none.pem"))
    }

    // What the tests need.

    private func secure(in folder: URL) throws -> (Daemon, UInt16) {
        let daemon = try Daemon(
            [
                "serve", "--listen", "127.0.0.1:0", "--tls-cert", "cert.pem", "--tls-key",
                "key.pem",
            ], in: folder)
        let line = try daemon.line()
        guard let found = line.firstMatch(of: /wss:\/\/127\.0\.0\.1:(\d+)/),
            let port = UInt16(found.1)
        else { throw Unexpected(line) }
        return (daemon, port)
    }

    private func makeCertificate(in folder: URL, _ name: String) throws {
        let script = """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                -subj "/CN=\(name)" -keyout key.pem -out cert.pem 2>/dev/null
            """
        guard try shell(script, in: folder) else { throw Unexpected("no certificate") }
    }

    private func subject(_ port: UInt16) throws -> String {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try shell(
            "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null "
                + "| openssl x509 -noout -subject > subject", in: folder)
        let text = try String(contentsOf: folder.appendingPathComponent("subject"), encoding: .utf8)
        return text.trimmingCharacters(in: .newlines).components(separatedBy: "CN = ").last ?? ""
    }

    /// Looks again and again; each look runs a program.
    private func wait(until isSo: () throws -> Bool) throws {
        for _ in 0..<500 { if try isSo() { return } }
        throw Unexpected("it never came to be")
    }
}

/// Whether a script of the shell ended well.
func shell(_ script: String, in folder: URL) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
}

/// A TLS connection that became a WebSocket and stays.
private final class HeldConnection {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(port: UInt16, in folder: URL) throws {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "exec openssl s_client -quiet -connect 127.0.0.1:\(port) 2>/dev/null",
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let request =
            "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Protocol: samelist.v1\r\n\r\n"
        try input.fileHandleForWriting.write(contentsOf: Data(request.utf8))
        let answer = output.fileHandleForReading.availableData
        guard String(decoding: answer, as: UTF8.self).contains(" 101 ") else {
            throw Unexpected("no WebSocket over TLS")
        }
    }

    var isOpen: Bool { process.isRunning }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}
