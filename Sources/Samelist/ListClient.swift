package import ListModel
internal import ListProtocol
package import ListReplica
public import Observation
internal import Storage

/// A connection to a server, and the lists that are open through it.
///
/// It ends with `stop()`, or once nobody holds it, a list of it or an editor any more.
///
/// Lives on the main actor and never blocks it. Everything that is done goes through a
/// `ClientCore`; this class carries out, by its surroundings, what the core leaves to be done.
@MainActor
@Observable
public final class ListClient {
    /// The server that it connects to.
    public let server: ServerAddress
    /// Where its state is kept; `nil`: nowhere.
    package let stateFile: String?
    /// Clients of its kind that no process has and that keep work or drafts.
    package let others: [ClientIdentity.Other]
    /// Counts the changes of the connection; reading it depends on it.
    var linkChanges = 0
    /// Why there is no connection, where the last attempt told; `nil` once there is one.
    package var trouble: ListError?
    /// Ended by `stop`; it takes no more work.
    package private(set) var isStopped = false
    @ObservationIgnored var lists: [ListName: OpenList] = [:]
    /// Questions to the server that somebody waits for.
    @ObservationIgnored var asked: [RequestID: Question] = [:]
    /// Those who wait for the server to answer.
    @ObservationIgnored var connecting: [Signal] = []
    @ObservationIgnored package let core: ClientCore
    /// What the core told, in order; set by whoever shows it.
    @ObservationIgnored package var onNews: ([News]) -> Void = { _ in }
    /// What an earlier run kept, until it is asked for.
    @ObservationIgnored private var kept: [String: [UInt8]]

    @ObservationIgnored package let surroundings: any Surroundings
    /// When the core is woken next.
    @ObservationIgnored private var alarm: Timestamp?
    @ObservationIgnored private var isPumping = false

    /// Shown to the server; `nil`: it takes the client's word for its name.
    @ObservationIgnored package var token: TokenSource?

    /// Connects to a server under a name, and stays connected until `stop`.
    ///
    /// - Parameters:
    ///   - kind: clients of one kind take up where one of them left; see `ClientIdentity`.
    ///   - folder: where the client's state is kept; `nil`: nowhere.
    package convenience init(
        connectingTo server: ServerAddress, as name: String, kind: String = "app",
        keepingStateIn folder: String?, token: TokenSource? = nil, caFile: String? = nil
    ) throws(ListError) {
        guard let name = UserName(name) else {
            throw ListError(.badName, "a name has 1-64 bytes and no control characters")
        }
        try self.init(
            server: server, name: name, kind: kind, folder: folder, token: token, caFile: caFile)
        goOnline()
    }

    /// - Parameters:
    ///   - list: the one that it will open, where it is known.
    ///   - folder: where the client's state is kept; `nil`: nowhere.
    ///   - token: what it shows the server, where that asks for it.
    ///   - caFile: the authorities to trust, in PEM, instead of the system's.
    package convenience init(
        server: ServerAddress, name: UserName, kind: String, for list: ListName? = nil,
        folder: String?, token: TokenSource? = nil, caFile: String? = nil
    ) throws(ListError) {
        let identity: ClientIdentity
        do throws(StorageError) {
            if let folder {
                identity = try .take(in: folder, server: server, name: name, kind: kind, for: list)
            } else {
                identity = try .inMemory()
            }
        } catch {
            throw ListError(error)
        }
        let surroundings = try SocketSurroundings(server, identity.store, caFile: caFile)
        self.init(server: server, name: name, identity: identity, in: surroundings)
        self.token = token
    }

    /// A client in surroundings of any kind; it connects when it is told to.
    package init(
        server: ServerAddress, name: UserName, identity: ClientIdentity,
        in surroundings: any Surroundings
    ) {
        self.server = server
        self.surroundings = surroundings
        kept = identity.kept
        stateFile = identity.file
        others = identity.others
        core = ClientCore(client: identity.client, user: name, jitter: surroundings.jitter)
        surroundings.receive = { [weak self] in self?.receive($0) }
    }

    isolated deinit {
        surroundings.stop(saving: core.takeLastWrites())
        for list in lists.values { list.ended(with: Self.stopped) }
    }

    /// What becomes of the lists of a client that is no more.
    static let stopped = Refusal(.notOpen, "this client was stopped; connect anew")

    /// The time, as this client has it.
    package var now: Timestamp { surroundings.now }

    /// Whether an earlier run left copies of lists here.
    var hasCopies: Bool { kept.keys.contains { $0.hasPrefix("list/") } }

    /// Runs a verb of the core, and all that follows from it.
    package func perform<Result, Failure: Error>(
        _ verb: (ClientCore, Timestamp) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { pump() }
        return try verb(core, now)
    }

    /// What an earlier run kept of a list.
    package func takeKept(of name: ListName) -> [String: [UInt8]] {
        let mine = kept.filter { $0.key.hasPrefix("list/\(name)/") }
        for key in mine.keys { kept[key] = nil }
        return mine
    }

    /// Calls `onNews`, and those who wait for a list to open, once this time has come.
    package func remind(
        at time: Timestamp, while isWanted: @escaping () -> Bool = { true }
    ) {
        surroundings.wake(at: time, for: .patience, while: isWanted)
    }

    /// Ends the connection and makes everything durable; waits for that. Its lists are closed, can
    /// still be read, and refuse all else, as the client does.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        onNews = { _ in }
        for name in lists.keys.sorted() { close(name, with: Self.stopped) }
        wake()
        perform { core, now in core.goOffline(at: now) }
        surroundings.stop(saving: core.takeLastWrites())
    }

    private func receive(_ arrivals: [Arrival]) {
        let now = now
        for arrival in arrivals { handle(arrival, now) }
        pump()
    }

    private func handle(_ arrival: Arrival, _ now: Timestamp) {
        switch arrival {
        case .connected: core.handle(.connected, at: now)
        case .message(let message): core.handle(.received(message), at: now)
        case .garbled(let sentence): core.handle(.garbled(sentence), at: now)
        case .disconnected(let code, let error):
            trouble = error
            core.handle(.disconnected(code: code, sentence: error.sentence), at: now)
        case .saved(let ticket): core.handle(.saved(ticket), at: now)
        case .notSaved(let sentence):
            let place = stateFile.map { " This client keeps its work in \($0)." } ?? ""
            core.handle(.notSaved(sentence + place), at: now)
        case .alarm(.core):
            alarm = nil
            core.handle(.tick, at: now)
        case .alarm(.patience):
            wake()
            onNews([])
        }
    }

    /// Carries out what the core left to be done, until nothing is left. What an editor hears is
    /// noted as heard only when it was told: after a kill between the two it is told again, and
    /// never missed.
    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        while true {
            let news = core.takeNews()
            for item in news { route(item) }
            for told in core.takeCompanionEvents() {
                lists[told.list]?.told(told.event, told.number)
            }
            if !news.isEmpty { onNews(news) }
            save()
            link()
            if news.isEmpty { break }
        }
        schedule()
        isPumping = false
        surroundings.rest()
    }

    private func save() {
        guard let (ticket, writes) = core.takeWrites() else { return }
        surroundings.save(writes, ticket: ticket)
    }

    private func link() {
        var messages: [ClientMessage] = []
        for item in core.takeLinkWork() {
            switch item {
            case .connect: surroundings.connect()
            case .send(let message): messages.append(contentsOf: bearing(message))
            case .renew(let request): messages.append(contentsOf: renewal(request))
            case .disconnect:
                flush(&messages)
                surroundings.disconnect()
            }
        }
        flush(&messages)
    }

    private func flush(_ messages: inout [ClientMessage]) {
        if !messages.isEmpty { surroundings.send(messages) }
        messages = []
    }

    private func schedule() {
        guard let at = core.nextTick, alarm.map({ at < $0 }) ?? true else { return }
        alarm = at
        surroundings.wake(at: at, for: .core) { [core] in core.nextTick != nil }
    }
}
