internal import CMalloc
import Glibc
internal import ListServer
internal import ProgramArguments

extension Program {
    /// Serves until it is told to end; answers the exit code.
    static func serve(_ given: GivenSettings) throws(UsageError) -> Int32 {
        let settings = try ServeSettings(given)
        giveMemoryBack()
        let signals = EndSignals()
        let isNew = access(settings.folder + "/samelist.db", F_OK) != 0
        if !settings.listen.isLoopback, !hasToken(settings) {
            say(
                "samelistd: other machines can reach \(settings.listen.host), and nobody has a "
                    + "token yet; make one: samelistd token create --data \(settings.folder) "
                    + "--name NAME --list PATTERN --rights read|write|own", on: STDERR_FILENO)
            return ExitCode.failed
        }
        let server: Server
        do throws(ServerError) {
            server = try Server(options(settings), folder: settings.folder)
        } catch {
            say("samelistd: \(error)", on: STDERR_FILENO)
            return ExitCode.failed
        }
        let url = ListenAddress(host: settings.listen.host, port: server.port)
            .url(isSecure: settings.tls != nil)
        let reach = settings.listen.isLoopback ? "(this machine only)" : "(with a token)"
        say(
            "samelistd \(Server.version)  data \(settings.folder)\(isNew ? " (new)" : "")  \(url) "
                + "\(reach)   Try: samelist open demo --create")
        Systemd.isReady("Serving \(settings.folder) at \(url)")
        Systemd.keepWatched(server)
        let signal = signals.wait {
            Systemd.isReloading()
            reload(server, given)
            Systemd.isReady("Serving \(settings.folder) at \(url)")
        }
        return drain(server, after: signal, signals)
    }

    /// What is larger than this has pages of its own, which the system gets back at once. Without
    /// this, glibc raises the bound up to 32 MB as it sees such blocks freed, and what a list grew
    /// out of stays in holes of the heap: 10 of 70 MB with a list of 100,000 rows.
    private static func giveMemoryBack() {
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
    }

    private static func hasToken(_ settings: ServeSettings) -> Bool {
        if settings.signing != nil { return true }
        let now = TokenStore.now
        let tokens = try? TokenStore(folder: settings.folder).all()
        return tokens?.contains { $0.state(at: now) == .valid } ?? false
    }

    private static func options(_ settings: ServeSettings) -> ServerOptions {
        var options = ServerOptions()
        options.ownsProcess = true
        options.host = settings.listen.host
        options.port = settings.listen.port
        options.log = .standardError(settings.logLevel, settings.logFormat)
        if let tls = settings.tls { options.show(certificate: tls.certificate, key: tls.key) }
        options.origins = settings.origins
        options.signing = settings.signing
        options.bounds = settings.bounds
        if let metrics = settings.metrics {
            options.tellMetrics(host: metrics.host, port: metrics.port)
        }
        options.demandsTokens = !settings.listen.isLoopback
        options.history = settings.history.forServer
        return options
    }

    /// What the file says by now; a file that cannot be used changes nothing.
    private static func reload(_ server: Server, _ old: GivenSettings) {
        do throws(UsageError) {
            let given = try GivenSettings(old.arguments, environment: old.environment)
            server.reload(logLevel: try ServeSettings(given).logLevel)
        } catch {
            server.reload(unusable: error.sentence)
        }
    }

    private static func drain(
        _ server: Server, after signal: Int32, _ signals: EndSignals
    ) -> Int32 {
        let count = server.clientCount
        Systemd.isStopping("Draining \(counted(count, "client"))")
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

    static func counted(
        _ count: some BinaryInteger, _ noun: String, _ plural: String? = nil
    ) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
