package import ListModel
internal import ListProtocol
package import ListReplica
public import Observation
internal import Storage
internal import WebSockets

/// A connection to a server, and the lists that are open through it.
///
/// Lives on the main actor and never blocks it: sockets and disk have threads of their own.
/// Everything that is done goes through a `ClientCore`; this class carries its messages, its writes
/// and its timers.
@MainActor
@Observable
public final class ListClient {
    public let server: ServerAddress
    /// Where its state is kept; `nil`: nowhere.
    package let stateFile: String?
    public internal(set) var connection = ConnectionState.connecting
    @ObservationIgnored var lists: [ListName: OpenList] = [:]
    @ObservationIgnored package let core: ClientCore
    /// What the core told, in order; set by whoever shows it.
    @ObservationIgnored package var onNews: ([News]) -> Void = { _ in }
    /// What an earlier run kept, until it is asked for.
    @ObservationIgnored private var kept: [String: [UInt8]]

    @ObservationIgnored private let loop: EventLoop
    @ObservationIgnored private let state: StateThread
    @ObservationIgnored private let inbox: Inbox<Arrival>
    @ObservationIgnored private var socket: WebSocketClient?
    /// Which socket an arrival belongs to; those of older ones are let go.
    @ObservationIgnored private var generation = 0
    @ObservationIgnored private var timer: Timer?
    @ObservationIgnored private var isPumping = false

    /// What comes from the other threads.
    enum Arrival: Sendable {
        case opened(Int)
        case message(Int, ServerMessage)
        case garbled(Int, String)
        case closed(Int, code: UInt16?, sentence: String)
        case saved(UInt64, failure: String?)
        case tick
        case reminder
    }

    private struct Timer {
        let at: Timestamp
        let number: Int
    }

    /// Connects to a server under a name, and stays connected until `stop`.
    ///
    /// - Parameters:
    ///   - kind: clients of one kind take up where one of them left; see `ClientIdentity`.
    ///   - folder: where the client's state is kept; `nil`: nowhere.
    public convenience init(
        connectingTo server: ServerAddress, as name: String, kind: String = "app",
        keepingStateIn folder: String?
    ) throws(ClientFault) {
        guard let name = UserName(name) else {
            throw .badName("a name has 1-64 bytes and no control characters")
        }
        try self.init(server: server, name: name, kind: kind, folder: folder)
        goOnline()
    }

    /// - Parameter folder: where the client's state is kept; `nil`: nowhere.
    package init(
        server: ServerAddress, name: UserName, kind: String, folder: String?
    ) throws(ClientFault) {
        let identity: ClientIdentity
        do throws(StorageError) {
            if let folder {
                identity = try .take(in: folder, server: server, name: name, kind: kind)
            } else {
                identity = try .inMemory()
            }
            state = try StateThread(identity.store)
        } catch {
            throw .state(error.description)
        }
        do {
            loop = try EventLoop()
        } catch {
            throw .network(error.description)
        }
        self.server = server
        kept = identity.kept
        stateFile = identity.file
        core = ClientCore(client: identity.client, user: name, jitter: { Fresh.jitter() })
        let wake = Wake()
        inbox = Inbox { wake.fire() }
        wake.client = self
    }

    /// Runs a verb of the core, and all that follows from it.
    package func perform<Result, Failure: Error>(
        _ verb: (ClientCore, Timestamp) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { pump() }
        return try verb(core, WallClock.now)
    }

    /// What an earlier run kept of a list.
    package func takeKept(of name: ListName) -> [String: [UInt8]] {
        let mine = kept.filter { $0.key.hasPrefix("list/\(name)/") }
        for key in mine.keys { kept[key] = nil }
        return mine
    }

    /// Calls `onNews`, and those who wait for a list to open, once this time has come.
    package func remind(at time: Timestamp) {
        let wait = max(0, time.milliseconds - WallClock.now.milliseconds)
        let inbox = inbox
        loop.post { [loop] in
            loop.after(milliseconds: UInt64(wait) + 1) { inbox.put(.reminder) }
        }
    }

    /// Ends the connection and makes everything durable; waits for that.
    public func stop() {
        onNews = { _ in }
        perform { core, now in core.goOffline(at: now) }
        state.post(.write(core.takeLastWrites().map(\.change)) { _ in })
        state.stop()
        loop.stop()
    }

    func drain() {
        let now = WallClock.now
        for arrival in inbox.takeAll() { handle(arrival, now) }
        pump()
    }

    private func handle(_ arrival: Arrival, _ now: Timestamp) {
        switch arrival {
        case .opened(generation): core.handle(.connected, at: now)
        case .message(generation, let message): core.handle(.received(message), at: now)
        case .garbled(generation, let sentence): core.handle(.garbled(sentence), at: now)
        case .closed(generation, let code, let sentence):
            socket = nil
            core.handle(.disconnected(code: code, sentence: sentence), at: now)
        case .saved(let ticket, nil): core.handle(.saved(ticket), at: now)
        case .saved(_, let failure?): core.handle(.notSaved(failure), at: now)
        case .tick:
            timer = nil
            core.handle(.tick, at: now)
        case .reminder:
            for list in lists.values { list.lookAtClock(now) }
            onNews([])
        case .opened, .message, .garbled, .closed: break
        }
    }

    /// Carries out what the core left to be done, until nothing is left. What an editor hears is
    /// noted as heard only when it was told: after a kill between the two it is told again, and
    /// never missed.
    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while true {
            let news = core.takeNews()
            for item in news { route(item) }
            if !news.isEmpty { onNews(news) }
            save()
            link()
            if news.isEmpty { break }
        }
        schedule()
    }

    private func save() {
        guard let (ticket, writes) = core.takeWrites() else { return }
        let inbox = inbox
        state.post(
            .write(writes.map(\.change)) { result in
                switch result {
                case .success: inbox.put(.saved(ticket, failure: nil))
                case .failure(let error): inbox.put(.saved(ticket, failure: error.description))
                }
            })
    }

    private func link() {
        var messages: [[UInt8]] = []
        for item in core.takeLinkWork() {
            switch item {
            case .connect: connect()
            case .send(let message): messages.append(MessageEncoder.encode(message))
            case .disconnect:
                flush(&messages)
                generation += 1
                socket?.close(code: 1000, reason: "")
                socket = nil
            }
        }
        flush(&messages)
    }

    private func flush(_ messages: inout [[UInt8]]) {
        guard !messages.isEmpty, let socket else {
            messages = []
            return
        }
        let batch = messages
        messages = []
        loop.post {
            // Beyond the queue's bound the connection ends, and everything is sent again on the
            // next.
            if socket.send(batch) == .overflow { socket.close(code: 1000, reason: "") }
        }
    }

    private func connect() {
        generation += 1
        let generation = generation
        let inbox = inbox
        let decoder = LoopDecoder()
        var options = WebSocketClient.Options()
        options.maxQueue = 64 << 20
        socket = WebSocketClient.connect(
            to: WebSocketClient.Endpoint(
                host: server.host, port: server.port, tls: server.isSecure),
            options: options, on: loop,
            events: WebSocketClient.Events(
                opened: { inbox.put(.opened(generation)) },
                received: { bytes in
                    switch decoder.decode(bytes) {
                    case .success(let message): inbox.put(.message(generation, message))
                    case .failure(let fault):
                        inbox.put(.garbled(generation, fault.sentence))
                    }
                },
                closed: { reason in
                    inbox.put(
                        .closed(generation, code: reason.code, sentence: reason.description))
                }))
    }

    private func schedule() {
        guard let at = core.nextTick, timer == nil || at < timer?.at ?? at else { return }
        let number = (timer?.number ?? 0) + 1
        timer = Timer(at: at, number: number)
        let wait = max(0, at.milliseconds - WallClock.now.milliseconds)
        let inbox = inbox
        loop.post { [loop] in
            loop.after(milliseconds: UInt64(wait) + 1) { inbox.put(.tick) }
        }
    }
}
