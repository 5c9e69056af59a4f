internal import Glibc
internal import ListModel
internal import ListReplica
internal import Samelist

extension Verbs {
    @MainActor
    static func shell(_ call: inout Invocation) async throws(Failure) {
        try call.end()
        umask(0o077)
        let program = try ShellProgram(call)
        try await program.run()
    }
}

/// `samelist shell`: the shell's language over standard input and output, on a terminal or between
/// pipes.
@MainActor
final class ShellProgram {
    private let client: ListClient
    private let session: ShellSession
    private let settings: Settings
    private let leftOut: LeftOutWork
    private let isJSON: Bool
    private let surface: any ShellSurface
    /// What is carried out before anything is typed.
    private let first: String?
    private var reminded: Timestamp?
    private var isStopped = false
    private var idle: CheckedContinuation<Void, Never>?

    /// - Parameters:
    ///   - kind: whose work and drafts it takes up.
    ///   - list: the one that `first` opens.
    init(
        _ call: Invocation, first: String? = nil, kind: String = "shell", for list: ListName? = nil
    ) throws(Failure) {
        self.first = first
        do throws(ListError) {
            client = try ListClient(
                server: call.settings.server, name: call.settings.name, kind: kind, for: list,
                folder: call.settings.folder, token: call.settings.token,
                caFile: call.settings.caFile)
        } catch {
            throw Failure(.refused, "state_failed", error.description)
        }
        settings = call.settings
        leftOut = LeftOutWork(client.core, settings)
        isJSON = call.output.isJSON
        let client = client
        let session = ShellSession(
            core: client.core, showsPresence: call.has(.presence), stateFile: client.stateFile,
            freshID: { Fresh.element() }, stored: { client.takeKept(of: $0) },
            lent: { client.copyOfOthers(of: $0, besides: $1) })
        session.openPatience = min(session.openPatience, settings.timeout / 2)
        self.session = session
        let leftOut = leftOut
        session.keptLeftOut = { leftOut.kept(of: $0) }
        session.forgetLeftOut = { leftOut.forget($0, of: $1) }
        let known = KnownRows(settings)
        session.knownLists = { known.lists.map(\.text) }
        surface =
            EditedShell.isPossible
            ? EditedShell(historyFile: settings.folder + "/history") { [weak session] line in
                session?.candidates(for: line) ?? []
            } : PipedShell()
    }

    /// Between pipes it ends as the first command that failed would have; a person has read the
    /// answers.
    func run() async throws(Failure) {
        client.onNews = { [unowned self] news in
            leftOut.note(news, at: WallClock.now)
            session.absorb(news, at: WallClock.now)
            show()
        }
        Signals.shared.beforeEnding { done in
            Task { @MainActor in
                self.stop()
                done()
            }
        }
        client.perform { core, now in core.goOnline(at: now) }
        surface.begin(prompt: prompt)
        if let kept = KeptElsewhere.sentence(client.others, isScreen: first != nil) {
            session.lines.append(.event("kept", [.sentence(kept)]))
            show()
        }
        if let first {
            client.perform { _, now in session.read(first, at: now) }
            show()
        }
        for await input in surface.inputs {
            switch input {
            case .line(let line): client.perform { _, now in session.read(line, at: now) }
            case .interrupt: session.interrupt()
            }
            show()
            if session.isDone { break }
        }
        if !session.isDone { await finish() }
        await surface.end()
        stop()
        guard surface is PipedShell, let exit = session.firstFailure else { return }
        throw Failure(exit, "", "")
    }

    /// Also what was typed last is on disk then.
    private func stop() {
        guard !isStopped else { return }
        isStopped = true
        KnownRows(settings).keep(from: client.core)
        client.stop()
    }

    /// Carries out what was read before the input ended, and waits for no command longer than the
    /// user allows.
    private func finish() async {
        let end = WallClock.now
        var alarm = end
        while session.isBusy {
            let deadline = max(end, session.lastBegan ?? end)
                .adding(milliseconds: settings.timeout)
            let now = WallClock.now
            guard now < deadline else { return giveUp() }
            // One alarm at a time: the commands before the last have none of their own.
            if alarm <= now {
                alarm = deadline
                client.remind(at: deadline)
            }
            await withCheckedContinuation { idle = $0 }
        }
    }

    private func giveUp() {
        let rest = session.notBegun
        let left = rest == 0 ? "" : "; \(Verbs.counted(rest, "command")) behind it not run"
        session.answer(
            .error("timed_out", "no answer in \(settings.seconds); what was begun goes on\(left)"))
        show()
    }

    private func show() {
        let lines = session.takeLines()
        if !lines.isEmpty {
            surface.show(lines.map { (isJSON ? $0.json : $0.plain) + "\n" }.joined())
        }
        surface.setPrompt(prompt)
        if let tick = session.nextTick, tick != reminded {
            reminded = tick
            client.remind(at: tick)
        }
        idle?.resume()
        idle = nil
    }

    private var prompt: String { (session.list?.text ?? "samelist") + "> " }
}
