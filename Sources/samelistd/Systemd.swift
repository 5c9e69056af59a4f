internal import CSystemd
import Glibc
internal import ListServer

/// systemd, where it started us and waits to be told: see sd_notify(3). Elsewhere nothing happens.
enum Systemd {
    /// - Parameter status: a sentence for `systemctl status`.
    static func isReady(_ status: String) { tell("READY=1\nSTATUS=\(status)") }

    /// Until `isReady` is told again.
    static func isReloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
        tell("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    static func isStopping(_ status: String) { tell("STOPPING=1\nSTATUS=\(status)") }

    /// Twice in the time after which it would take us for dead, and as long only as the server's
    /// loop turns.
    static func keepWatched(_ server: Server) {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return }
        server.beat(everyMilliseconds: max(1, microseconds / 2_000)) { tell("WATCHDOG=1") }
    }

    private static func tell(_ state: String) { _ = sd_notify(0, state) }
}
