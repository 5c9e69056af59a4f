import ListModel
import ListProtocol
import ListReplica

/// A client's core with nothing around it, and the list as its server has it.
struct Client {
    static let ana = name("ana")
    private static let bob = name("bob")
    static let list = need(ListName("bench"))
    private static let epoch = need(Epoch("one.two"))
    private static let me = need(ClientID("me"))
    private static let other = need(ClientID("other"))
    static let now = Timestamp(milliseconds: 2)

    /// What the disk is busy with.
    private var written: UInt64?
    private let core = ClientCore(client: me, user: ana) { 500 }
    /// What the log comes to.
    private(set) var truth: ListState
    /// The server's, some milliseconds on with each frame.
    private var clock = Self.now
    private var numbers: [ClientID: UInt64] = [:]
    private let decoder = MessageDecoder(limits: Limits())

    /// In step with a list.
    init(_ prepared: Prepared, keepsCopy: Bool = true) {
        truth = prepared.list
        core.goOnline(at: Self.now)
        core.handle(.connected, at: Self.now)
        let welcome = ServerMessage.Welcome(
            name: Self.ana, session: 1, messageBytes: 1 << 20, operations: 1_000,
            elementBytes: 65_536, fields: 64)
        core.handle(.received(.welcome(welcome)), at: Self.now)
        try? core.open(Self.list, keepsCopy: keepsCopy, at: Self.now)
        // As the library has it, for the rows that somebody shows.
        core.replicas[Self.list]?.tellsTouched = true
        for part in prepared.parts {
            core.handle(.received(.snapshot(Self.list, part)), at: Self.now)
        }
        core.handle(
            .received(.caughtUp(Self.list, Self.position(prepared.list), logged: [])), at: Self.now)
        drain()
    }

    /// What waits for its outcome.
    var waiting: Int { core.replicas[Self.list]?.unresolved.count ?? 0 }

    /// What this client shows.
    var shown: ListState { core.replicas[Self.list]?.list ?? ListState() }

    /// One's own operation: shown at once, and ready to be stored.
    mutating func submit(_ operation: Operation) {
        _ = core.submit([operation], to: Self.list, at: Self.now)
        if written == nil { written = core.takeWrites()?.ticket }
        take()
    }

    /// The disk is done, with what was done meanwhile, too: all is ready to be sent.
    mutating func finishWriting() {
        if let written { core.handle(.saved(written), at: Self.now) }
        written = nil
        drain()
    }

    /// The server's word on what was submitted, so many to a frame: their entries, then their
    /// outcomes.
    mutating func answers(to operations: [Operation], inFrame: Int) -> [ServerMessage] {
        var messages: [ServerMessage] = []
        for start in stride(from: 0, to: operations.count, by: inFrame) {
            clock = clock.adding(milliseconds: 3)
            var entries: [Entry] = []
            var outcomes: [ServerMessage] = []
            for operation in operations[start..<min(start + inFrame, operations.count)] {
                let n = number(of: Self.me)
                let entry = log([operation], by: Self.ana, Self.me, n)
                let outcome: Outcome =
                    entry.map { .logged($0.version, skips: []) }
                    ?? .nothing(skips: [])
                let answer = ServerMessage.Answer(outcome)
                outcomes.append(.outcome(Self.list, MutationNumber(n), answer))
                if let entry { entries.append(entry) }
            }
            if !entries.isEmpty { messages.append(.entries(Self.list, entries)) }
            messages += outcomes
        }
        return messages
    }

    mutating func confirm(_ operations: [Operation]) {
        for message in answers(to: operations, inFrame: 1) { receive(message) }
    }

    /// What somebody else did, as the frame that tells it; the client has not got it yet.
    mutating func foreign(_ operations: [Operation]) -> [UInt8] {
        let entries = operations.compactMap { operation in
            log([operation], by: Self.bob, Self.other, number(of: Self.other))
        }
        return MessageEncoder.encode(.entries(Self.list, entries))
    }

    /// Takes a frame in: decoded, applied, and told.
    func take(_ frame: [UInt8]) {
        guard let message = try? decoder.decodeServerMessage(frame) else {
            preconditionFailure("a frame of ours cannot be read")
        }
        receive(message)
    }

    /// Fetches the list anew, as after an absence that was too long.
    func comeBack(_ parts: [[UInt8]], _ list: ListState) {
        core.reload(Self.list, at: Self.now)
        for case .send(.ping(let request, let list)) in core.takeLinkWork() {
            receive(.pong(request, list, nil))
        }
        for part in parts { take(part) }
        receive(.caughtUp(Self.list, Self.position(list), logged: []))
    }

    func receive(_ message: ServerMessage) {
        core.handle(.received(message), at: Self.now)
        drain()
    }

    /// What the shell of a client does after each call, without a disk or a socket.
    private func drain() {
        while let (ticket, _) = core.takeWrites() { core.handle(.saved(ticket), at: Self.now) }
        take()
    }

    private func take() {
        _ = core.takeLinkWork()
        _ = core.takeNews()
        _ = core.replicas[Self.list]?.takeTouched()
    }

    private mutating func number(of client: ClientID) -> UInt64 {
        numbers[client, default: 0] += 1
        return numbers[client, default: 0]
    }

    private mutating func log(
        _ operations: [Operation], by: UserName, _ client: ClientID, _ n: UInt64
    ) -> Entry? {
        let mutation = Mutation(client: client, n: MutationNumber(n), operations: operations)
        let context = ResolutionContext(at: clock, by: by, limits: Limits())
        let resolution = truth.perform(mutation, context)
        guard resolution.isLogged else { return nil }
        return Entry(
            version: truth.head, at: truth.lastAt, by: by, client: client, n: MutationNumber(n),
            operations: resolution.operations)
    }

    static func position(_ list: ListState) -> Position {
        Position(epoch: epoch, version: list.head)
    }

    /// A snapshot in parts of a few hundred rows, as servers send it.
    static func parts(of list: ListState) -> [SnapshotPart] {
        let rows = list.elements.map(SnapshotPart.Row.element)
        let starts = Array(stride(from: 0, to: max(1, rows.count), by: 600))
        return starts.enumerated().map { index, start in
            SnapshotPart(
                position: position(list), index: index, isLast: index == starts.count - 1,
                title: "", schema: nil, base: now,
                rows: Array(rows[start..<min(start + 600, rows.count)]))
        }
    }

    private static func name(_ text: String) -> UserName { need(UserName(text)) }

    private static func need<Value>(_ value: Value?) -> Value {
        guard let value else { preconditionFailure("a name is not one") }
        return value
    }
}
