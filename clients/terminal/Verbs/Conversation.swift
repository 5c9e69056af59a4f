internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments
internal import Samelist

/// A verb's talk with the server: each step waits for its answer, and no longer than the user
/// allows.
///
/// Nothing is ever left to be done later: a verb's client keeps only its identity and the numbers
/// of its mutations. A connection that breaks while an answer is due is made anew, and the same
/// mutation is sent again under its number, so that it takes effect once.
@MainActor
final class Conversation {
    let settings: Settings
    let client: ListClient
    private var reports: [MutationNumber: Report] = [:]
    private var replies: [RequestID: Reply] = [:]
    /// What was logged in lists that are watched, oldest first.
    private var logged: [Entry] = []
    /// Mutations that were submitted.
    private(set) var submitted = 0
    /// Held by those who take work back.
    var undoFile: UndoFile?
    private var waiter: CheckedContinuation<Void, Never>?
    private var isAwake = false

    init(_ settings: Settings) throws(Failure) {
        self.settings = settings
        do throws(ListError) {
            client = try ListClient(
                server: settings.server, name: settings.name, kind: "verb",
                folder: settings.folder, token: settings.token, caFile: settings.caFile)
        } catch {
            throw Failure(.refused, "state_failed", error.description)
        }
        client.onNews = { [unowned self] news in absorb(news) }
    }

    var core: ClientCore { client.core }

    /// When what begins now has taken too long.
    var patience: Timestamp { WallClock.now.adding(milliseconds: settings.timeout) }

    /// Runs `body` in a conversation with the server.
    static func run<Result>(
        _ invocation: Invocation, _ body: (Conversation) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await run(invocation.settings, body)
    }

    static func run<Result>(
        _ settings: Settings, _ body: (Conversation) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let conversation = try Conversation(settings)
        defer {
            conversation.keepForLater()
            conversation.client.stop()
        }
        try await conversation.connect()
        do throws(Failure) {
            return try await body(conversation)
        } catch {
            throw await conversation.advised(error)
        }
    }

    /// Where there is no such list, the one that may be meant: of those known on this machine, else
    /// of the server's.
    private func advised(_ failure: Failure) async -> Failure {
        guard let name = failure.missing else { return failure }
        let kept = LocalWork.all(
            in: settings.folder, server: settings.server, name: settings.name)
        if kept.contains(where: { $0.lists.contains { $0.name == name.text } }) {
            return Failure(lost: name)
        }
        let known = KnownRows(settings).lists.map(\.text).filter { $0 != name.text }
        var near = suggestion(for: name.text, among: known)
        if near == nil, case .lists(let lists)? = try? await ask({ .lists($0) }) {
            near = suggestion(for: name.text, among: lists.map(\.name.text))
        }
        return near.map { Failure(missing: name, near: $0) } ?? failure
    }

    private func connect() async throws(Failure) {
        client.perform { core, now in core.goOnline(at: now) }
        let isOnline = try await wait(until: patience) { () throws(Failure) -> Bool? in
            switch core.link.state {
            case .online: return true
            case .idle, .connecting, .greeting: return nil
            case .waiting: throw unreachable(core.link.trouble ?? "no answer")
            case .refused(let refusal): throw Failure(refusal)
            }
        }
        if isOnline == nil { throw Failure(noConnectionTo: settings, nil) }
    }

    private func unreachable(_ why: String) -> Failure {
        Failure(
            noConnectionTo: settings, why,
            advice: " Start it with samelistd serve, or name another with --server.")
    }

    /// The list as it is now; it follows the server from here on.
    func open(_ name: ListName, create: Bool = false) async throws(Failure) -> Replica {
        do throws(Refusal) {
            let stored = client.takeKept(of: name)
            try client.perform { core, now throws(Refusal) in
                try core.open(
                    name, create: create, presence: false, keepsCopy: false, stored: stored,
                    at: now)
            }
        } catch {
            throw Failure(error)
        }
        let opened = try await wait(until: patience) { () throws(Failure) -> Replica? in
            guard let replica = core.replicas[name] else { return nil }
            switch replica.sync {
            case .live: return replica
            case .failed(let refusal): throw Failure(refusal, of: name)
            case .gone(let gone): throw Failure(gone, of: name)
            case .away, .leaving, .opening: return try checkLink()
            }
        }
        guard let opened else { throw timedOut("the list \(name) did not arrive") }
        return opened
    }

    /// Asks the server something.
    func ask(
        _ question: (RequestID) -> ClientMessage, of name: ListName? = nil
    ) async throws(Failure) -> Reply {
        let sent = client.perform { core, now in core.ask(question, at: now) }
        guard let request = sent else { throw unreachable(core.link.trouble ?? "no answer") }
        let answer = try await wait(until: patience) { () throws(Failure) in
            replies.removeValue(forKey: request)
        }
        guard let answer else { throw timedOut("the server did not answer") }
        if case .error(let refusal) = answer {
            if refusal.code == .unreachable { throw unreachable(refusal.sentence) }
            throw Failure(refusal, of: name)
        }
        return answer
    }

    func submit(_ operations: [Operation], to name: ListName) -> MutationNumber? {
        submitted += 1
        return client.perform { core, now in core.submit(operations, to: name, at: now) }
    }

    /// What became of a mutation.
    func outcome(of n: MutationNumber?) async throws(Failure) -> Report {
        guard let n else { throw Failure(.refused, Code.notOpen.rawValue, "the list is not open") }
        let report = try await wait(until: patience) { () throws(Failure) in
            if let report = reports.removeValue(forKey: n) { return report }
            if let why = core.saveFailure {
                throw Failure(
                    .refused, Code.storageFailed.rawValue,
                    "this was neither kept on this machine nor sent: \(why)")
            }
            for replica in waiting(for: n) { try checkList(replica) }
            return try checkLink()
        }
        guard let report else { throw unanswered(n) }
        return report
    }

    private func waiting(for n: MutationNumber) -> [Replica] {
        core.replicas.values.filter { $0.isWaiting(n) }
    }

    /// No outcome came in time. What was not sent is not done, and goes with this client.
    private func unanswered(_ n: MutationNumber) -> Failure {
        let waiting = waiting(for: n)
        guard waiting.isEmpty || waiting.contains(where: { $0.mayBeLogged(n) }) else {
            var why: String?
            if case .waiting = core.link.state { why = core.link.trouble ?? "no answer" }
            let rest = submitted > 1 ? "the rest was not written" : "nothing was written"
            return Failure(noConnectionTo: settings, why, rest: ", so " + rest)
        }
        return Failure(
            .timedOut, "unknown",
            "the server did not answer in \(settings.seconds), so it is not known whether this "
                + "was done; samelist history tells once it is back.")
    }

    /// Entries that have come since this was asked last; `nil` when the time is up. Waits for some,
    /// or until `look` has found something else to be told.
    func entries(
        of replica: Replica, until deadline: Timestamp?,
        look: () -> Bool
    ) async throws(Failure) -> [Entry]? {
        try await wait(until: deadline) { () throws(Failure) in
            if !logged.isEmpty {
                defer { logged = [] }
                return logged
            }
            try checkList(replica)
            if look() { return [] }
            return try checkLink()
        }
    }

    /// Whether a list that was open is one still.
    func checkList(_ replica: Replica) throws(Failure) {
        if let gone = replica.gone { throw Failure(gone, of: replica.name) }
        if let refusal = replica.failure { throw Failure(refusal, ending: replica.name) }
    }

    private func checkLink<Result>() throws(Failure) -> Result? {
        if case .refused(let refusal) = core.link.state { throw Failure(refusal) }
        return nil
    }

    private func timedOut(_ what: String) -> Failure {
        Failure(.timedOut, "timed_out", "\(what) in \(settings.seconds); try --timeout 60.")
    }

    /// Looks at `condition` whenever something happened, until it has a result; `nil` at the
    /// deadline.
    private func wait<Result>(
        until deadline: Timestamp?, for condition: () throws(Failure) -> Result?
    ) async throws(Failure) -> Result? {
        if let deadline { client.remind(at: deadline) }
        while true {
            if let result = try condition() { return result }
            if let deadline, WallClock.now >= deadline { return nil }
            if !isAwake { await withCheckedContinuation { waiter = $0 } }
            isAwake = false
        }
    }

    private func absorb(_ news: [News]) {
        for item in news {
            switch item {
            case .outcome(_, let n, let report): reports[n] = report
            case .answer(let request, let reply): replies[request] = reply
            case .entries(_, let entries): logged.append(contentsOf: entries)
            // A verb keeps no list; what watches one looks itself.
            case .caughtUp, .failed, .closed, .logReplaced, .editor, .changed, .committed,
                .presence, .link, .saved, .stateFailed:
                break
            }
        }
        isAwake = true
        waiter?.resume()
        waiter = nil
    }
}

extension Settings {
    /// The time-out, for people.
    var seconds: String {
        timeout % 1_000 == 0 ? "\(timeout / 1_000) s" : "\(Double(timeout) / 1_000) s"
    }
}
