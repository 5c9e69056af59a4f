package import ListModel
package import ListProtocol
package import ListReplica

/// A client's process: the core with a simulated socket and disk. What it keeps survives a crash as
/// far as it was durable by then.
package final class ClientNode {
    package let id: ClientID
    package let user: UserName
    unowned let world: World
    /// `nil` while the process does not run.
    package private(set) var core: ClientCore?
    /// What is durable of its state.
    package var state: [String: [UInt8]] = [:]
    /// What happens when the process starts, with its core.
    package var onStart: (ClientCore) -> Void = { _ in }
    package var onNews: ([News]) -> Void = { _ in }
    /// When `onNews` is due though nothing has happened.
    package var faceTick: () -> Timestamp? = { nil }
    /// How often it connected, over all its runs.
    package private(set) var connects = 0
    /// Every message that it sent, in order.
    package private(set) var sent: [ClientMessage] = []

    /// Until then nothing gets through in either direction.
    package var stalledUntil = Timestamp.zero
    /// Every message that it sends.
    package var onSend: (ClientMessage) -> Void = { _ in }
    /// Every message that came and could be read.
    package var onMessage: (ServerMessage) -> Void = { _ in }

    /// Whether nothing can be written to its disk.
    package var isDiskFull = false

    private var wire: Wire?
    /// Number of this run of the process; what earlier ones planned is let go.
    private var run = 0
    private var lastSave = Timestamp.zero
    /// What is being made durable, oldest first.
    private var saves: [[StateWrite]] = []
    private var isPumping = false
    private let decoder = MessageDecoder(limits: Limits())
    private let jitter: SharedRandomness

    init(_ world: World, _ id: ClientID, _ user: UserName) {
        self.world = world
        self.id = id
        self.user = user
        jitter = SharedRandomness(seed: world.random.next())
    }

    package var isRunning: Bool { core != nil }
    /// Whether it is about to connect, or is connecting.
    var isReaching: Bool { core?.nextTick != nil }

    package func start() {
        guard core == nil else { return }
        let jitter = self.jitter
        let core = ClientCore(client: id, user: user) { jitter.number(below: 1_000) }
        self.core = core
        onStart(core)
        pump()
    }

    /// What an earlier run kept of a list.
    package func kept(of name: ListName) -> [String: [UInt8]] {
        state.filter { $0.key.hasPrefix("list/\(name)/") }
    }

    /// Runs a verb of the core, and all that follows from it at once.
    @discardableResult
    package func perform<Result>(
        _ verb: (ClientCore, Timestamp) throws -> Result
    ) rethrows -> Result {
        guard let core else { preconditionFailure("\(user) does not run") }
        defer { pump() }
        return try verb(core, world.now)
    }

    /// Ends the process at once: what is not durable is lost, what was sent may arrive.
    package func kill(losingSent: Bool = false) {
        guard core != nil else { return }
        run += 1
        core = nil
        lastSave = .zero
        if world.conditions.tears {
            let done = Int.random(in: 0...saves.count, using: &world.random)
            for write in saves.prefix(done).joined() { state.apply(write) }
        }
        saves = []
        if losingSent { wire?.cut() }
        hangUp()
    }

    /// Loses the connection with whatever is on its way. The client notices after `notice`, the
    /// server, where that is later, after `serverNotice`.
    package func cut(
        notice: Int64 = 0, serverNotice: Int64 = 0, losingSent: Bool = true
    ) {
        guard let wire else { return }
        wire.cut(losingSent: losingSent)
        self.wire = nil
        let run = run
        world.plan(after: notice) {
            guard self.run == run, self.wire == nil else { return }
            self.handle(.disconnected(code: nil, sentence: "the connection was lost"))
        }
        let server = world.server
        world.plan(after: serverNotice) { server.lost(wire.id) }
    }

    func handle(_ event: ClientCore.Event) {
        guard let core else { return }
        core.handle(event, at: world.now)
        pump()
    }

    /// Carries out what the core left to be done, until nothing is left.
    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while let core {
            save(core)
            for work in core.takeLinkWork() { carryOut(work) }
            let news = core.takeNews()
            if news.isEmpty { break }
            onNews(news)
        }
        schedule()
    }

    private func save(_ core: ClientCore) {
        guard let (ticket, writes) = core.takeWrites() else { return }
        let pause = Int64.random(in: world.conditions.save, using: &world.random)
        lastSave = max(lastSave, world.now.adding(milliseconds: pause))
        let run = run
        saves.append(writes)
        world.plan(at: lastSave) {
            guard self.run == run else { return }
            self.saves.removeFirst()
            self.handle(self.isWritten(writes) ? .saved(ticket) : .notSaved("no space left"))
        }
    }

    /// Makes writes durable; false where that fails, or seems to.
    private func isWritten(_ writes: [StateWrite]) -> Bool {
        if isDiskFull || world.random.happens(world.conditions.failedSaves) { return false }
        for write in writes { state.apply(write) }
        return !world.random.happens(world.conditions.lostAnswers)
    }

    private func carryOut(_ work: ClientCore.LinkWork) {
        switch work {
        case .connect: connect()
        case .send(let message):
            guard let wire else { return }
            sent.append(message)
            onSend(message)
            let bytes = MessageEncoder.encode(message)
            let server = world.server
            var copies = 1
            if message.mayComeTwice, world.random.happens(world.conditions.duplicates) {
                copies = 2
            }
            wire.up { for _ in 0..<copies { server.received(bytes, on: wire.id) } }
        case .renew(let request): core?.notRenewed(request, at: world.now)
        case .disconnect: hangUp()
        }
    }

    private func connect() {
        hangUp()
        connects += 1
        let wire = Wire(world, of: self)
        self.wire = wire
        let server = world.server
        wire.up {
            if server.accept(wire, from: self) {
                wire.down { self.arrived(on: wire) { self.handle(.connected) } }
            } else {
                wire.down { self.closed(wire, code: nil, "the server does not answer") }
            }
        }
    }

    /// Closes its side; what was sent before still arrives.
    private func hangUp() {
        guard let wire else { return }
        self.wire = nil
        let server = world.server
        wire.up { server.lost(wire.id) }
    }

    private func arrived(on wire: Wire, _ action: () -> Void) {
        if self.wire === wire { action() }
    }

    func receive(_ bytes: [UInt8], on wire: Wire) {
        arrived(on: wire) {
            do throws(DecodingFault) {
                let message = try decoder.decodeServerMessage(bytes)
                onMessage(message)
                if message.mayComeTwice, world.random.happens(world.conditions.duplicates) {
                    wire.down { self.arrived(on: wire) { self.handle(.received(message)) } }
                }
                handle(.received(message))
            } catch {
                handle(.garbled(error.sentence))
            }
        }
    }

    func closed(_ wire: Wire, code: UInt16?, _ sentence: String) {
        arrived(on: wire) {
            self.wire = nil
            handle(.disconnected(code: code, sentence: sentence))
        }
    }

    private func schedule() {
        let run = run
        if let at = core?.nextTick {
            world.plan(at: at, isWork: false) {
                guard self.run == run, let due = self.core?.nextTick, due <= self.world.now else {
                    return
                }
                self.handle(.tick)
            }
        }
        if let at = faceTick() {
            world.plan(at: at, isWork: false) {
                guard self.run == run, let due = self.faceTick(), due <= self.world.now else {
                    return
                }
                self.onNews([])
                self.pump()
            }
        }
    }
}

extension ClientMessage {
    fileprivate var mayComeTwice: Bool {
        switch self {
        case .open, .close, .submit, .presence: true
        default: false
        }
    }
}

extension ServerMessage {
    fileprivate var mayComeTwice: Bool {
        switch self {
        case .entries, .outcome: true
        default: false
        }
    }
}

extension [String: [UInt8]] {
    package mutating func apply(_ write: StateWrite) {
        switch write {
        case .put(let key, let bytes): self[key] = bytes
        case .remove(let key): self[key] = nil
        case .removePrefix(let prefix):
            for key in keys where key.hasPrefix(prefix) { self[key] = nil }
        }
    }
}
