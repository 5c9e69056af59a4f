import ListAuthority
import ListModel
import ListProtocol
import Testing
import Threads
import WebSockets

/// A client made of a real WebSocket and the codec, and nothing else.
final class TestClient: Sendable {
    enum Event: Sendable, Equatable {
        case opened
        case message(ServerMessage)
        case closed(CloseReason)
    }

    private let socket: WebSocketClient
    private let loop: EventLoop
    private let inbox = Inbox<Event>()

    init(_ loop: EventLoop, port: UInt16) {
        self.loop = loop
        let inbox = inbox
        socket = WebSocketClient.connect(
            to: WebSocketClient.Endpoint(host: "127.0.0.1", port: port), on: loop,
            events: WebSocketClient.Events(
                opened: { inbox.put(.opened) },
                received: { bytes in
                    let decoder = MessageDecoder(limits: Limits())
                    do {
                        inbox.put(.message(try decoder.decodeServerMessage(bytes)))
                    } catch {
                        Issue.record("the server sent what cannot be read: \(error)")
                    }
                },
                closed: { inbox.put(.closed($0)) }))
    }

    func event() async throws -> Event { try await inbox.next() }

    /// The next message; that the connection ends instead is an error.
    func next() async throws -> ServerMessage {
        let event = try await inbox.next()
        guard case .message(let message) = event else { throw Unexpected("\(event)") }
        return message
    }

    /// Leaves messages out until one is what is looked for.
    func first<Found>(_ match: (ServerMessage) throws -> Found?) async throws -> Found {
        while true {
            if let found = try match(try await next()) { return found }
        }
    }

    func send(_ messages: ClientMessage...) { send(raw: messages.map(MessageEncoder.encode)) }

    func send(raw messages: [[UInt8]]) {
        loop.post { [socket] in
            // What a connection that ends did not take is told by its end.
            _ = socket.send(messages)
        }
    }

    /// Leaves, and waits until it has.
    func leave() async throws {
        socket.close()
        while true {
            if case .closed = try await inbox.next() { return }
        }
    }

    /// Until the connection is over.
    func end() async throws -> (messages: [ServerMessage], reason: CloseReason) {
        var messages: [ServerMessage] = []
        while true {
            switch try await inbox.next() {
            case .opened: break
            case .message(let message): messages.append(message)
            case .closed(let reason): return (messages, reason)
            }
        }
    }
}

extension TestClient {
    /// Opens a list, and answers what came up to "caught up".
    func open(
        _ list: ListName = todo, create: Bool = false, at position: Position? = nil,
        editing: [ElementID] = []
    ) async throws -> Opened {
        send(
            .open(
                ClientMessage.Open(
                    list: list, create: create, position: position, editing: editing)))
        var opened = Opened()
        while true {
            switch try await next() {
            case .snapshot(_, let part): opened.parts.append(part)
            case .entries(_, let entries): opened.entries += entries
            case .caughtUp(_, let position, let logged, _):
                opened.position = position
                opened.logged = logged
                return opened
            case .error(_, _, let refusal): throw refusal
            case let other: opened.others.append(other)
            }
        }
    }

    /// Submits operations and waits for the outcome; entries on the way are passed over.
    func submit(
        _ n: UInt64, _ operations: [ListModel.Operation], to list: ListName = todo
    ) async throws -> Outcome {
        send(submission(n, operations, to: list))
        return try await first { message in
            if case .outcome(list, MutationNumber(n), let answer) = message {
                return answer.outcome
            }
            return nil
        }
    }

    /// All entries up to a version.
    func entries(through version: UInt64) async throws -> [Entry] {
        var entries: [Entry] = []
        while entries.last.map({ $0.version < Version(version) }) ?? true {
            entries += try await first { message in
                if case .entries(_, let entries) = message { return entries }
                return nil
            }
        }
        return entries
    }
}

/// What a client is sent when it opens a list.
struct Opened {
    var parts: [SnapshotPart] = []
    var entries: [Entry] = []
    var others: [ServerMessage] = []
    var position: Position?
    var logged: [MutationNumber] = []

    /// The list that they make: the parts of the snapshot, and the entries behind it.
    func list() throws -> ListState {
        var list = ListState(
            head: parts.first?.position.version ?? .zero, title: parts.first?.title ?? "",
            schema: parts.first?.schema)
        for part in parts {
            let isNew = list.append(part.rows)
            #expect(isNew)
        }
        for entry in entries { try list.apply(entry) }
        return list
    }

    /// The IDs of the living, in order.
    func ids() throws -> [String] { try list().elements.map(\.id.text) }
}
