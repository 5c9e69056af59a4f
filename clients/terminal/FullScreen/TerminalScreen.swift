internal import CNcurses
internal import Glibc

/// The terminal under ncurses: frames out, keys in. On the main actor alone, as ncurses is not made
/// for threads.
@MainActor
final class TerminalScreen {
    private let window: UnsafeMutablePointer<WINDOW>
    private let hasColours: Bool
    private var isShown = true
    private var pasted: String?

    /// `nil`: the terminal cannot draw.
    init?(colours: Bool) {
        EditedShell.useUnicode()
        TerminalRescue.remember()
        guard Self.canDraw, let window = screen_open() else { return nil }
        self.window = window
        hasColours = colours && screen_use_colours() == 1
        screen_define_keys()
        TerminalRescue.arm(leaving: Self.leaving)
        write(Self.pasteOn)
    }

    /// Whether the terminal is known, and its cursor can be put anywhere.
    static var canDraw: Bool {
        // Without a place for its answer, ncurses ends the program where it does not know one.
        var answer: Int32 = 0
        return setupterm(nil, STDOUT_FILENO, &answer) == OK && screen_capability("cup") != nil
    }

    private static let pasteOn = "\u{1B}[?2004h"
    private static let mouseOff = "\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1006l"

    /// What brings a terminal back from whatever was switched on.
    private static var leaving: String {
        let names = ["sgr0", "rmkx", "cnorm", "rmcup"]
        let capabilities = names.compactMap { name in
            screen_capability(name).map { String(cString: $0) }
        }
        return "\u{1B}[?2004l" + mouseOff + capabilities.map(withoutPadding).joined()
    }

    /// Without terminfo's pauses, `$<5>`, which no terminal of today needs.
    private static func withoutPadding(_ text: String) -> String {
        text.replacing(/\$<[^>]*>/, with: "")
    }

    var size: ScreenSize {
        ScreenSize(columns: Int(getmaxx(window)), lines: Int(getmaxy(window)))
    }

    func paint(_ frame: Frame) {
        guard isShown else { return }
        werase(window)
        for (number, line) in frame.lines.enumerated() {
            wmove(window, Int32(number), 0)
            for span in line.spans { paint(span) }
        }
        let size = size
        wmove(
            window, Int32(min(frame.cursor.line, max(0, size.lines - 1))),
            Int32(min(frame.cursor.column, max(0, size.columns - 1))))
        wrefresh(window)
    }

    private func paint(_ span: FrameLine.Span) {
        let colour = hasColours ? span.style.colour.rawValue : 0
        screen_style(window, Int32(span.style.traits.rawValue), colour)
        var cells: [wchar_t] = []
        for scalar in span.text.unicodeScalars {
            let width = scalar.isASCII ? 1 : Glyphs.width(of: scalar)
            if scalar.isASCII || wcwidth(wchar_t(bitPattern: scalar.value)) == Int32(width) {
                cells.append(wchar_t(bitPattern: scalar.value))
            } else if width > 0 {
                // The C library knows it otherwise, and ncurses would lose its columns.
                cells.append(0xFFFD)
                if width > 1 { cells.append(0x20) }
            }
        }
        waddnwstr(window, cells, Int32(cells.count))
    }

    /// Everything that was pressed and not read yet.
    func readKeys() -> [Key] {
        var keys: [Key] = []
        guard isShown else { return keys }
        while true {
            var code: wint_t = 0
            let kind = wget_wch(window, &code)
            if kind == ERR { return keys }
            if kind == screen_key_bit() {
                take(special: Int32(bitPattern: code), into: &keys)
            } else if let scalar = Unicode.Scalar(code) {
                take(scalar, into: &keys)
            }
        }
    }

    private func take(special code: Int32, into keys: inout [Key]) {
        switch code {
        case Int32(screen_key_paste): pasted = ""
        case Int32(screen_key_pasted):
            if let pasted { keys.append(.paste(pasted)) }
            pasted = nil
        case KEY_MOUSE: keys.append(contentsOf: mouse)
        case KEY_RESIZE: break
        default: keys.append(Self.special[code] ?? .other)
        }
    }

    private func take(_ scalar: Unicode.Scalar, into keys: inout [Key]) {
        if pasted != nil {
            pasted?.unicodeScalars.append(scalar == "\r" ? "\n" : scalar)
        } else {
            keys.append(Self.key(scalar))
        }
    }

    private static func key(_ scalar: Unicode.Scalar) -> Key {
        switch scalar.value {
        case 0x1B: return .escape
        case 0x0A, 0x0D: return .enter
        case 0x09: return .tab
        case 0x08, 0x7F: return .backspace
        case 1...26:
            let letter = Unicode.Scalar(UInt8(scalar.value) + UInt8(ascii: "a") - 1)
            return .control(Character(letter))
        case 0..<0x20: return .other
        default: return .text(String(scalar))
        }
    }

    private static let special: [Int32: Key] = [
        KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right, KEY_HOME: .home,
        KEY_END: .end, KEY_PPAGE: .pageUp, KEY_NPAGE: .pageDown, KEY_BACKSPACE: .backspace,
        KEY_DC: .delete, KEY_ENTER: .enter, KEY_BTAB: .backTab,
        Int32(screen_key_alt_up): .altUp, Int32(screen_key_alt_down): .altDown,
        Int32(screen_key_back_tab): .backTab,
    ]

    private var mouse: [Key] {
        var line: Int32 = 0
        var column: Int32 = 0
        return switch screen_mouse(&line, &column) {
        case 1: [.click(Int(line))]
        case 2: [.wheelUp]
        case 3: [.wheelDown]
        default: []
        }
    }

    func useMouse(_ isOn: Bool) { screen_use_mouse(isOn ? 1 : 0) }

    func repaint() { wclear(window) }

    /// The terminal has another size.
    func resize() {
        var size = winsize()
        guard isShown, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0,
            size.ws_col > 0
        else { return }
        resizeterm(Int32(size.ws_row), Int32(size.ws_col))
    }

    /// Gives the terminal to somebody else, as it was.
    func leave() {
        guard isShown else { return }
        isShown = false
        TerminalRescue.disarm()
        write("\u{1B}[?2004l" + Self.mouseOff)
        endwin()
    }

    /// Takes the terminal again, whatever became of it.
    func enter() {
        guard !isShown else { return }
        isShown = true
        TerminalRescue.arm(leaving: Self.leaving)
        wclear(window)
        wrefresh(window)
        write(Self.pasteOn)
        resize()
    }

    /// Straight to the terminal. That it is gone is told by a signal.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}
