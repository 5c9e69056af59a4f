internal import Glibc
internal import Threads

/// Ctrl-C and SIGTERM: a thread waits for them, runs what is to be done, and ends the process.
/// Made before any other thread, which then all have them blocked.
final class Interruption: Sendable {
    private let action = Locked<@Sendable () -> Void>({})

    init() {
        var set = Self.signals
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        let action = action
        let thread = Thread.start {
            var set = Self.signals
            var signal: Int32 = 0
            while sigwait(&set, &signal) != 0 {}
            let leaveNothing = action.withLock { $0 }
            leaveNothing()
            _exit(128 + signal)
        }
        thread?.detach()
    }

    /// What leaves nothing behind, from here on.
    func set(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = action }
    }

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        return set
    }
}
