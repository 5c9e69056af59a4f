internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import Storage
internal import WebSockets

/// A client's real surroundings: WebSockets and the disk, each with a thread of its own, and the
/// time of day.
@MainActor
final class SocketSurroundings: Surroundings {
    var receive: ([Arrival]) -> Void = { _ in }
    let jitter: @Sendable () -> Int64 = { Fresh.jitter() }

    private let server: ServerAddress
    /// The authorities to trust, in PEM, instead of the system's.
    private let caFile: String?
    private let loop: EventLoop
    private let state: StateThread
    private let inbox: Inbox<Item>
    private var socket: WebSocketClient?
    /// Counts sockets; what comes from an older one is let go.
    private var generation = 0
    private var isStopped = false

    /// What comes from the other threads.
    private struct Item: Sendable {
        let arrival: Arrival
        /// The socket it came from; `nil`: from none.
        var generation: Int?
    }

    init(
        _ server: ServerAddress, _ store: sending any StateStorage, caFile: String? = nil
    ) throws(ListError) {
        do throws(StorageError) {
            state = try StateThread(store)
        } catch {
            throw ListError(error)
        }
        do throws(WebSocketError) {
            loop = try EventLoop()
        } catch {
            throw ListError(.unreachable, error.description)
        }
        self.server = server
        self.caFile = caFile
        let wake = Wake()
        inbox = Inbox { wake.fire() }
        wake.surroundings = self
    }

    var now: Timestamp { WallClock.now }

    func connect() {
        generation += 1
        let generation = generation
        let inbox = inbox
        let decoder = LoopDecoder()
        let put = { @Sendable (arrival: Arrival) in
            inbox.put(Item(arrival: arrival, generation: generation))
        }
        var options = WebSocketClient.Options()
        options.maxQueue = 64 << 20
        socket = WebSocketClient.connect(
            to: WebSocketClient.Endpoint(
                host: server.host, port: server.port, tls: server.isSecure,
                caFile: caFile),
            options: options, on: loop,
            events: WebSocketClient.Events(
                opened: { put(.connected) },
                received: { bytes in put(decoder.decode(bytes)) },
                closed: { put($0.arrival) }))
    }

    func send(_ messages: [ClientMessage]) {
        guard let socket else { return }
        let batch = messages.map { MessageEncoder.encode($0) }
        loop.post {
            // Beyond the queue's bound the connection ends, and everything is sent again on the
            // next.
            if socket.send(batch) == .overflow { socket.close(code: 1000, reason: "") }
        }
    }

    func disconnect() {
        generation += 1
        socket?.close(code: 1000, reason: "")
        socket = nil
    }

    func save(_ writes: [StateWrite], ticket: UInt64) {
        let inbox = inbox
        state.post(
            .write(writes.map(\.change)) { result in
                switch result {
                case .success: inbox.put(Item(arrival: .saved(ticket)))
                case .failure(let error):
                    inbox.put(Item(arrival: .notSaved(error.description)))
                }
            })
    }

    func wake(at time: Timestamp, for reason: Alarm, while isWanted: @escaping () -> Bool) {
        let wait = max(0, time.milliseconds - now.milliseconds)
        let inbox = inbox
        loop.post { [loop] in
            loop.after(milliseconds: UInt64(wait) + 1) { inbox.put(Item(arrival: .alarm(reason))) }
        }
    }

    /// What follows comes from the threads.
    func rest() {}

    func stop(saving writes: [StateWrite]) {
        guard !isStopped else { return }
        isStopped = true
        state.post(.write(writes.map(\.change)) { _ in })
        state.stop()
        loop.stop()
    }

    /// Hands over what lies in the inbox.
    fileprivate func drain() {
        var arrivals: [Arrival] = []
        for item in inbox.takeAll() where item.generation ?? generation == generation {
            if case .disconnected = item.arrival { socket = nil }
            arrivals.append(item.arrival)
        }
        if !arrivals.isEmpty { receive(arrivals) }
    }
}

/// Brings an inbox to the attention of its owner on the main actor.
private final class Wake: @unchecked Sendable {
    // because `surroundings` is set once, before anything can be put into the inbox, and only read
    // then.
    weak var surroundings: SocketSurroundings?

    func fire() { Task { @MainActor in surroundings?.drain() } }
}
