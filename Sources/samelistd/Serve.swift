import Glibc
internal import ListServer

extension Program {
    /// Serves until it is told to end; answers the exit code.
    static func serve(_ settings: ServeSettings) -> Int32 {
        let signals = EndSignals()
        let isNew = access(settings.folder + "/samelist.db", F_OK) != 0
        let server: Server
        do throws(ServerError) {
            server = try Server(options(settings), folder: settings.folder)
        } catch {
            say("samelistd: \(error)", on: STDERR_FILENO)
            return ExitCode.failed
        }
        let url = ListenAddress(host: settings.listen.host, port: server.port).url
        say(
            "samelistd \(Server.version)  data \(settings.folder)\(isNew ? " (new)" : "")  \(url) "
                + "(this machine only)   Try: samelist open demo --create")
        let signal = signals.wait()
        return drain(server, after: signal, signals)
    }

    private static func options(_ settings: ServeSettings) -> ServerOptions {
        var options = ServerOptions()
        options.host = settings.listen.host
        options.port = settings.listen.port
        options.log = .standardError(settings.logLevel)
        switch settings.history {
        case .all: options.keepAll()
        case .entries(let count): options.keep(entries: count)
        case .milliseconds(let age): options.keep(milliseconds: age)
        }
        return options
    }

    private static func drain(
        _ server: Server, after signal: Int32, _ signals: EndSignals
    ) -> Int32 {
        let count = server.clientCount
        // The terminal has just shown ^C.
        let margin = signal == SIGINT && isatty(STDOUT_FILENO) == 1 ? " " : ""
        say(
            "\(margin)Draining \(counted(count, "client")) "
                + "(up to 5 s; \(name(of: signal)) again to stop now)…",
            ending: "")
        server.drain { signals.drained($0) }
        switch signals.waitForDrained() {
        case .signal(let second):
            say(" stopped; whatever clients were told is saved is on disk.")
            return ExitCode.ended(by: second)
        case .drained(let drained):
            server.stop()
            guard let entries = drained.entries else {
                say(" the disk was not done in time; what clients were told is saved is on it.")
                return ExitCode.failed
            }
            let left = drained.clientsLeft
            let late = left == 0 ? "" : " \(counted(left, "client")) did not leave in time,"
            say(" done,\(late) \(counted(entries, "change")) on disk.")
            return ExitCode.done
        }
    }

    private static func name(of signal: Int32) -> String {
        switch signal {
        case SIGINT: "Ctrl-C"
        case SIGHUP: "SIGHUP"
        default: "SIGTERM"
        }
    }

    static func counted(_ count: some BinaryInteger, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
