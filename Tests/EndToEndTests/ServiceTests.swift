import Foundation
import Testing

@Suite("samelistd as a service of systemd") struct ServiceTests {
    @Test func `tells when it serves, lives, reloads and ends`() throws {
        let socket = try NotifySocket()
        let daemon = try Daemon(
            ["serve", "--listen", "127.0.0.1:0"],
            environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "200000"])
        let ready = try socket.next()
        #expect(ready.first == "READY=1")
        #expect(ready.last?.hasPrefix("STATUS=Serving ./samelist-data at ws://127.0.0.1:") == true)
        for _ in 1...3 { _ = try socket.next(isWatchdog: true) }
        daemon.signal(SIGHUP)
        let reloading = try socket.next()
        #expect(reloading.first == "RELOADING=1")
        #expect(reloading.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect(try socket.next() == ready)
        daemon.signal(SIGTERM)
        #expect(try socket.next() == ["STOPPING=1", "STATUS=Draining 0 clients"])
        #expect(daemon.end().code == 0)
    }

    @Test func `says nothing where nobody listens`() throws {
        let (daemon, _, _) = try Daemon.serving()
        daemon.signal(SIGTERM)
        #expect(daemon.end().errors.isEmpty)
    }
}
