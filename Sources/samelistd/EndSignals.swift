import Glibc
internal import ListServer
internal import Threads

/// SIGINT, SIGTERM and SIGHUP, waited for on the main thread instead of interrupting one: nothing
/// of ours ever runs in a signal handler. Made before any other thread, which then all have them
/// blocked.
final class EndSignals: Sendable {
    enum Awaited {
        case signal(Int32)
        case drained(Drained)
    }

    private let main = pthread_self()
    private let outcome = Locked<Drained?>(nil)

    init() {
        var set = Self.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // Whoever read our output may go; that is no reason to end.
        signal(SIGPIPE, SIG_IGN)
    }

    /// The next request to end. SIGHUP is one where the terminal went that it was started on;
    /// otherwise it asks for `reload`.
    func wait(reload: () -> Void) -> Int32 {
        let hadTerminal = Self.hasTerminal
        while true {
            switch next() {
            case SIGUSR1: break
            case SIGHUP where Self.hasTerminal || !hadTerminal: reload()
            case let signal: return signal
            }
        }
    }

    /// The next of them, whichever it is.
    func waitForAny() -> Int32 {
        while true {
            let signal = next()
            if signal != SIGUSR1 { return signal }
        }
    }

    /// Whether there is a terminal that this process belongs to.
    private static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }

    /// Ends `waitForDrained`; called on a thread of the server's.
    func drained(_ drained: Drained) {
        outcome.withLock { $0 = drained }
        pthread_kill(main, SIGUSR1)
    }

    func waitForDrained() -> Awaited {
        while true {
            let signal = next()
            if signal != SIGUSR1 { return .signal(signal) }
            if let drained = outcome.withLock({ $0 }) { return .drained(drained) }
        }
    }

    private func next() -> Int32 {
        var set = Self.set
        var signal: Int32 = 0
        while sigwait(&set, &signal) != 0 {}
        return signal
    }

    /// SIGUSR1 is our own, for the end of the drain.
    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] { sigaddset(&set, signal) }
        return set
    }
}
