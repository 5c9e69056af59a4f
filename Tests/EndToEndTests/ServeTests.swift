import Foundation
import ListProtocol
import Storage
import Testing

@Suite("samelistd serve") struct ServeTests {
    @Test func `says where it serves what, and ends with 0 on SIGTERM, twice`() throws {
        let (first, line, port) = try Daemon.serving()
        #expect(
            line == "samelistd 0.1.0  data ./samelist-data (new)  ws://127.0.0.1:\(port) "
                + "(this machine only)   Try: samelist open demo --create")
        let attributes = try FileManager.default.attributesOfItem(
            atPath: first.folder.path + "/samelist-data")
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        first.signal(SIGTERM)
        let ended = first.end()
        #expect(ended.code == 0 && ended.errors.isEmpty)
        #expect(
            ended.output == "Draining 0 clients (up to 5 s; SIGTERM again to stop now)… "
                + "done, 0 changes on disk.\n")

        let (second, again, _) = try Daemon.serving(in: first.folder)
        #expect(again.contains("data ./samelist-data  ws://"))
        second.signal(SIGTERM)
        #expect(second.end().code == 0)
    }

    @Test func `answers probes and the curious`() throws {
        let (daemon, _, port) = try Daemon.serving()
        #expect(try RawSocket.get("/healthz", port: port) == (200, "ok\n"))
        #expect(try RawSocket.get("/readyz", port: port) == (200, "ready\n"))
        let version = try RawSocket.get("/version", port: port)
        #expect(version.status == 200)
        let parts = try #require(
            JSONSerialization.jsonObject(with: Data(version.body.utf8)) as? [String: Any])
        #expect(parts["version"] as? String == Release.version)
        let nothing = try RawSocket.get("/lists", port: port)
        #expect(nothing.status == 404 && nothing.body.contains("/healthz"))
        #expect(try RawSocket.get("/healthz", port: port, method: "POST").status == 405)
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `ends at once on a second signal`(signal: Int32) throws {
        let (daemon, _, port) = try Daemon.serving()
        // One who never answers would hold the drain up for 5 s.
        let silent = try RawSocket(port: port)
        try silent.becomeWebSocket()
        daemon.signal(signal)
        let line = try daemon.line(upTo: "…")
        #expect(line.hasPrefix("Draining 1 client (up to 5 s;"))
        let names = [SIGINT: "Ctrl-C", SIGTERM: "SIGTERM"]
        #expect(line.contains("\(names[signal] ?? "?") again"))
        let start = ContinuousClock.now
        daemon.signal(signal)
        let ended = daemon.end()
        #expect(ended.code == 128 + signal && ended.output.contains("stopped"))
        #expect(ContinuousClock.now - start < .seconds(4))
    }

    @Test func `does not wait longer than 5 s for who never answers`() throws {
        let (daemon, _, port) = try Daemon.serving()
        let silent = try RawSocket(port: port)
        try silent.becomeWebSocket()
        daemon.signal(SIGTERM)
        let ended = daemon.end()
        #expect(ended.code == 0 && ended.output.hasSuffix("0 changes on disk.\n"))
    }

    @Test func `answers probes while it drains, and takes nobody in`() throws {
        let (daemon, _, port) = try Daemon.serving()
        let silent = try RawSocket(port: port)
        try silent.becomeWebSocket()
        daemon.signal(SIGTERM)
        _ = try daemon.line(upTo: "…")
        while try RawSocket.get("/readyz", port: port).status == 200 {}
        #expect(try RawSocket.get("/readyz", port: port) == (503, "draining\n"))
        #expect(try RawSocket.get("/healthz", port: port) == (200, "ok\n"))
        let late = try RawSocket(port: port)
        late.send(
            "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Protocol: samelist.v1\r\n\r\n")
        let answer = late.read(upTo: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("Retry-After: 1\r\n"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 128 + SIGTERM)
    }

    @Test func `names a port that is in use, and touches no file`() throws {
        let (daemon, _, port) = try Daemon.serving()
        let second = try Daemon(["serve", "--listen", "127.0.0.1:\(port)", "--data", "other"])
        let ended = second.end()
        #expect(ended.code == 1 && ended.output.isEmpty)
        #expect(
            ended.errors == "samelistd: Port \(port) on 127.0.0.1 is in use by another program.\n")
        #expect(!FileManager.default.fileExists(atPath: second.folder.path + "/other"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `refuses a folder that another process uses`() throws {
        let (daemon, _, _) = try Daemon.serving()
        let data = daemon.folder.path + "/samelist-data"
        let ended = try run(["serve", "--listen", "127.0.0.1:0", "--data", data])
        #expect(ended.code == 1 && ended.errors.contains("Another process is using"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `refuses a folder that it cannot make, in one line`() throws {
        let folder = try temporaryFolder()
        try Data().write(to: folder.appendingPathComponent("file"))
        let ended = try run(
            ["serve", "--listen", "127.0.0.1:0", "--data", "file/lists"], in: folder)
        #expect(ended.code == 1 && ended.output.isEmpty)
        #expect(ended.errors.hasPrefix("samelistd: The folder file/lists could not be made"))
        #expect(ended.errors.count { $0 == "\n" } == 1)
    }

    @Test(arguments: [("file", "Not a directory"), ("blocked", "Is a directory")])
    func `says truly why a folder will not do`(name: String, reason: String) throws {
        let folder = try temporaryFolder()
        try Data().write(to: folder.appendingPathComponent("file"))
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("blocked/samelist.db.lock"),
            withIntermediateDirectories: true)
        let ended = try run(["serve", "--listen", "127.0.0.1:0", "--data", name], in: folder)
        #expect(ended.code == 1 && ended.output.isEmpty)
        #expect(ended.errors.contains("(\(reason))"), "\(ended.errors)")
        #expect(ended.errors.count { $0 == "\n" } == 1)
    }

    @Test(.disabled(if: geteuid() == 0, "root may write everywhere"))
    func `says that a folder may not be written to`() throws {
        let folder = try temporaryFolder()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o500], ofItemAtPath: folder.path)
        for name in [".", "lists"] {
            let ended = try run(
                ["serve", "--listen", "127.0.0.1:0", "--data", folder.path + "/" + name])
            #expect(ended.code == 1 && ended.errors.contains("(Permission denied)"))
        }
    }

    @Test func `DB6: refuses a database that it cannot read, and leaves it`() throws {
        let folder = try temporaryFolder()
        let data = folder.appendingPathComponent("lists")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: false)
        let file = data.appendingPathComponent("samelist.db")
        let nonsense = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try nonsense.write(to: file)
        let daemon = try Daemon(
            ["serve", "--listen", "127.0.0.1:0", "--data", data.path], in: folder)
        let ended = daemon.end()
        #expect(ended.code == 1 && ended.output.isEmpty)
        #expect(ended.errors.hasPrefix("samelistd: ") && ended.errors.count { $0 == "\n" } == 1)
        #expect(try Data(contentsOf: file) == nonsense)
    }
}
