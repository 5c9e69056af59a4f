internal import Dispatch
internal import Glibc
internal import Synchronization

/// Signals that people send, brought to a thread that may do anything; whoever has a terminal to
/// look after says what they do. Unless somebody does, Ctrl-C ends the program at once, and
/// so does Ctrl-\\.
///
/// The handler only writes the signal's number into a pipe. Blocking the signals and waiting for
/// them will not do: the dispatch library lets all of them through on the thread that the program
/// began on.
final class Signals: Sendable {
    static let shared = Signals()

    /// Answers whether the signal was dealt with; otherwise the program ends.
    typealias Response = @Sendable (Int32) -> Bool

    /// Makes durable what is to outlive the program, and then calls what it is given.
    typealias Ending = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

    private let response = Mutex<Response?>(nil)
    private let ending = Mutex<Ending?>(nil)
    private let ends: (read: Int32, write: Int32)

    private init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        self.ends = (ends[0], ends[1])
    }

    func respond(_ body: @escaping Response) { response.withLock { $0 = body } }

    /// Before a signal ends the program, `body` is given up to two seconds.
    func beforeEnding(_ body: @escaping Ending) { ending.withLock { $0 = body } }

    func start() {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH] {
            signal(number) { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Signals.shared.ends.write, &byte, 1)
                errno = before
            }
        }
        DispatchQueue(label: "signals").async { self.takeAll() }
    }

    private func takeAll() {
        var byte: UInt8 = 0
        while true {
            if read(ends.read, &byte, 1) == 1 { take(Int32(byte)) }
        }
    }

    private func take(_ signal: Int32) {
        let response = response.withLock { $0 }
        if response?(signal) == true { return }
        switch signal {
        case SIGWINCH, SIGCONT: break
        case SIGTSTP: kill(getpid(), SIGSTOP)
        default:
            makeDurable()
            TerminalRescue.restore()
            _exit(128 + signal)
        }
    }

    private func makeDurable() {
        guard let ending = ending.withLock({ $0 }) else { return }
        let done = DispatchSemaphore(value: 0)
        ending { done.signal() }
        _ = done.wait(timeout: .now() + .seconds(2))
    }
}
