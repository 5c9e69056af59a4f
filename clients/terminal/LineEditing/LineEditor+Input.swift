internal import CLibedit
internal import Glibc

/// What libedit reads: the keys, and what was posted between them.
extension LineEditor {
    /// libedit's next character: from the terminal, or one that stands for what was posted. Answers
    /// 1, or 0 at the end.
    func read(into character: UnsafeMutablePointer<wchar_t>?) -> Int32 {
        while true {
            if let command = takeItems() {
                guard command != 0 else { return 0 }
                character?.pointee = wchar_t(command)
                return 1
            }
            var sources = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&sources, 2, -1) > 0 else { continue }
            if sources[0].revents != 0 {
                guard let scalar = readScalar() else { return 0 }
                character?.pointee = wchar_t(bitPattern: scalar.value)
                return 1
            }
        }
    }

    /// One scalar in UTF-8; what is none becomes U+FFFD. `nil` at the end. Reads no byte more than
    /// it needs, which the library's own decoder does.
    private func readScalar() -> Unicode.Scalar? {
        guard let first = readByte() else { return nil }
        let more =
            switch first {
            case 0xC0..<0xE0: 1
            case 0xE0..<0xF0: 2
            case 0xF0...0xFF: 3
            default: 0
            }
        var bytes = [first]
        while bytes.count <= more, let byte = readByte() { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
    }

    private func readByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    /// Carries out what was posted. A character for libedit where there is one, 0 to end.
    private func takeItems() -> UInt8? {
        var bytes = [UInt8](repeating: 0, count: 64)
        while Glibc.read(wakeUp.read, &bytes, bytes.count) > 0 {}
        let taken = items.withLock { items in
            defer { items = [] }
            return items
        }
        guard !taken.isEmpty, let editor else { return nil }
        var command: UInt8?
        eraseLine(editor)
        for item in taken {
            switch item {
            case .show(let text): write(text.replacing("\n", with: "\r\n"))
            case .prompt(let text): setPrompt(text)
            case .interrupt:
                editor_refresh(editor)
                write("^C\r\n")
                command = Self.killLine
            case .resize: el_resize(editor)
            case .suspend:
                editor_prepare_terminal(editor, 0)
                kill(getpid(), SIGSTOP)
                return nil
            case .resume:
                // Whatever libedit remembers, another program may have left the terminal otherwise.
                editor_prepare_terminal(editor, 0)
                editor_prepare_terminal(editor, 1)
            case .end:
                isEnding = true
                return 0
            }
        }
        editor_refresh(editor)
        return command
    }

    /// Ctrl-U, which empties the line in the emacs key map.
    private static let killLine: UInt8 = 0x15

    /// Takes prompt and line from the screen; the cursor stands where the prompt began.
    private func eraseLine(_ editor: OpaquePointer) {
        var column = promptWidth
        if let line = el_line(editor), let start = line.pointee.buffer,
            let cursor = line.pointee.cursor
        {
            let before = UnsafeRawBufferPointer(start: start, count: cursor - start)
            column += Columns.width(of: String(decoding: before, as: UTF8.self))
        }
        let rows = column / max(1, StandardStreams.columns(of: STDOUT_FILENO) ?? 80)
        write("\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J")
    }

    func write(_ text: String) {
        StandardStreams.write(Array(text.utf8), to: STDOUT_FILENO)
    }
}
