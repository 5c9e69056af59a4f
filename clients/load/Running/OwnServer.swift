internal import Glibc
internal import Threads

/// A `samelistd` that a run starts: on a free port of loopback, with data in a folder of its own.
///
/// It ends with `stop`, which also removes the folder if that was made here. One thread at a time
/// uses it, but for `end`, which any thread may call to leave nothing behind.
final class OwnServer: @unchecked Sendable {
    // because what several threads touch is locked.

    private struct Running {
        var process: pid_t = 0
        var isOver = false
    }

    let folder: String
    private let program: String
    private let ownsFolder: Bool
    private let running = Locked(Running())
    private(set) var port: UInt16 = 0
    private var output: Int32 = -1

    /// How long it may take until it serves, in milliseconds.
    private static let patience: Int32 = 60_000

    /// - Parameter folder: for its data; `nil`: a new one that goes away.
    init(folder: String?) throws(LoadFailure) {
        program = Self.besideThisProgram("samelistd")
        guard access(program, X_OK) == 0 else {
            throw LoadFailure("\(program) is not there: make build, or name a server by --server")
        }
        ownsFolder = folder == nil
        if let folder {
            self.folder = folder
        } else {
            var template = Array((Self.temporary + "/samelist-load-XXXXXX").utf8CString)
            guard mkdtemp(&template) != nil else {
                throw LoadFailure("no folder could be made in \(Self.temporary)")
            }
            let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
            self.folder = String(decoding: bytes, as: UTF8.self)
        }
    }

    var process: pid_t { running.withLock { $0.process } }

    /// Returns when it serves; again on the same port after `kill`.
    func start() throws(LoadFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoadFailure("no pipe for the server") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = ends[0]
        let words = [
            program, "serve", "--listen", "127.0.0.1:\(port)", "--data", folder + "/data",
            "--log-level", "warning",
        ]
        let started = running.withLock { running in
            guard !running.isOver else { return false }
            running.process = Self.spawn(words, output: ends[1], log: folder + "/server.log")
            return running.process > 0
        }
        close(ends[1])
        guard started else { throw LoadFailure("\(program) could not be started") }
        guard let line = firstLine(), let port = Self.port(in: line) else {
            throw LoadFailure("the server did not start: see \(folder)/server.log")
        }
        self.port = port
    }

    /// SIGKILL, or SIGTERM and then SIGKILL, and waits until it has ended.
    func end(with signal: Int32) {
        running.withLock { Self.end(&$0, signal) }
        if output >= 0 { close(output) }
        output = -1
    }

    /// Ends it for good, and leaves nothing behind. Any thread may call this.
    func stop() {
        running.withLock { running in
            running.isOver = true
            Self.end(&running, SIGTERM)
        }
        if ownsFolder { Self.remove(folder) }
    }

    private static func end(_ running: inout Running, _ signal: Int32) {
        guard running.process > 0 else { return }
        kill(running.process, signal)
        var status: Int32 = 0
        // A drain takes 5 s at most.
        for _ in 0..<100 where signal != SIGKILL {
            if waitpid(running.process, &status, WNOHANG) != 0 {
                running.process = 0
                return
            }
            rest(milliseconds: 100)
        }
        kill(running.process, SIGKILL)
        while waitpid(running.process, &status, 0) < 0, errno == EINTR {}
        running.process = 0
    }

    /// What it prints first: where it serves.
    private func firstLine() -> String? {
        var bytes: [UInt8] = []
        while !bytes.contains(0x0A) {
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, Self.patience) > 0 else { return nil }
            var part = [UInt8](repeating: 0, count: 512)
            let count = read(output, &part, part.count)
            guard count > 0 else { return nil }
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func port(in line: String) -> UInt16? {
        let mark = "ws://127.0.0.1:"
        guard let found = line.firstRange(of: mark) else { return nil }
        return UInt16(line[found.upperBound...].prefix { $0.isNumber })
    }

    /// In a session of its own: Ctrl-C reaches only us, who then end things in order.
    private static func spawn(_ words: [String], output: Int32, log: String) -> pid_t {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(
            &files, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID, which the headers show to GNU programs only.
        let session: Int32 = 0x80
        posix_spawnattr_setflags(
            &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | session))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, words[0], &files, &attributes, &arguments, environ)
        return result == 0 ? child : 0
    }

    private static var temporary: String {
        getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
    }
}
