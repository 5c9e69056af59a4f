internal import ListModel
internal import ListProtocol
internal import WebSockets

/// One client of a crowd: a connection, a cursor in one list, and, if it writes, what it wrote.
///
/// It has no rows: what it receives is compared with what its `Lane` has, so that its cursor and
/// the absence of flaws say which rows it would have.
///
///     away ──come──▶ connecting ─▶ greeting ─▶ opening ─▶ live
///      ▲                 └────────────┴───── cut ──┴───────┘ (comes again by itself, later)
///      └──leave── any
final class SimulatedClient: @unchecked Sendable {
    // because it is used on the event loop's thread alone.

    enum State {
        case away
        case connecting
        /// Said hello.
        case greeting
        /// Asked for the list; the snapshot so far.
        case opening(SharedSnapshots.Progress?)
        /// Everything comes as it is written.
        case live
    }

    unowned let crowd: Crowd
    private(set) var id: ClientID
    let lane: Int
    var state = State.away
    var socket: WebSocketClient?
    /// The entries that it has; `nil`: it has never had the list.
    var position: UInt64?
    var author = Author()
    /// The first number that was never submitted.
    var firstUnsent: UInt64 = 1
    /// How many were submitted again after a reconnect and have no outcome: later ones wait.
    var againLeft = 0
    /// When the server said it should come back, in milliseconds.
    var advised: UInt64?
    /// One of those that come at the start, a few at a time.
    var isInvited = false
    /// It stopped reading, or will.
    var isSlow = false
    /// Since when it is there, outages included; `nil` before it came, and while it is away on
    /// purpose.
    var since: Moment?
    /// When it was meant to be there; `nil` where its coming is not timed.
    var awaitedSince: Moment?
    /// Counts connections, so that the end of one is not taken for that of the next.
    var visit = 0
    private var attempts = 0

    init(_ id: ClientID, in lane: Int, of crowd: Crowd) {
        self.id = id
        self.lane = lane
        self.crowd = crowd
    }

    var cursor: UInt64 { position ?? 0 }

    var isLive: Bool { if case .live = state { true } else { false } }

    /// Whether the server took it in.
    var isConnected: Bool {
        switch state {
        case .away, .connecting: false
        case .greeting, .opening, .live: true
        }
    }

    /// Connects and opens the list, with its position if it has one.
    func come(intended: Moment?) {
        guard case .away = state else { return }
        awaitedSince = intended
        connect()
    }

    /// Closes the connection, as by an outage: it is expected to come again.
    func drop() {
        crowd.left(self)
        visit += 1
        socket?.detach()
        socket = nil
        state = .away
    }

    /// Closes the connection and stays away on purpose. As another client it forgets its position.
    func leave(asNew fresh: ClientID? = nil) {
        drop()
        since = nil
        guard let fresh else { return }
        id = fresh
        position = nil
    }

    func say(_ message: ClientMessage) {
        _ = socket?.send([MessageEncoder.encode(message)])
    }

    func setReading(_ reads: Bool) { socket?.setReading(reads) }

    private func connect() {
        state = .connecting
        visit += 1
        let visit = visit
        let events = WebSocketClient.Events(
            opened: { [self] in if self.visit == visit { opened() } },
            received: { [self] bytes in if self.visit == visit { received(bytes) } },
            closed: { [self] reason in if self.visit == visit { closed(reason) } },
            drained: { [self] in if self.visit == visit { writeUnsent() } })
        var options = WebSocketClient.Options()
        options.pingAfterSeconds = 0
        options.maxQueue = 16 << 20
        options.maxMessage = 128 << 20
        options.connectMilliseconds = 30_000
        socket = WebSocketClient.connect(
            to: crowd.endpoint, options: options, on: crowd.loop, events: events)
    }

    private func opened() {
        state = .greeting
        attempts = 0
        say(.hello(.init(client: id, name: crowd.name)))
    }

    private func closed(_ reason: CloseReason) {
        crowd.cut(self, reason)
        visit += 1
        socket = nil
        state = .away
        guard crowd.wantsEverybody else { return }
        if awaitedSince == nil { awaitedSince = .now }
        let pause = pause(after: reason)
        let visit = visit
        crowd.loop.after(milliseconds: pause) { [self] in
            if self.visit == visit, crowd.wantsEverybody { connect() }
        }
    }

    /// As the library does it: what the server advised, or half a second, doubled up to 8 s, with
    /// jitter; at once where the code of the close says so.
    private func pause(after reason: CloseReason) -> UInt64 {
        defer { advised = nil }
        if let advised { return advised }
        if case .peer(let code, _) = reason, case .retryAtOnce = CloseCode.advice(for: code) {
            return 0
        }
        defer { attempts += 1 }
        let full = 500.0 * Double(1 << min(attempts, 4))
        return UInt64(full * Double.random(in: 0.5..<1.5))
    }
}
