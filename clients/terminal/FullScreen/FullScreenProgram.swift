internal import Dispatch
internal import Glibc
internal import ListModel
internal import ListReplica
internal import ProgramArguments
internal import Samelist
internal import Synchronization

extension Verbs {
    fileprivate static let clientKind = "screen"

    /// The full screen; where there is none, the shell with the list open, which can do the same.
    @MainActor
    static func open(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        try call.end()
        _ = try colours(call)
        umask(0o077)
        guard EditedShell.isPossible, !call.has(.byLine), !call.output.isJSON else {
            let line = "open \(name)" + (call.has(.create) ? " --create" : "")
            // It is the same client, whose drafts and work it goes on with.
            let shell = try ShellProgram(call, first: line, kind: Self.clientKind, for: name)
            return try await shell.run()
        }
        let settings = call.settings
        do throws(Failure) {
            try await FullScreenProgram(call, name).run()
        } catch {
            guard error.missing != nil else { throw error }
            // A conversation knows which other list may be meant.
            return try await Conversation.run(settings) { _ throws(Failure) in throw error }
        }
    }

    /// Whether the screen has colours, where the terminal has.
    fileprivate static func colours(_ call: Invocation) throws(Failure) -> Bool {
        switch call.arguments[.colour] ?? "auto" {
        case "auto": return StandardStreams.environment("NO_COLOR") == nil
        case "always": return true
        case "never": return false
        case let word: throw .usage("--color takes auto, always or never, not \(masked(word)).")
        }
    }
}

/// `samelist open LIST`: a `ScreenSession` on a real terminal, with a real connection.
@MainActor
final class FullScreenProgram {
    private let client: ListClient
    private let session: ScreenSession
    private let settings: Settings
    private let leftOut: LeftOutWork
    private let editor: OutsideEditor
    private let colours: Bool
    private var screen: TerminalScreen?
    private var reminded: Timestamp?
    private var isStopped = false
    private var waiter: CheckedContinuation<Void, Never>?
    private var isDone = false
    /// Whether another program has the terminal, whose signals are its own.
    private nonisolated let isOutside = Mutex(false)

    init(_ call: Invocation, _ name: ListName) throws(Failure) {
        do throws(ListError) {
            client = try ListClient(
                server: call.settings.server, name: call.settings.name, kind: Verbs.clientKind,
                for: name, folder: call.settings.folder, token: call.settings.token,
                caFile: call.settings.caFile)
        } catch {
            throw Failure(.refused, "state_failed", error.description)
        }
        settings = call.settings
        colours = try Verbs.colours(call)
        leftOut = LeftOutWork(client.core, settings)
        editor = OutsideEditor(folder: call.settings.folder)
        session = ScreenSession(
            core: client.core, list: name, freshID: { Fresh.element() },
            clock: LocalClock.timeOfDay)
        let stored = client.takeKept(of: name)
        let lent = client.copyOfOthers(of: name, besides: stored)
        do throws(Refusal) {
            try client.perform { core, now throws(Refusal) in
                try core.open(
                    name, create: call.has(.create), stored: stored, lent: lent, at: now)
            }
        } catch {
            let file = client.stateFile.map { "; \($0) holds it: move it away to begin anew" }
            throw Failure(.refused, error.code.rawValue, error.sentence + (file ?? ""))
        }
    }

    func run() async throws(Failure) {
        client.onNews = { [unowned self] news in absorb(news) }
        client.perform { core, now in core.goOnline(at: now) }
        try await untilThere()
        session.open(at: WallClock.now)
        session.sayKept(in: OutsideEditor.files(in: settings.folder, of: session.list))
        session.sayKept(elsewhere: KeptElsewhere.sentence(client.others, isScreen: true))
        guard let screen = TerminalScreen(colours: colours) else {
            stop()
            throw Failure(
                .refused, "no_screen", "this terminal cannot draw: use --by-line, or another TERM.")
        }
        self.screen = screen
        respondToSignals()
        let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        keys.setEventHandler { MainActor.assumeIsolated { self.readKeys() } }
        keys.resume()
        show()
        KnownRows(settings).keep(from: client.core)
        await wait { isDone }
        keys.cancel()
        screen.leave()
        sayWhatWaits()
        let lost = session.unkept
        stop()
        if lost > 0 { throw Failure(lost: lost, of: session.list) }
    }

    /// With a copy on this machine there is nothing to wait for; else the server must have
    /// answered.
    private func untilThere() async throws(Failure) {
        let deadline = WallClock.now.adding(milliseconds: settings.timeout)
        client.remind(at: deadline)
        await wait {
            guard let replica = session.replica, replica.epoch == nil else { return true }
            switch replica.sync {
            case .live, .failed, .gone: return true
            case .away, .leaving, .opening: break
            }
            switch session.core.link.state {
            case .refused: return true
            case .waiting: return session.core.link.trouble != nil
            case .idle, .connecting, .greeting, .online: return WallClock.now >= deadline
            }
        }
        guard let replica = session.replica, replica.epoch == nil else { return }
        defer { if !replica.isLive { stop() } }
        switch (replica.sync, session.core.link.state) {
        case (.live, _): return
        case (.failed(let refusal), _): throw Failure(refusal, of: session.list)
        case (.gone(let gone), _): throw Failure(gone, of: session.list)
        case (_, .refused(let refusal)): throw Failure(refusal)
        default:
            throw Failure(
                noConnectionTo: settings, session.core.link.trouble,
                rest: ", and there is no copy of \(session.list) on this machine")
        }
    }

    private func wait(until condition: () -> Bool) async {
        while !condition() { await withCheckedContinuation { waiter = $0 } }
    }

    private func absorb(_ news: [News]) {
        leftOut.note(news, at: WallClock.now)
        if screen != nil { session.absorb(news, at: WallClock.now) }
        carryOn()
    }

    private func readKeys() {
        guard let screen, !hasGivenAway else { return }
        let keys = screen.readKeys()
        if keys.isEmpty, isHungUp { isDone = true }
        for key in keys { client.perform { _, now in session.handle(key, at: now) } }
        carryOn()
    }

    /// Nobody is at the other end of the terminal any more.
    private var isHungUp: Bool {
        var source = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) > 0 && source.revents & Int16(POLLHUP | POLLERR) != 0
    }

    private func carryOn() {
        for wish in session.takeWishes() { fulfil(wish) }
        show()
        waiter?.resume()
        waiter = nil
    }

    private func fulfil(_ wish: Wish) {
        switch wish {
        case .quit: isDone = true
        case .copy(let text): screen?.write(Clipboard.sequence(text))
        case .mouse(let isOn): screen?.useMouse(isOn)
        case .remove(let file): unlink(file)
        case .repaint: screen?.repaint()
        case .edit(let id, let text): Task { await editOutside(id, text) }
        }
    }

    private func show() {
        guard let screen, !isStopped, !hasGivenAway else { return }
        let now = WallClock.now
        screen.paint(session.frame(screen.size, at: now))
        guard let tick = session.nextTick(after: now), tick != reminded else { return }
        reminded = tick
        client.remind(at: tick)
    }

    private nonisolated var hasGivenAway: Bool { isOutside.withLock { $0 } }

    private func editOutside(_ id: ElementID, _ text: String) async {
        let file = editor.file(of: id, in: session.list)
        if let why = editor.prepare(file, text) { return end(id, .notBegun(why), file) }
        isOutside.withLock { $0 = true }
        screen?.leave()
        let outcome = await editor.run(file, on: text)
        isOutside.withLock { $0 = false }
        // A signal has ended both: the terminal is not ours any more, and the file stays.
        if isStopped { return }
        screen?.enter()
        end(id, outcome, file)
    }

    private func end(_ id: ElementID, _ outcome: OutsideEditor.Outcome, _ file: String) {
        client.perform { _, now in session.endOutside(id, outcome, file: file, at: now) }
        carryOn()
    }

    private func sayWhatWaits() {
        let files = OutsideEditor.files(in: settings.folder, of: session.list)
        let lines = session.leftBehind(files: files.map(Printing.masked))
        let text = lines.map { "samelist: \($0)\n" }.joined()
        if !text.isEmpty { StandardStreams.write(Array(text.utf8), to: STDERR_FILENO) }
    }

    /// Also what was typed last is on disk then.
    private func stop() {
        guard !isStopped else { return }
        isStopped = true
        client.stop()
    }
}

extension FullScreenProgram {
    private func respondToSignals() {
        Signals.shared.beforeEnding { done in
            OutsideEditor.end()
            Task { @MainActor in
                self.screen?.leave()
                self.sayWhatWaits()
                self.stop()
                done()
            }
        }
        Signals.shared.respond { signal in
            switch signal {
            case SIGWINCH: Task { @MainActor in self.resized() }
            case SIGTSTP: Task { @MainActor in self.suspend() }
            case SIGCONT: Task { @MainActor in self.resume() }
            case SIGINT where self.hasGivenAway, SIGQUIT where self.hasGivenAway: break
            default: return false
            }
            return true
        }
    }

    private func resized() {
        guard !hasGivenAway else { return }
        screen?.resize()
        show()
    }

    private func suspend() {
        if !hasGivenAway { screen?.leave() }
        kill(getpid(), SIGSTOP)
    }

    private func resume() {
        guard !hasGivenAway, !isDone, !isStopped else { return }
        screen?.enter()
        screen?.resize()
        screen?.repaint()
        show()
    }
}

/// The time of day where the user is.
enum LocalClock {
    static func timeOfDay(_ time: Timestamp) -> String {
        var seconds = time_t(time.milliseconds / 1_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let digits = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { part in
            (part < 10 ? "0" : "") + String(part)
        }
        return digits.joined(separator: ":")
    }
}
