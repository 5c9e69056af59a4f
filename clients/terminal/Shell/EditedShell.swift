internal import Dispatch
internal import Glibc
internal import Synchronization

/// A shell on a terminal: lines are edited, and answers and events appear above the line being
/// typed.
final class EditedShell: ShellSurface {
    let inputs: AsyncStream<ShellInput>
    private let editor: LineEditor
    private let ended: AsyncStream<Void>
    private var prompt = ""

    static var isPossible: Bool {
        StandardStreams.isTerminal(STDIN_FILENO) && StandardStreams.isTerminal(STDOUT_FILENO)
            && (StandardStreams.environment("TERM") ?? "dumb") != "dumb" && TerminalScreen.canDraw
    }

    init(historyFile: String, complete: @escaping @MainActor @Sendable (String) -> [String]) {
        Self.useUnicode()
        let (inputs, feed) = AsyncStream.makeStream(of: ShellInput.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        self.inputs = inputs
        self.ended = ended
        let editor = LineEditor(historyFile: historyFile) { typed in
            switch typed {
            case .line(let line): feed.yield(.line(line))
            case .end:
                feed.finish()
                end.finish()
            }
        } complete: { line in
            Self.ask(complete, line)
        }
        self.editor = editor
        Self.respondToSignals(editor, feed)
    }

    func begin(prompt: String) {
        self.prompt = prompt
        TerminalRescue.remember()
        TerminalRescue.arm(leaving: "\r\n")
        editor.start(prompt: prompt)
    }

    func show(_ text: String) { editor.post(.show(text)) }

    func setPrompt(_ prompt: String) {
        guard prompt != self.prompt else { return }
        self.prompt = prompt
        editor.post(.prompt(prompt))
    }

    func end() async {
        editor.post(.end)
        for await _ in ended {}
        TerminalRescue.disarm()
    }

    /// Other kinds of text cannot be typed here: without a locale of its own, the terminal has
    /// Unicode.
    static func useUnicode() {
        setlocale(LC_CTYPE, "")
        if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" {
            setlocale(LC_CTYPE, "C.UTF-8")
        }
    }

    private static func respondToSignals(
        _ editor: LineEditor, _ feed: AsyncStream<ShellInput>.Continuation
    ) {
        var found = termios()
        tcgetattr(STDIN_FILENO, &found)
        let terminal = found
        Signals.shared.respond { signal in
            switch signal {
            case SIGINT:
                editor.post(.interrupt)
                feed.yield(.interrupt)
            case SIGWINCH: editor.post(.resize)
            case SIGTSTP: editor.post(.suspend)
            case SIGCONT: editor.post(.resume)
            default:
                var terminal = terminal
                tcsetattr(STDIN_FILENO, TCSANOW, &terminal)
                StandardStreams.write(Array("\r\n".utf8), to: STDOUT_FILENO)
                return false
            }
            return true
        }
    }

    /// Asks on the main actor, from the editor's thread, which has time; the main actor never waits
    /// for it.
    private nonisolated static func ask(
        _ complete: @escaping @MainActor @Sendable (String) -> [String], _ line: String
    ) -> [String] {
        let answer = Answer()
        Task { @MainActor in answer.give(complete(line)) }
        return answer.wait()
    }
}

/// An answer that another thread waits for, a second at most.
private final class Answer: Sendable {
    private let candidates = Mutex<[String]>([])
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ answer: [String]) {
        candidates.withLock { $0 = answer }
        isGiven.signal()
    }

    func wait() -> [String] {
        _ = isGiven.wait(timeout: .now() + .seconds(1))
        return candidates.withLock { $0 }
    }
}
