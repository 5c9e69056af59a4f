internal import CLibwebsockets

/// One WebSocket to a server, from `connect` to its one `closed`.
///
/// Any number of clients share the context of their event loop. The loop holds a client until it
/// is closed; libwebsockets knows it by a number only, so nothing can outlive it.
///
///     looking up ──▶ connecting ──▶ open ──▶ closed
///          └───────────────┴── failure ──────────▲
package final class WebSocketClient: @unchecked Sendable {
    // because all that changes is touched on the loop's thread alone, which is checked.

    package struct Endpoint: Sendable, Hashable {
        /// A name or an address. With TLS the certificate must be for this name.
        package var host: String
        package var port: UInt16
        package var path = "/"
        package var tls = false
        /// The authorities to trust, in PEM, instead of the system's.
        package var caFile: String?

        package init(
            host: String, port: UInt16, path: String = "/", tls: Bool = false,
            caFile: String? = nil
        ) {
            self.host = host
            self.port = port
            self.path = path
            self.tls = tls
            self.caFile = caFile
        }
    }

    package struct Options: Sendable {
        package var subprotocol = "samelist.v1"
        /// Bytes of one incoming message; a longer one closes the connection with 1009.
        package var maxMessage = 4 << 20
        /// Bytes of one write of several messages.
        package var maxWrite = 256 << 10
        /// Bytes that may wait here for the network; beyond it `send` answers `.overflow`.
        package var maxQueue = 4 << 20
        /// For everything up to `opened`: name, network, TLS, handshake.
        package var connectMilliseconds: UInt64 = 10_000
        /// A server that is silent so long is pinged (0: never), and given up when it is silent
        /// still.
        package var pingAfterSeconds: UInt16 = 15
        package var hangUpAfterSeconds: UInt16 = 25
        /// How long a closed connection waits for the server's answer.
        package var closeMilliseconds: UInt64 = 5_000

        package init() {}
    }

    /// What a client tells its owner, always on the loop's thread.
    package struct Events: Sendable {
        package var opened: @Sendable () -> Void
        /// One whole text message. The bytes are valid during the call only.
        package var received: @Sendable (UnsafeRawBufferPointer) -> Void
        /// Exactly once, and nothing after it.
        package var closed: @Sendable (CloseReason) -> Void
        /// Everything that was `.queued` has left.
        package var drained: @Sendable () -> Void

        package init(
            opened: @escaping @Sendable () -> Void,
            received: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
            closed: @escaping @Sendable (CloseReason) -> Void,
            drained: @escaping @Sendable () -> Void = {}
        ) {
            self.opened = opened
            self.received = received
            self.closed = closed
            self.drained = drained
        }
    }

    enum Phase {
        /// The host's addresses are being looked up, on a thread of its own.
        case lookingUp
        /// TCP, TLS and handshake with one address; the others come next. Nil between two.
        case connecting(OpaquePointer?, rest: ArraySlice<SocketAddress>)
        case open(OpenSocket)
        case closed
    }

    let endpoint: Endpoint
    let options: Options
    let loop: EventLoop
    /// Nil once it must not be told anything more.
    private(set) var events: Events?
    /// The number by which libwebsockets knows it: a new one for each address that is tried, so
    /// that the end of one attempt is not taken for that of the next.
    private(set) var number: UInt = 0
    var phase = Phase.lookingUp
    /// Why TLS did not trust the server, when that is what happened.
    var distrust: String?
    private var deadline: LoopTimer?
    private var keepAlive: KeepAlive?
    private var queue = SendQueue()
    /// Something was `.queued`, and `drained` has not been told since.
    private var owesDrained = false

    private init(_ endpoint: Endpoint, _ options: Options, _ loop: EventLoop, _ events: Events) {
        self.endpoint = endpoint
        self.options = options
        self.loop = loop
        self.events = events
    }

    /// Begins to connect. Any thread may call this; `closed` tells of a failure.
    package static func connect(
        to endpoint: Endpoint, options: Options = Options(), on loop: EventLoop, events: Events
    ) -> WebSocketClient {
        let client = WebSocketClient(endpoint, options, loop, events)
        if !loop.post({ client.begin() }) { events.closed(.stopped) }
        return client
    }

    /// Sends each payload as one text message, in order, after what is queued.
    package func send(_ payloads: [[UInt8]]) -> SendResult {
        loop.preconditionOnLoop()
        guard case .open(let socket) = phase, socket.isOpen else { return .overflow }
        let weight = payloads.reduce(0) { $0 + $1.count }
        guard queue.weight + weight <= options.maxQueue else { return .overflow }
        if queue.isEmpty, socket.isWritable {
            let result = socket.send(payloads)
            if result == .queued { owesDrained = true }
            if result != .overflow { return result }
        }
        queue.append(payloads)
        owesDrained = true
        sendQueued(socket)
        // `drained` is told from the loop, also when all of it left at once.
        socket.notifyWhenWritable()
        return .queued
    }

    /// Whether what the server sends is taken in, pings among it: a client that takes in nothing is
    /// as one that is stuck. While it is open only; any thread may call this.
    package func setReading(_ reads: Bool) {
        loop.post { [self] in
            if case .open(let socket) = phase { socket.setReading(reads) }
        }
    }

    /// Says goodbye; what is still queued is dropped. `closed` follows, also when it was not open
    /// yet. Any thread may call this; repeating it does nothing.
    package func close(code: UInt16 = 1000, reason: String = "") {
        loop.post { [self] in
            switch phase {
            case .lookingUp, .connecting:
                finish(.failed(.stopped, "The connection was given up before it opened."))
            case .open(let socket):
                socket.close(code: code, reason: reason)
            case .closed: break
            }
        }
    }

    /// Closes, and tells nothing more: no event comes after this ran on the loop.
    package func detach() {
        loop.post { [self] in events = nil }
        close()
    }

    /// Ends it without a word to the server, when the loop stops.
    func drop() {
        if case .open(let socket) = phase { socket.kill() } else { finish(.stopped) }
    }

    private func begin() {
        guard case .lookingUp = phase else { return }
        guard !loop.isStopping else { return finish(.stopped) }
        takeNumber()
        deadline = loop.after(milliseconds: options.connectMilliseconds) { [self] in
            finish(
                .failed(.timedOut, "\(endpoint.host):\(endpoint.port) did not answer in time."))
        }
        lookUp()
    }

    func takeNumber() {
        loop.clients[number] = nil
        number = loop.takeNumber()
        loop.clients[number] = self
    }

    func established(_ wsi: OpaquePointer) {
        deadline?.cancel()
        let limits = OpenSocket.Limits(
            maxMessage: options.maxMessage, maxWrite: options.maxWrite,
            closeMilliseconds: options.closeMilliseconds)
        let socket = OpenSocket(wsi, loop: loop, limits: limits, isClient: true)
        phase = .open(socket)
        keepAlive = KeepAlive(
            on: loop, pingAfterSeconds: options.pingAfterSeconds,
            hangUpAfterSeconds: options.hangUpAfterSeconds)
        keepAlive?.watch(socket)
        events?.opened()
    }

    func becameWritable() {
        guard case .open(let socket) = phase, socket.becameWritable() else { return }
        sendQueued(socket)
        guard queue.isEmpty, socket.isWritable, owesDrained else { return }
        owesDrained = false
        events?.drained()
    }

    /// Ends it, whatever it was doing. Repeating it does nothing.
    func finish(_ reason: CloseReason) {
        switch phase {
        case .closed: return
        case .connecting(let wsi?, _): loop.kill(wsi)
        case .lookingUp, .connecting, .open: break
        }
        phase = .closed
        keepAlive = nil
        deadline?.cancel()
        queue = SendQueue()
        loop.clients[number] = nil
        let closed = events?.closed
        events = nil
        closed?(reason)
    }

    private func sendQueued(_ socket: OpenSocket) {
        while !queue.isEmpty {
            guard socket.isWritable else { return socket.notifyWhenWritable() }
            if socket.send(queue.next(upTo: options.maxWrite)) == .overflow { return }
        }
    }
}

/// Messages that wait for the network, by number and weight.
private struct SendQueue {
    private var payloads: [[UInt8]] = []
    private var first = 0
    private(set) var weight = 0

    var isEmpty: Bool { first == payloads.count }

    mutating func append(_ more: [[UInt8]]) {
        payloads += more
        for payload in more { weight += payload.count }
    }

    /// Takes the next ones out, as many as one write may carry, but at least one.
    mutating func next(upTo limit: Int) -> [[UInt8]] {
        var batch: [[UInt8]] = []
        var size = 0
        while first < payloads.count {
            let payload = payloads[first]
            guard batch.isEmpty || size + payload.count + 14 <= limit else { break }
            batch.append(payload)
            payloads[first] = []
            size += payload.count + 14
            weight -= payload.count
            first += 1
        }
        if isEmpty || first > 1_024 {
            payloads.removeFirst(first)
            first = 0
        }
        return batch
    }
}
