internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import Samelist
internal import Storage

/// What a client of an `InMemoryServer` has around it: everything happens on the main actor, in the
/// order of the server's agenda.
@MainActor
final class InMemorySurroundings: Surroundings {
    var receive: ([Arrival]) -> Void = { _ in }
    /// Every pause of a reconnection is as long as it is meant to be.
    let jitter: @Sendable () -> Int64 = { 500 }
    /// What the client keeps; it outlives the client.
    let store: InMemoryStateStorage

    private let server: InMemoryServer
    private let decoder = MessageDecoder(limits: Limits())
    private var connection: Connection?
    /// Counts attempts to connect, so that an earlier one does not come through late.
    private var attempt = 0
    private var isStopped = false
    var isPartitioned = false {
        didSet { if isPartitioned { connection?.cut() } }
    }

    init(_ server: InMemoryServer, _ store: InMemoryStateStorage) {
        self.server = server
        self.store = store
    }

    func isOf(_ server: InMemoryServer) -> Bool { self.server === server }

    var now: Timestamp { server.agenda.now }

    /// Whether an attempt to connect could succeed.
    private var canConnect: Bool { server.process.takesClients && !isPartitioned && !isStopped }

    func connect() {
        disconnect()
        let attempt = attempt
        server.agenda.plan { [weak self] in
            guard let self, attempt == self.attempt else { return }
            connection = canConnect ? server.process.accept(self) : nil
            if connection != nil { return receive([.connected]) }
            receive([.disconnected(code: nil, Self.unreachable("the server does not answer"))])
        }
    }

    func send(_ messages: [ClientMessage]) {
        for message in messages { connection?.up(MessageEncoder.encode(message)) }
    }

    func disconnect() {
        attempt += 1
        connection?.close()
        connection = nil
    }

    func received(_ bytes: [UInt8], on connection: Connection) {
        guard connection === self.connection else { return }
        do throws(DecodingFault) {
            receive([.message(try decoder.decodeServerMessage(bytes))])
        } catch {
            receive([.garbled(error.sentence)])
        }
    }

    func lost(_ connection: Connection, code: UInt16?, _ sentence: String) {
        guard connection === self.connection else { return }
        self.connection = nil
        receive([.disconnected(code: code, Self.unreachable(sentence))])
    }

    private static func unreachable(_ sentence: String) -> ListError {
        ListError(.unreachable, sentence)
    }

    func save(_ writes: [StateWrite], ticket: UInt64) {
        guard !isStopped else { return }
        do throws(StorageError) {
            try store.commit(writes.map(\.change))
            server.agenda.plan { [weak self] in self?.receive([.saved(ticket)]) }
        } catch {
            let sentence = error.description
            server.agenda.plan { [weak self] in self?.receive([.notSaved(sentence)]) }
        }
    }

    func wake(at time: Timestamp, for reason: Alarm, while isWanted: @escaping () -> Bool) {
        server.agenda.plan(
            at: time,
            while: { [weak self] in
                guard let self else { return false }
                switch reason {
                case .core: return canConnect && isWanted()
                case .patience: return isWanted()
                }
            },
            { [weak self] in self?.receive([.alarm(reason)]) })
    }

    func rest() { server.clientRests() }

    func stop(saving writes: [StateWrite]) {
        disconnect()
        guard !isStopped else { return }
        isStopped = true
        try? store.commit(writes.map(\.change))
    }
}
