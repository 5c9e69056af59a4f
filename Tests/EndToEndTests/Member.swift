import ListModel
import ListProtocol
import WebSockets

/// One client of a `Crowd`: it opens the list, and looks at everything that it is told. One that
/// writes submits again whenever its last mutation was answered.
final class Member: @unchecked Sendable {
    // because all of it is touched on the loop's thread alone, once it was made.

    let user: String
    let token: String
    let number: Int
    let writes: Bool
    private let client: ClientID
    private unowned let crowd: Crowd
    private var socket: WebSocketClient?
    private var sentAt = ContinuousClock.now

    /// Up to where it was told the list; `nil`: not yet.
    private(set) var head: Version?
    private(set) var expires: Timestamp?
    private(set) var isReady = false
    /// Mutations that were answered.
    private(set) var answered: UInt64 = 0
    private(set) var waits = false
    /// How long each of them took.
    private(set) var waited: [Duration] = []
    /// The version in the last answer to `ask`.
    private(set) var asked: Version?
    private(set) var gone: Code?
    private(set) var errors: [Code] = []
    private(set) var closed: CloseReason?
    private(set) var closedAt = ContinuousClock.now
    /// What it was told that it must not be told.
    private(set) var faults: [String] = []

    /// The number is part of its client's ID, which must not be another's.
    init(_ number: Int, of user: String, _ token: String, writes: Bool, in crowd: Crowd) {
        guard let client = ClientID("client-\(number)") else { preconditionFailure("\(number)") }
        self.number = number
        self.user = user
        self.token = token
        self.writes = writes
        self.client = client
        self.crowd = crowd
    }

    /// The code of the server's close; `nil`: it is open, or ended in another way.
    var closeCode: UInt16? {
        guard case .peer(let code, _) = closed else { return nil }
        return code
    }

    func connect(to endpoint: WebSocketClient.Endpoint) {
        socket = WebSocketClient.connect(
            to: endpoint, on: crowd.loop,
            events: WebSocketClient.Events(
                opened: { [self] in greet() }, received: { [self] in received($0) },
                closed: { [self] in ended($0) }))
    }

    func forgetWaits() { waited = [] }

    /// Asks for the list's head, once all that was logged up to now has come.
    func ask() { send(.ping(1, crowd.list)) }

    private func send(_ message: ClientMessage) {
        if socket?.send([MessageEncoder.encode(message)]) == .overflow {
            faults.append("the socket took nothing")
        }
    }

    private func greet() {
        guard let name = UserName("whoever") else { return }
        send(.hello(ClientMessage.Hello(client: client, name: name, token: token)))
    }

    private func received(_ bytes: UnsafeRawBufferPointer) {
        do {
            heed(try crowd.decoder.decodeServerMessage(bytes))
        } catch {
            faults.append("what cannot be read: \(error)")
        }
    }

    private func heed(_ message: ServerMessage) {
        if gone != nil, message.tellsOfList { faults.append("told after the end: \(message)") }
        switch message {
        case .welcome(let welcome):
            if welcome.name.text != user { faults.append("welcomed as \(welcome.name)") }
            expires = welcome.expires
            send(.open(ClientMessage.Open(list: crowd.list, create: number == 0)))
        case .snapshot(_, let part): head = part.position.version
        case .entries(_, let entries): for entry in entries { take(entry) }
        case .caughtUp(_, let position, _, _):
            if head ?? .zero != position.version { faults.append("caught up elsewhere") }
            head = position.version
            isReady = true
            submit()
        case .outcome(_, _, let answer): take(answer)
        case .pong(_, _, let version): asked = version
        case .gone(_, let gone): self.gone = gone.code
        case .error(_, _, let refusal): errors.append(refusal.code)
        case .presence, .goodbye, .done, .who, .fates, .lists, .history, .renewed: break
        }
        if !message.isEntries { crowd.look() }
    }

    private func take(_ entry: Entry) {
        if let head, entry.version != head.next {
            faults.append("version \(entry.version) after \(head)")
        }
        head = entry.version
        if let end = crowd.expiries[entry.by.text], entry.at >= end {
            faults.append("\(entry.by) wrote \(entry.version) after its token had expired")
        }
    }

    private func take(_ answer: ServerMessage.Answer) {
        guard case .logged = answer.outcome else {
            return faults.append("not logged: \(answer.outcome)")
        }
        waits = false
        answered += 1
        waited.append(ContinuousClock.now - sentAt)
        submit()
    }

    private func submit() {
        guard writes, crowd.isWriting, gone == nil, let id = ElementID("row-\(number)") else {
            return
        }
        let fields = Fields([.title: .text("\(answered)")])
        let intent: Operation.Intent =
            answered == 0 ? .insert(id, at: .last, fields) : .set(id, fields)
        waits = true
        sentAt = ContinuousClock.now
        let n = MutationNumber(answered + 1)
        send(
            .submit(
                ClientMessage.Submission(
                    list: crowd.list, n: n, heard: MutationNumber(answered),
                    operations: [Operation(intent)])))
    }

    private func ended(_ reason: CloseReason) {
        closed = reason
        closedAt = ContinuousClock.now
        crowd.look()
    }
}

extension ServerMessage {
    fileprivate var isEntries: Bool {
        if case .entries = self { return true }
        return false
    }

    fileprivate var tellsOfList: Bool {
        switch self {
        case .snapshot, .entries, .caughtUp, .presence, .who, .fates, .history: true
        default: false
        }
    }
}
