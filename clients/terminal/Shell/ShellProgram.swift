internal import Glibc
internal import ListModel
internal import ListReplica
internal import Samelist

/// `samelist shell`: the shell's language over standard input and output.
@MainActor
enum ShellProgram {
    static func run(_ arguments: [String]) async {
        var name = "me"
        var isJSON = false
        var index = 2
        while index < arguments.count {
            if arguments[index] == "--as", index + 1 < arguments.count {
                name = arguments[index + 1]
                index += 1
            } else if arguments[index] == "--json" {
                isJSON = true
            }
            index += 1
        }
        let text = getenv("SAMELIST_SERVER").map { String(cString: $0) } ?? ""
        guard let server = ServerAddress(text.isEmpty ? "127.0.0.1:7420" : text),
            let user = UserName(name)
        else { exit(2) }
        let folder =
            (getenv("XDG_STATE_HOME").map { String(cString: $0) } ?? "/nowhere") + "/samelist"
        guard
            let client = try? ListClient(server: server, name: user, kind: "shell", folder: folder)
        else { exit(1) }
        let session = ShellSession(
            core: client.core, freshID: { Fresh.element() },
            stored: { client.takeKept(of: $0) })
        func show() {
            var text = ""
            for line in session.takeLines() { text += (isJSON ? line.json : line.plain) + "\n" }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
        client.onNews = { news in
            session.absorb(news, at: WallClock.now)
            show()
        }
        client.perform { core, now in core.goOnline(at: now) }
        let lines = AsyncStream<String> { continuation in
            let reader = Reader(continuation)
            reader.start()
        }
        for await line in lines {
            client.perform { _, now in session.read(line, at: now) }
            show()
            if session.isDone { break }
        }
        client.stop()
        exit(0)
    }
}

private final class Reader: Sendable {
    let continuation: AsyncStream<String>.Continuation
    init(_ continuation: AsyncStream<String>.Continuation) { self.continuation = continuation }
    func start() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let reader = Unmanaged<Reader>.fromOpaque(context).takeRetainedValue()
                while let line = readLine() { reader.continuation.yield(line) }
                reader.continuation.finish()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }
}
