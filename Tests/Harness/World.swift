package import ListModel

/// One server and any number of clients, real but for socket, disk and clock: these are simulated,
/// from one seed, in one thread, and nothing happens unless the world is run.
package final class World {
    package let seed: UInt64
    package var conditions: Conditions
    package private(set) var now = Timestamp(milliseconds: 1_700_000_000_000)
    package var random: Randomness
    package private(set) lazy var server = ServerNode(self)
    package private(set) var clients: [ClientNode] = []
    var connections: UInt64 = 0
    private var agenda = Agenda()

    package init(seed: UInt64 = 1, _ conditions: Conditions = Conditions()) {
        self.seed = seed
        self.conditions = conditions
        random = Randomness(seed: seed)
        server.start()
    }

    /// A client that was never here before; it is not started.
    package func addClient(_ name: String, as user: String? = nil) -> ClientNode {
        guard let id = ClientID("\(name)-\(seed)"), let user = UserName(user ?? name) else {
            preconditionFailure("\(name) is no name for a client")
        }
        let client = ClientNode(self, id, user)
        clients.append(client)
        return client
    }

    package func latency() -> Int64 { Int64.random(in: conditions.latency, using: &random) }

    func plan(after pause: Int64, isWork: Bool = true, _ action: @escaping () -> Void) {
        plan(at: now.adding(milliseconds: max(0, pause)), isWork: isWork, action)
    }

    func plan(at time: Timestamp, isWork: Bool = true, _ action: @escaping () -> Void) {
        agenda.plan(at: max(time, now), isWork: isWork, action)
    }

    /// Starts the server again in a while, if nobody has by then.
    package func startServer(after pause: Int64) {
        plan(after: pause) { [unowned self] in server.start() }
    }

    /// Whether nothing is on its way, and nobody who could reach the server is still trying to.
    package var isQuiet: Bool {
        agenda.workCount == 0 && !(server.isRunning && clients.contains { $0.isReaching })
    }

    /// Runs until nothing is on its way. Throws where that takes more than `limit` steps: a
    /// live-lock.
    package func runUntilQuiet(limit: Int = 200_000) throws(LiveLock) {
        try run(limit: limit) { isQuiet }
    }

    /// Runs until `isDone`, for at most so long.
    package func run(
        for time: Int64, limit: Int = 200_000, until isDone: () -> Bool
    ) throws(LiveLock) {
        let end = now.adding(milliseconds: time)
        try run(limit: limit) { isDone() || (agenda.next ?? end) >= end }
        if !isDone() { now = max(now, end) }
    }

    /// Lets time pass.
    package func run(for time: Int64) throws(LiveLock) { try run(for: time) { false } }

    private func run(limit: Int, until isDone: () -> Bool) throws(LiveLock) {
        for _ in 0..<limit {
            guard !isDone(), let item = agenda.take() else { return }
            now = max(now, item.at)
            item.action()
        }
        throw LiveLock(steps: limit, seed: seed)
    }
}

/// Things went on and on.
package struct LiveLock: Error, CustomStringConvertible {
    let steps: Int
    let seed: UInt64
    package var description: String { "not quiet after \(steps) steps; seed \(seed)" }
}
