import Glibc
internal import ListModel
internal import ListProtocol
internal import ListServer
internal import ProgramArguments

/// `samelistd top`: what the server does, now and now again.
extension Program {
    static func top(_ given: GivenSettings) throws(UsageError) -> Int32 {
        let folder = try given.folder()
        let isDrawn =
            isatty(STDOUT_FILENO) == 1 && !given.arguments.has(.once) && !given.arguments.has(.json)
        let screen = isDrawn ? TopScreen() : nil
        // The terminal is as it was before what was wrong is told on it.
        return reporting {
            defer { screen?.end() }
            guard let screen else { return try topOnce(folder, isJSON: given.arguments.has(.json)) }
            var before: ServerStatus?
            while true {
                let now = try StatusQuestion.status(of: folder)
                let table = TopTable(now, since: before)
                switch screen.show({ table.lines(columns: $0, lines: $1, in: folder) }) {
                case .timeIsOver: before = now
                case .ended(let code): return code
                }
            }
        }
    }

    /// With the rates of a second.
    private static func topOnce(_ folder: String, isJSON: Bool) throws -> Int32 {
        let before = try StatusQuestion.status(of: folder)
        if isJSON {
            say(String(decoding: MessageEncoder.encode(before.value), as: UTF8.self))
            return ExitCode.done
        }
        poll(nil, 0, 1_000)
        let table = TopTable(try StatusQuestion.status(of: folder), since: before)
        for line in table.lines(columns: nil, lines: nil, in: folder) { say(line) }
        return ExitCode.done
    }
}

/// The terminal while `top` draws on it: another page, without an echo or a cursor.
final class TopScreen {
    enum Outcome {
        case timeIsOver
        case ended(Int32)
    }

    private var settings = termios()
    private let isInput: Bool
    private var isOver = false
    private var signals = sigset_t()

    /// Between two looks, in milliseconds.
    private static let pause: Int64 = 2_000

    init() {
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        isInput = tcgetattr(STDIN_FILENO, &settings) == 0
        if isInput {
            var raw = settings
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        }
        say("\u{1B}[?1049h\u{1B}[?25l", ending: "")
    }

    /// Gives the terminal back. Repeating it does nothing.
    func end() {
        guard !isOver else { return }
        isOver = true
        say("\u{1B}[?25h\u{1B}[?1049l", ending: "")
        if isInput { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
    }

    /// Draws, and again when the window changes, until it is time for another look or the user has
    /// enough.
    func show(_ lines: (_ columns: Int, _ lines: Int) -> [String]) -> Outcome {
        draw(lines)
        let until = Self.now + Self.pause
        while true {
            let left = until - Self.now
            guard left > 0 else { return .timeIsOver }
            // A key is looked for now and then, a signal wakes at once.
            switch signal(within: min(left, 100)) {
            case SIGWINCH: draw(lines)
            case .some(let signal):
                end()
                return .ended(ExitCode.ended(by: signal))
            case nil:
                if hasQuit() {
                    end()
                    return .ended(ExitCode.done)
                }
            }
        }
    }

    private func draw(_ lines: (Int, Int) -> [String]) {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let (columns, rows) = isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
        let text = lines(columns, rows).map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        say("\u{1B}[H" + text + "\u{1B}[J", ending: "")
    }

    private func signal(within milliseconds: Int64) -> Int32? {
        var time = timespec(tv_sec: 0, tv_nsec: Int(milliseconds) * 1_000_000)
        let signal = sigtimedwait(&signals, nil, &time)
        return signal > 0 ? signal : nil
    }

    private func hasQuit() -> Bool {
        var source = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard isInput, poll(&source, 1, 0) > 0 else { return false }
        var key: UInt8 = 0
        return read(STDIN_FILENO, &key, 1) == 1
            && [UInt8(ascii: "q"), UInt8(ascii: "Q")].contains(key)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
