import WebSockets

/// What a test's server does; set before it is started.
struct Behaviour: @unchecked Sendable {
    // because it is set on the test's thread, and then used on the loop's alone.

    var opened: (WebSocketConnection) -> Void = { _ in }
    var received: ([UInt8], WebSocketConnection) -> Void = { _, _ in }
    var writable: (WebSocketConnection) -> Void = { _ in }
    var origins: Set<String> = []
    var respond: (HTTPRequest) -> HTTPResponse = { _ in HTTPResponse(status: 404) }

    static var echo: Behaviour {
        var behaviour = Behaviour()
        behaviour.received = { message, connection in _ = connection.send([message]) }
        return behaviour
    }
}

/// A loop with a server that records what happens to it.
final class TestServer: WebSocketServerDelegate, @unchecked Sendable {
    // because the behaviour does not change, and the rest is made for several threads.

    let loop: EventLoop
    private(set) var server: WebSocketServer!
    let opens = Inbox<WebSocketConnection>()
    let messages = Inbox<[UInt8]>()
    let writables = Inbox<ConnectionID>()
    let closes = Inbox<CloseReason>()
    private let behaviour: Behaviour

    init(
        _ behaviour: Behaviour = Behaviour(), tls: TLSFiles? = nil,
        configure: (inout WebSocketServer.Options) -> Void = { _ in }
    ) throws {
        self.behaviour = behaviour
        loop = try EventLoop()
        var options = WebSocketServer.Options()
        configure(&options)
        server = WebSocketServer(on: loop, options: options, delegate: self)
        try server.listen(host: "127.0.0.1", port: 0, tls: tls)
    }

    var port: UInt16 { server.port }

    func stop() {
        loop.stop()
    }

    /// Waits until the server has no socket left, as it looks from the loop.
    func waitUntilEmpty() throws {
        for _ in 0..<400 {
            if loop.perform({ [self] in server.connectionCount }) == 0 { return }
            let turn = Inbox<Void>()
            loop.post { [self] in loop.after(milliseconds: 25) { turn.put(()) } }
            try turn.next()
        }
        throw TimedOut()
    }

    func opened(_ connection: WebSocketConnection) {
        opens.put(connection)
        behaviour.opened(connection)
    }

    func received(_ message: UnsafeRawBufferPointer, on connection: WebSocketConnection) {
        let copy = Array(message)
        messages.put(copy)
        behaviour.received(copy, connection)
    }

    func writable(_ connection: WebSocketConnection) {
        writables.put(connection.id)
        behaviour.writable(connection)
    }

    func closed(_ connection: WebSocketConnection, _ reason: CloseReason) {
        closes.put(reason)
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        behaviour.respond(request)
    }

    func allowsOrigin(_ origin: String) -> Bool {
        behaviour.origins.contains(origin)
    }
}

/// A client that records what happens to it.
final class TestClient: Sendable {
    let client: WebSocketClient
    let opens = Inbox<Void>()
    let messages = Inbox<[UInt8]>()
    let closes = Inbox<CloseReason>()
    let drains = Inbox<Void>()
    /// Filled when it opens, and when it closes: for those that may never open.
    let turns = Inbox<Void>()
    private let loop: EventLoop

    init(
        _ loop: EventLoop, _ endpoint: WebSocketClient.Endpoint,
        configure: (inout WebSocketClient.Options) -> Void = { _ in }
    ) {
        self.loop = loop
        var options = WebSocketClient.Options()
        configure(&options)
        let (opens, messages, closes, drains, turns) = (opens, messages, closes, drains, turns)
        client = WebSocketClient.connect(
            to: endpoint, options: options, on: loop,
            events: .init(
                opened: {
                    opens.put(())
                    turns.put(())
                },
                received: { messages.put(Array($0)) },
                closed: {
                    closes.put($0)
                    turns.put(())
                },
                drained: { drains.put(()) }))
    }

    convenience init(_ loop: EventLoop, port: UInt16) {
        self.init(loop, .init(host: "127.0.0.1", port: port))
    }

    @discardableResult
    func send(_ payloads: [[UInt8]]) -> SendResult {
        loop.perform { [client] in client.send(payloads) }
    }
}

/// Text that no compression makes shorter by much, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(33 + state % 94)
    }
}

extension Array where Element == UInt8 {
    init(_ text: String) { self.init(text.utf8) }
    var string: String { String(decoding: self, as: UTF8.self) }
}
