internal import CLibedit
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Reads lines from a terminal with libedit: editing, history, completion. What is to be shown
/// meanwhile appears above the line being typed, which stays as it is.
///
/// libedit is used on one thread alone, which this class has for itself. The one way in is `post`;
/// out go what was typed, through `typed`, and questions of completion, through `complete`.
final class LineEditor: @unchecked Sendable {
    // because all but the mailbox, which is locked, is touched on the editor's own thread.

    enum Item: Sendable {
        case show(String)
        case prompt(String)
        /// Ctrl-C: the line is dropped.
        case interrupt
        case resize
        /// Ctrl-Z: the terminal goes back to whoever had it; `resume` follows once we have it
        /// again.
        case suspend
        case resume
        case end
    }

    enum Typed: Sendable {
        case line(String)
        /// Ctrl-D on an empty line, or the end that was asked for; nothing comes after it.
        case end
    }

    let items = Mutex<[Item]>([])
    let wakeUp: (read: Int32, write: Int32)
    private let typed: @Sendable (Typed) -> Void
    let complete: @Sendable (String) -> [String]
    private let historyFile: String?

    var editor: OpaquePointer?
    /// As libedit asks for it: bytes that stay where they are.
    private var prompt = LineEditor.bytes("")
    private(set) var promptWidth = 0
    var isEnding = false

    /// Lines of history that are kept.
    private static let mostHistory: Int32 = 1_000

    init(
        historyFile: String?, typed: @escaping @Sendable (Typed) -> Void,
        complete: @escaping @Sendable (String) -> [String]
    ) {
        self.historyFile = historyFile
        self.typed = typed
        self.complete = complete
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        wakeUp = (ends[0], ends[1])
    }

    deinit {
        prompt.deallocate()
        close(wakeUp.read)
        close(wakeUp.write)
    }

    /// Begins to read, on a thread of its own.
    func start(prompt: String) {
        DispatchQueue(label: "line editor").async { self.run(prompt) }
    }

    func post(_ item: Item) {
        items.withLock { $0.append(item) }
        // A full pipe wakes as well.
        var byte: UInt8 = 0
        _ = Glibc.write(wakeUp.write, &byte, 1)
    }

    private func run(_ prompt: String) {
        defer { typed(.end) }
        setPrompt(prompt)
        guard let editor = editor_open("samelist") else { return }
        self.editor = editor
        let history = history_init()
        editor_set_owner(editor, Unmanaged.passUnretained(self).toOpaque())
        editor_set_keys(editor, "emacs")
        editor_set_prompt(editor) { editor in LineEditor.owner(of: editor)?.prompt }
        editor_set_reader(editor) { editor, character in
            LineEditor.owner(of: editor)?.read(into: character) ?? 0
        }
        editor_bind(editor, "\t", "samelist-complete") { editor, _ in
            LineEditor.owner(of: editor)?.completeWord() ?? 0
        }
        if let history {
            editor_set_history(editor, history, Self.mostHistory)
            if let historyFile { history_load(history, historyFile) }
        }
        readLines(editor, history)
        el_end(editor)
        if let history { history_end(history) }
        self.editor = nil
    }

    private func readLines(_ editor: OpaquePointer, _ history: OpaquePointer?) {
        while !isEnding {
            var count: Int32 = 0
            guard let bytes = el_gets(editor, &count), count > 0 else { break }
            guard !isEnding else { break }
            let line = String(
                decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)),
                as: UTF8.self)
            if let history, !line.allSatisfy(\.isWhitespace) {
                history_enter(history, bytes)
                if let historyFile { _ = history_save(history, historyFile) }
            }
            typed(.line(line))
        }
        if !isEnding { StandardStreams.write(Array("\r\n".utf8), to: STDOUT_FILENO) }
    }

    static func owner(of editor: OpaquePointer?) -> LineEditor? {
        guard let owner = editor.flatMap({ editor_owner($0) }) else { return nil }
        return Unmanaged<LineEditor>.fromOpaque(owner).takeUnretainedValue()
    }

    private static func bytes(_ text: String) -> UnsafeMutablePointer<CChar> {
        let utf8 = text.utf8CString
        let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: utf8.count)
        for (index, byte) in utf8.enumerated() { (bytes + index).initialize(to: byte) }
        return bytes
    }

    func setPrompt(_ text: String) {
        prompt.deallocate()
        prompt = Self.bytes(text)
        promptWidth = Columns.width(of: text)
    }
}
