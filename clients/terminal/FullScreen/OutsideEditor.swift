internal import Dispatch
internal import Glibc
internal import ListModel
internal import Synchronization

/// The user's own editor on a text in a file, which stays there until what it says is saved.
struct OutsideEditor: Sendable {
    /// What came of it.
    enum Outcome: Equatable, Sendable {
        case text(String)
        /// There is no file, and why; nothing was begun.
        case notBegun(String)
        /// How the editor ended. What it wrote is in the file, where it wrote anything.
        case failed(String, wrote: Bool)
        case noFile
        /// What the file holds is not UTF-8.
        case notText
    }

    /// As the user's shell would run it.
    private let command: String
    /// Where the files are.
    private let folder: String

    /// - Parameter folder: the client's state, where files outlive the machine's next start.
    init(folder: String) {
        let variables = ["VISUAL", "EDITOR"].compactMap(StandardStreams.environment)
        command = variables.first ?? "vi"
        self.folder = folder + "/edit"
    }

    /// Texts that were not saved, or not yet, of a list or of all.
    static func files(in folder: String, of list: ListName? = nil) -> [String] {
        let start = list.map { "\($0)-" } ?? ""
        return Folder.names(in: folder + "/edit").filter { $0.hasPrefix(start) }.sorted()
            .map { "\(folder)/edit/\($0)" }
    }

    /// A name that no file has yet: what an earlier one holds may be all that is left of a text.
    func file(of id: ElementID, in list: ListName) -> String {
        let name = id.text.utf8.map { byte -> String in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: String(UnicodeScalar(byte))
            default: "_" + String(byte, radix: 16)
            }
        }
        let stem = "\(folder)/\(list)-\(name.joined())"
        let names = [stem + ".txt"] + (2...1_000).lazy.map { "\(stem)-\($0).txt" }
        return names.first { access($0, F_OK) != 0 } ?? stem + ".txt"
    }

    /// Writes the text into a new file. The reason, where it cannot be written; then there is none.
    func prepare(_ file: String, _ text: String) -> String? {
        let failure = Folder.make(folder)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return String(cString: strerror(failure ?? errno)) }
        let why = StandardStreams.writeAll(Array((text + "\n").utf8), to: descriptor)
        let wasClosed = close(descriptor) == 0
        guard let why = why ?? (wasClosed ? nil : errno) else { return nil }
        unlink(file)
        return String(cString: strerror(why))
    }

    /// Runs the editor on a file that was prepared with a text, to its end.
    func run(_ file: String, on text: String) async -> Outcome {
        let failure = await withCheckedContinuation { continuation in
            DispatchQueue(label: "editor").async {
                continuation.resume(returning: self.spawn(file))
            }
        }
        let bytes = Folder.bytes(of: file)
        if let failure {
            let wrote = bytes.map { $0 != Array((text + "\n").utf8) } ?? false
            if !wrote { unlink(file) }
            return .failed(failure, wrote: wrote)
        }
        guard let bytes else { return .noFile }
        return Self.text(bytes).map { .text($0) } ?? .notText
    }

    /// Without the line break that editors put behind the last line.
    private static func text(_ bytes: [UInt8]) -> String? {
        String(
            validating: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes, as: UTF8.self)
    }

    /// In a process that gets the signals of the terminal as any other: this thread may have them
    /// blocked.
    /// Answers how it failed.
    private func spawn(_ file: String) -> String? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = ["sh", "-c", command + " \"$1\"", "sh", file]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        guard posix_spawn(&child, "/bin/sh", nil, &attributes, arguments, environ) == 0 else {
            return "cannot be run: " + String(cString: strerror(errno))
        }
        let hasEnded = DispatchSemaphore(value: 0)
        Self.running.withLock { $0 = (child, hasEnded) }
        defer {
            Self.running.withLock { $0 = nil }
            hasEnded.signal()
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return "was lost" } }
        return failure(status)
    }

    /// The process that has the terminal now, and what tells its end.
    private static let running = Mutex<(process: pid_t, hasEnded: DispatchSemaphore)?>(nil)

    /// Has the editor end, as if its terminal had gone, and gives it a second to bring that back.
    /// What it wrote stays in its file.
    static func end() {
        guard let (process, hasEnded) = running.withLock({ $0 }) else { return }
        for process in family(of: process) { kill(process, SIGHUP) }
        _ = hasEnded.wait(timeout: .now() + .seconds(1))
    }

    /// A process and all that it runs: a shell may stand between us and the editor.
    private static func family(of process: pid_t) -> [pid_t] {
        let bytes = Folder.bytes(of: "/proc/\(process)/task/\(process)/children") ?? []
        let children = bytes.split(separator: UInt8(ascii: " ")).compactMap { word in
            pid_t(String(decoding: word, as: UTF8.self))
        }
        return [process] + children.flatMap(family)
    }

    private func failure(_ status: Int32) -> String? {
        let code = (status >> 8) & 0xFF
        switch (status & 0x7F, code) {
        case (0, 0): return nil
        case (0, 126), (0, 127): return "cannot be run: \(Printing.masked(command))"
        // As shells tell it of what they ran.
        case (0, 129...): return "was ended by signal \(code - 128)"
        case (0, _): return "ended with \(code)"
        case (let signal, _): return "was ended by signal \(signal)"
        }
    }
}
