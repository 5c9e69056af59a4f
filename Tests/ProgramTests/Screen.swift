import Foundation
import Testing

/// A terminal of 80 by 24 in tmux, with a POSIX shell in it that knows `samelist`.
final class Screen {
    private let environment: [String: String]
    /// Its server goes on as long as this screen.
    private let samelist: SamelistProgram
    private var place: Place { samelist.place }
    /// What the screen's programs write comes here as well: something to wait for.
    private var output: Int32 = -1
    /// Each screen has a tmux of its own.
    private let socket = "tmux-" + UUID().uuidString.prefix(8)
    /// The processes of tmux itself and of the shell in it, which leads a session of its own.
    private var processes: [pid_t] = []

    /// Seconds in which what is expected must be seen.
    private static let patience = 20.0

    init(
        _ samelist: SamelistProgram, variables: [String: String] = [:], columns: Int = 80,
        lines: Int = 24
    ) throws {
        var environment = samelist.place.environment(server: samelist.server.url)
        let folder = Place.program("samelist").deletingLastPathComponent().path
        environment["PATH"] = folder + ":" + (environment["PATH"] ?? "")
        environment["PS1"] = "$ "
        environment["TMUX"] = nil
        for (name, value) in variables { environment[name] = value }
        self.environment = environment
        self.samelist = samelist
        try tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(lines)",
            "env PS1='$ ' TERM=\(variables["TERM"] ?? "screen") bash --norc --noprofile")
        processes = try tmux("display-message", "-p", "#{pid} #{pane_pid}")
            .split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
        try listen()
        try expect { $0 == "$" }
    }

    private func listen() throws {
        let pipe = place.path(socket + ".out").path
        guard mkfifo(pipe, 0o600) == 0 else { throw Unexpected("no pipe") }
        output = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try tmux("pipe-pane", "exec cat > '\(pipe)'")
    }

    /// Waits until a program has written something; a second at most, since tmux itself draws too.
    private func waitForOutput() {
        var source = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&source, 1, 1_000) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while read(output, &bytes, bytes.count) > 0 {}
    }

    deinit {
        end()
        if output >= 0 { close(output) }
    }

    /// Ends tmux and all that runs in it, whether or not it listens. Both lead a session, to which
    /// belongs whatever was started there, stopped or not.
    private func end() {
        _ = try? tmux("kill-server")
        let sessions = Set(processes.filter { $0 > 1 })
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let number = pid_t(name), sessions.contains(getsid(number)) else { continue }
            kill(number, SIGKILL)
        }
    }

    /// Whether any of it still runs.
    static func leftovers(of place: Place) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
            guard pid_t(name) != nil,
                let words = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(name)/environ"))
            else { return false }
            return words.range(of: Data("XDG_STATE_HOME=\(place.path("state").path)".utf8)) != nil
        }
    }

    /// Types text, then presses keys by their tmux names.
    func type(_ text: String, _ keys: String...) throws {
        if !text.isEmpty { try tmux("send-keys", "-l", text) }
        for key in keys { try tmux("send-keys", key) }
    }

    func resize(_ columns: Int, _ lines: Int) throws {
        try tmux("resize-window", "-x", "\(columns)", "-y", "\(lines)")
    }

    /// As a terminal that can tell pasting from typing does it.
    func paste(_ text: String) throws {
        try tmux("set-buffer", text)
        try tmux("paste-buffer", "-p")
    }

    /// What programs wrote into the clipboard.
    func clipboard() throws -> String {
        try tmux("show-buffer")
    }

    func letProgramsCopy() throws { try tmux("set", "-g", "set-clipboard", "on") }

    /// Where the cursor is, and whether the program has a screen of its own.
    func state() throws -> String {
        try tmux("display-message", "-p", "#{cursor_y},#{cursor_x} #{alternate_on}")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The screen with the sequences that colour it.
    func colours() throws -> String { try tmux("capture-pane", "-p", "-e") }

    /// The processes of that name in this screen.
    func processes(named name: String) -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { number in
            let word = try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)
            return word == name + "\n" && processes.contains(getsid(number))
        }
    }

    /// The screen without the blanks at its ends.
    func text() throws -> String {
        let lines = try tmux("capture-pane", "-p").split(
            separator: "\n", omittingEmptySubsequences: false)
        let trimmed = lines.map { line in
            line.reversed().drop { $0 == " " }.reversed().map(String.init).joined()
        }
        return trimmed.joined(separator: "\n").trimmingCharacters(in: .newlines)
    }

    /// Looks until the screen is as it should be.
    func expect(
        _ isRight: (String) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        var seen = ""
        repeat {
            seen = try text()
            if isRight(seen) { return }
            waitForOutput()
        } while Date() < deadline
        Issue.record("the screen stayed\n\(seen)", sourceLocation: sourceLocation)
    }

    /// Looks until the last lines are these.
    func expect(
        last lines: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let end = lines.joined(separator: "\n")
        try expect({ $0 == end || $0.hasSuffix("\n" + end) }, sourceLocation: sourceLocation)
    }

    /// tmux leaves a server behind. It must hold nothing that this process has open, since
    /// Foundation takes the end of what a child holds for the end of the child.
    private static let closed = """
        for file in /proc/self/fd/*; do
            number=${file##*/}
            if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
        done
        exec tmux "$@"
        """

    @discardableResult
    private func tmux(_ words: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", Self.closed, "tmux", "-S", place.path(socket).path] + words
        process.environment = environment
        let file = place.path(UUID().uuidString)
        try Data().write(to: file)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: file)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
