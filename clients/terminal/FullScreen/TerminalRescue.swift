internal import Glibc

/// Brings the terminal back where the program has no time for it: when it crashes, when a signal
/// ends it that nobody waits for, and when its main actor does not answer one.
enum TerminalRescue {
    // What a signal handler may touch: memory that was made before and is never freed.
    nonisolated(unsafe) private static let terminal = UnsafeMutablePointer<termios>.allocate(
        capacity: 1)
    // because a handler only reads it, and it is written before one is there.
    nonisolated(unsafe) private static var bytes: UnsafeMutableBufferPointer<UInt8>?
    // because it is set before `isArmed` and never freed.
    nonisolated(unsafe) private static var isArmed = false
    // because a word is read whole; a late look restores once too often, which does no harm.

    /// All that end a program and are not taken by `Signals`.
    private static let deadly = [
        SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM,
        SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGPWR, SIGSTKFLT,
    ]

    /// Takes note of how the terminal is.
    static func remember() { tcgetattr(STDIN_FILENO, terminal) }

    /// From here on the terminal is to be brought back. `leaving`: what switches off what was on.
    static func arm(leaving text: String) {
        if bytes == nil {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
            _ = copy.initialize(from: text.utf8)
            bytes = copy
            for number in deadly { dieRestored(of: number) }
        }
        isArmed = true
    }

    /// What whoever started the program had ignored stays ignored.
    private static func dieRestored(of number: Int32) {
        let before = signal(number) { number in
            TerminalRescue.restore()
            signal(number, SIG_DFL)
            raise(number)
        }
        let address = before.map { unsafeBitCast($0, to: Int.self) }
        if address == ignored { signal(number, SIG_IGN) }
    }

    private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)

    static func disarm() { isArmed = false }

    /// Calls only what a signal handler may call.
    static func restore() {
        guard isArmed else { return }
        isArmed = false
        if let bytes { _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count) }
        tcsetattr(STDIN_FILENO, TCSANOW, terminal)
    }
}
