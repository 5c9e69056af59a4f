package import ListModel

/// The client's connection as a state machine: when to connect, when to wait, when to stop.
///
/// ```
///            ┌──────────── cut: back-off with jitter ────────────┐
///            ▼                                                   │
/// idle ─▶ waiting(until) ─▶ connecting ─▶ greeting ─welcome─▶ online
///   ▲                                                            │
///   └── offline() ──────────── any ── stop code ──▶ refused ◀────┘
/// ```
package struct Link: Sendable {
    package enum State: Hashable, Sendable {
        /// Cut off at the user's wish.
        case idle
        /// Tries again then.
        case waiting(until: Timestamp)
        case connecting(since: Timestamp)
        /// Connected; hello was said.
        case greeting(since: Timestamp)
        case online
        /// The server said not to come back.
        case refused(Refusal)
    }

    package private(set) var state = State.idle
    /// When the server was last left, for "offline since".
    package private(set) var offlineSince: Timestamp?
    /// Why the last connection ended, or could not be made, for people.
    package private(set) var trouble: String?
    /// Whether the server said that it is about to end; until it, or another, is there again.
    package private(set) var isDraining = false
    /// Connections that ended before their hello was answered: the server may read that hello yet,
    /// and take it for that of a newer connection.
    private var astrayHellos = 0
    private var failures = 0
    private var onlineSince: Timestamp?
    /// A random number in 0 ..< 1 000.
    private let jitter: @Sendable () -> Int64

    /// First and longest pause between attempts, in milliseconds.
    static let firstPause: Int64 = 250
    static let longestPause: Int64 = 15_000
    /// A connection that lasted so long, in milliseconds, was no failure: who is let in and thrown
    /// out again at once comes ever more rarely.
    static let steadyTime: Int64 = 5_000
    /// How long connecting and greeting may take, in milliseconds.
    static let patience: Int64 = 10_000

    init(jitter: @escaping @Sendable () -> Int64) { self.jitter = jitter }

    package var isOnline: Bool { state == .online }

    /// Whether a socket is open or being opened.
    var isConnected: Bool {
        switch state {
        case .connecting, .greeting, .online: true
        case .idle, .waiting, .refused: false
        }
    }

    var nextTick: Timestamp? {
        switch state {
        case .waiting(let until): until
        case .connecting(let since), .greeting(let since):
            since.adding(milliseconds: Self.patience)
        case .idle, .online, .refused: nil
        }
    }

    /// Wants a connection, now.
    mutating func wake(_ now: Timestamp) {
        switch state {
        case .idle, .refused:
            failures = 0
            state = .waiting(until: now)
        case .waiting(let until) where until > now.adding(milliseconds: Self.firstPause):
            state = .waiting(until: now)
        case .waiting, .connecting, .greeting, .online: break
        }
    }

    /// True where it is time to connect; the caller then does.
    mutating func shouldConnect(_ now: Timestamp) -> Bool {
        guard case .waiting(let until) = state, until <= now else { return false }
        state = .connecting(since: now)
        return true
    }

    /// True where an attempt has taken too long; the caller then cuts it.
    func isOverdue(_ now: Timestamp) -> Bool {
        switch state {
        case .connecting(let since), .greeting(let since):
            now >= since.adding(milliseconds: Self.patience)
        case .idle, .waiting, .online, .refused: false
        }
    }

    mutating func connected(_ now: Timestamp) {
        if case .connecting = state { state = .greeting(since: now) }
    }

    mutating func welcomed(_ now: Timestamp) {
        guard case .greeting = state else { return }
        state = .online
        onlineSince = now
        offlineSince = nil
        trouble = nil
        isDraining = false
    }

    /// The server said that it is about to end.
    mutating func drain() { isDraining = true }

    /// The connection is gone; `retry` is what the server advised, in milliseconds.
    mutating func cut(_ now: Timestamp, retry: Int64?, _ sentence: String) {
        guard isConnected else { return }
        loseHello()
        trouble = sentence
        offlineSince = offlineSince ?? now
        if let since = onlineSince, now >= since.adding(milliseconds: Self.steadyTime) {
            failures = 0
        }
        onlineSince = nil
        let wait = retry ?? pause(after: failures)
        failures += 1
        state = .waiting(until: now.adding(milliseconds: wait))
    }

    /// Before the next attempt, after so many that failed.
    func pause(after failures: Int) -> Int64 {
        let pause = min(Self.longestPause, Self.firstPause << Int64(min(failures, 6)))
        return pause * (500 + jitter()) / 1_000
    }

    mutating func refuse(_ refusal: Refusal, _ now: Timestamp) {
        offlineSince = offlineSince ?? now
        state = .refused(refusal)
    }

    private mutating func loseHello() {
        if case .greeting = state { astrayHellos = min(astrayHellos + 1, Self.mostAstray) }
    }

    /// The server let this client's other connection take the place of this one. True, once for
    /// each `hello` without an answer, where that may be one that the client left itself: this one
    /// is the one that is, and comes back.
    mutating func wasReplacedByItself() -> Bool {
        guard astrayHellos > 0 else { return false }
        astrayHellos -= 1
        return true
    }

    /// More are not under way at once; another program with the same state is told apart by then.
    private static let mostAstray = 5

    mutating func rest(_ now: Timestamp) {
        loseHello()
        offlineSince = offlineSince ?? now
        state = .idle
    }
}
