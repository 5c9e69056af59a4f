internal import Dispatch
internal import Glibc
internal import Synchronization

/// Signals that people send: one thread waits for them, and whoever has a terminal to look after says
/// what they do. Unless somebody does, Ctrl-C ends the program at once.
final class Signals: Sendable {
    static let shared = Signals()

    /// Answers whether the signal was dealt with; otherwise the program ends.
    typealias Response = @Sendable (Int32) -> Bool

    private let response = Mutex<Response?>(nil)
    private static let handled = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH]

    func respond(_ body: @escaping Response) { response.withLock { $0 = body } }

    /// To be called before there are other threads, which would take the signals otherwise.
    func start() {
        signal(SIGPIPE, SIG_IGN)
        var set = sigset_t()
        sigemptyset(&set)
        for signal in Self.handled { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let waited = set
        DispatchQueue(label: "signals").async {
            var set = waited
            while true {
                var signal: Int32 = 0
                if sigwait(&set, &signal) == 0 { self.handle(signal) }
            }
        }
    }

    private func handle(_ signal: Int32) {
        let response = response.withLock { $0 }
        if response?(signal) == true { return }
        switch signal {
        case SIGWINCH: break
        case SIGTSTP: kill(getpid(), SIGSTOP)
        default: _exit(128 + signal)
        }
    }
}
