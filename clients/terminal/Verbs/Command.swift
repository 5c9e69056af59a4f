internal import Dispatch
internal import Glibc

/// Another program, run to its end: with a text on its standard input, and our other streams.
struct Command: Sendable {
    private let words: [String]
    private let input: String
    private let variables: [(String, String)]

    enum Result: Equatable {
        /// As shells put it: 128 and the signal where one ended it.
        case ended(Int32)
        case notFound
    }

    init(_ words: [String], input: String, variables: [(String, String)]) {
        self.words = words
        self.input = input
        self.variables = variables
    }

    func run() async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "command").async { continuation.resume(returning: spawn()) }
        }
    }

    private func spawn() -> Result {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return .notFound }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO)
        let child = start(&files)
        close(ends[0])
        if child != nil { feed(ends[1]) }
        close(ends[1])
        guard let child else { return .notFound }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return .notFound } }
        let signal = status & 0x7F
        return .ended(signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
    }

    /// With the signals of any other program: this thread may have them blocked.
    private func start(_ files: inout posix_spawn_file_actions_t) -> pid_t? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var surroundings = environment() + [nil]
        defer { for text in arguments + surroundings { free(text) } }
        var child: pid_t = 0
        let result = posix_spawnp(
            &child, words[0], &files, &attributes, &arguments, &surroundings)
        return result == 0 ? child : nil
    }

    private func environment() -> [UnsafeMutablePointer<CChar>?] {
        var texts: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let text = next.pointee {
            let name = String(cString: text).prefix { $0 != "=" }
            if !variables.contains(where: { $0.0 == name }) { texts.append(strdup(text)) }
            next += 1
        }
        return texts + variables.map { strdup($0.0 + "=" + $0.1) }
    }

    /// What the program does not want to read is let go; SIGPIPE is ignored here.
    private func feed(_ descriptor: Int32) {
        let bytes = Array(input.utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0, errno != EINTR { break }
            done += max(0, count)
        }
    }
}
