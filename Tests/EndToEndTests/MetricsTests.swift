import Foundation
import Testing

@Suite("samelistd and Prometheus") struct MetricsTests {
    private static let promtool = "/usr/bin/promtool"

    /// A server with metrics on an address of their own; that one's port.
    private func serving() throws -> (daemon: Daemon, port: UInt16, metrics: UInt16) {
        let (daemon, _, port) = try Daemon.serving(["--metrics", "127.0.0.1:0"])
        let line = try daemon.errorLine { $0.contains("event=metrics") }
        let found = try #require(line.firstMatch(of: /port=(\d+)/))
        return (daemon, port, try #require(UInt16(found.1)))
    }

    @Test func `metrics are beside the clients of this machine`() throws {
        let (daemon, _, port) = try Daemon.serving()
        let (status, body) = try RawSocket.get("/metrics", port: port)
        #expect(status == 200 && body.contains("\nsamelist_ready 1\n"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `metrics have a listener of their own, which takes no clients`() throws {
        let (daemon, port, metrics) = try serving()
        #expect(try RawSocket.get("/metrics", port: port).status == 404)
        #expect(try RawSocket.get("/metrics", port: metrics).status == 200)
        #expect(try RawSocket.get("/readyz", port: metrics).status == 200)
        let client = try RawSocket(port: metrics)
        client.askForWebSocket()
        #expect(client.read(upTo: "\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `metrics need another port than clients`() throws {
        let ended = try run(["serve", "--metrics", "10.0.0.1:7420"])
        #expect(ended.code == 2 && ended.errors.contains("needs another port"))
    }

    @Test(.enabled(if: access(promtool, X_OK) == 0, "Debian's prometheus is not installed"))
    func `promtool finds nothing to say`() throws {
        let (daemon, _, port) = try Daemon.serving()
        let file = daemon.folder.appendingPathComponent("metrics")
        try Data(RawSocket.get("/metrics", port: port).body.utf8).write(to: file)
        let check = Process()
        check.executableURL = URL(fileURLWithPath: Self.promtool)
        check.arguments = ["check", "metrics"]
        check.standardInput = try FileHandle(forReadingFrom: file)
        let said = Pipe()
        check.standardError = said
        check.standardOutput = said
        try check.run()
        try said.fileHandleForWriting.close()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        check.waitUntilExit()
        #expect(check.terminationStatus == 0 && text == "")
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }
}
