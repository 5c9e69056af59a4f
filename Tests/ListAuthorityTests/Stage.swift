import ListAuthority
import ListModel
import ListProtocol
import Testing

/// An authority with a storage, a clock and clients around it.
final class Stage {
    let authority: Authority
    var storage = LogsInMemory()
    var now = Timestamp(milliseconds: 1_000_000)
    private(set) var peers: [ConnectionID: Peer] = [:]
    /// Bytes that a client takes at once.
    var budget = 64 << 10
    /// While true, work for the storage is kept in `held`.
    var holdsStorage = false
    private(set) var held: [StorageWork] = []
    private(set) var closed: [(ConnectionID, ServerMessage.Goodbye)] = []
    /// What the authority was told to be durable.
    private(set) var durable: [ListName: Version] = [:]
    private static let mostSteps = 100_000

    init(
        limits: Limits = Limits(), history: History = .all, storage: LogsInMemory = LogsInMemory(),
        isStarted: Bool = true, snapshotRoom: SnapshotRoom = SnapshotRoom()
    ) {
        var words = storage.logs.count * 2
        authority = Authority(limits: limits, history: history, snapshotRoom: snapshotRoom) {
            words += 1
            return "w\(words)"
        }
        self.storage = storage
        if isStarted { start() }
    }

    func start() {
        let names = storage.logs.map { StoredName(name: $0.key, epoch: $0.value.epoch) }
        tell(.started(lists: names, deletions: Array(storage.deletions.values)))
    }

    /// Another run of the server over the same logs.
    func restarted(limits: Limits = Limits(), history: History = .all) -> Stage {
        let stage = Stage(limits: limits, history: history, storage: storage)
        stage.now = now
        stage.nextNumber = nextNumber
        return stage
    }

    private var nextNumber: UInt64 = 0

    func connect(_ client: String, hello: Bool = true) throws -> Peer {
        nextNumber += 1
        let peer = Peer(try id(client), number: nextNumber)
        peer.isDurable = { [unowned self] name, version in durable[name] ?? .zero >= version }
        peers[ConnectionID(nextNumber)] = peer
        tell(.connected(ConnectionID(nextNumber)))
        if hello { say(.hello(.init(client: peer.client, name: try id(client))), peer) }
        return peer
    }

    func cut(_ peer: Peer) {
        peers[ConnectionID(peer.number)] = nil
        peer.isCut = true
        tell(.disconnected(ConnectionID(peer.number)))
    }

    func say(_ message: ClientMessage, _ peer: Peer) {
        tell(.message(ConnectionID(peer.number), message))
    }

    func tell(_ event: Event) {
        note(event)
        authority.handle(event, at: now)
        run()
    }

    /// Until nothing is to be done any more.
    func run() {
        for _ in 0..<Self.mostSteps {
            held += authority.takeStorageWork()
            for id in authority.takeDue() { deliver(id) }
            held += authority.takeStorageWork()
            closed += authority.takeClosed()
            guard !held.isEmpty, !holdsStorage else { return }
            perform()
        }
        Issue.record("it goes on for ever")
    }

    /// Does the oldest of what the storage was asked for.
    func perform() {
        guard !held.isEmpty else { return }
        let event = storage.perform(held.removeFirst())
        note(event)
        authority.handle(event, at: now)
    }

    func performAll() {
        holdsStorage = false
        run()
    }

    private func note(_ event: Event) {
        switch event {
        case .created(let name, nil): durable[name] = .zero
        case .appended(let name, let head): durable[name] = head
        case .foreign(let name, _): durable[name] = storage.logs[name]?.head
        case .loaded(let name, .success(let list)): durable[name] = list.state.head
        default: break
        }
    }

    private func deliver(_ id: ConnectionID) {
        guard let peer = peers[id], !peer.isStalled else { return }
        while true {
            let frames = authority.takeFrames(for: id, bytes: budget)
            if frames.isEmpty { return }
            for frame in frames { peer.receive(frame) }
        }
    }

    /// One look of a slow reader.
    @discardableResult
    func take(_ peer: Peer, bytes: Int) -> Int {
        let frames = authority.takeFrames(for: ConnectionID(peer.number), bytes: bytes)
        for frame in frames { peer.receive(frame) }
        run()
        return frames.count
    }

    func wake(_ peer: Peer) {
        peer.isStalled = false
        while take(peer, bytes: budget) > 0 {}
    }

    func pass(_ milliseconds: Int64) {
        now = now.adding(milliseconds: milliseconds)
        tell(.tick)
    }
}

/// Names from literals.
func id<Name: Identifier>(_ text: String) throws -> Name { try #require(Name(text)) }
