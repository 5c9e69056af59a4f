internal import CLibwebsockets

/// Asks silent peers for a sign of life, and hangs up on those that give none.
///
/// libwebsockets would do so, but it keeps all its timers in one list, sorted by time, and looks
/// for a place in it from the front: with thousands of connections each message that came in cost
/// a walk over all of them. Here a message costs nothing: each connection is looked at when it may
/// have been silent for long enough, and the system asked when something last came from it.
///
///     heard ──silent for `pingAfter`──▶ asked ──silent until `hangUpAfter`──▶ dropped
///       ▲                                 │
///       └──────────── any sign ───────────┘
final class KeepAlive {
    private unowned let loop: EventLoop
    private let pingAfter: UInt64
    private let hangUpAfter: UInt64
    /// Milliseconds from one slot to the next; a look comes late by no more than this.
    private let pace: UInt64
    /// Who is looked at when the hand is there. Those that have ended go then.
    private var slots: [[OpenSocket]]
    private var hand = 0
    private var count = 0
    private var timer: LoopTimer?

    /// `nil` where nobody is to be pinged.
    init?(on loop: EventLoop, pingAfterSeconds: UInt16, hangUpAfterSeconds: UInt16) {
        guard pingAfterSeconds > 0 else { return nil }
        self.loop = loop
        pingAfter = UInt64(pingAfterSeconds) * 1_000
        hangUpAfter = max(UInt64(hangUpAfterSeconds) * 1_000, pingAfter + 1_000)
        pace = min(1_000, pingAfter / 10)
        slots = Array(repeating: [], count: Int(max(pingAfter, hangUpAfter - pingAfter) / pace) + 2)
    }

    /// From now until it ends.
    func watch(_ socket: OpenSocket) {
        place(socket, after: pingAfter)
        start()
    }

    private func place(_ socket: OpenSocket, after milliseconds: UInt64) {
        let steps = min(Int(milliseconds / pace) + 1, slots.count - 1)
        slots[(hand + steps) % slots.count].append(socket)
        count += 1
    }

    private func start() {
        guard timer == nil, count > 0 else { return }
        timer = loop.after(milliseconds: pace) { [weak self] in
            guard let self else { return }
            timer = nil
            turn()
            start()
        }
    }

    private func turn() {
        hand = (hand + 1) % slots.count
        let due = slots[hand]
        slots[hand] = []
        count -= due.count
        let now = loop.now
        for socket in due {
            if let pause = look(at: socket, now) { place(socket, after: pause) }
        }
    }

    /// Answers when to look again; `nil`: never.
    private func look(at socket: OpenSocket, _ now: UInt64) -> UInt64? {
        guard socket.isOpen else { return nil }
        let silence = socket.silence(at: now)
        // Where the last sign of life is older than the question, and not by a hair.
        if let asked = socket.askedAt, silence >= now - asked + pingAfter / 2 {
            if silence < hangUpAfter { return hangUpAfter - silence }
            socket.kill()
            return nil
        }
        if silence < pingAfter { return pingAfter - silence }
        // Nobody is dropped who was not asked, also where it was we who slept.
        socket.askForLife()
        return min(pingAfter, hangUpAfter - pingAfter)
    }
}
