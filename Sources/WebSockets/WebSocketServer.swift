internal import CLibwebsockets

/// The files of a server's TLS identity, in PEM.
package struct TLSFiles: Sendable, Hashable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// What a server tells its owner, always on the loop's thread.
package protocol WebSocketServerDelegate: AnyObject {
    func opened(_ connection: WebSocketConnection)
    /// One whole text message, valid UTF-8. The bytes are valid during the call only.
    func received(_ message: UnsafeRawBufferPointer, on connection: WebSocketConnection)
    /// What was held back is gone: something may be sent again.
    func writable(_ connection: WebSocketConnection)
    /// Exactly once for each `opened`.
    func closed(_ connection: WebSocketConnection, _ reason: CloseReason)
    func respond(to request: HTTPRequest) -> HTTPResponse
    /// Whether a page of this origin may connect. Not asked when there is no origin: then it is
    /// no browser. Compare exactly, never by a part.
    func allowsOrigin(_ origin: String) -> Bool
    /// Whether a handshake with this header `Authorization` may go on; else it is answered 401.
    func admits(authorization: String?) -> Bool
    /// Whether new WebSockets are taken in; otherwise they are answered 503.
    var takesWebSockets: Bool { get }
}

extension WebSocketServerDelegate {
    package var takesWebSockets: Bool { true }
    package func admits(authorization: String?) -> Bool { true }
}

/// Serves WebSockets of one subprotocol, and plain HTTP, on one port or several.
///
/// An event loop has one server. It holds the server, and the server its delegate, until the loop
/// is stopped. Everything but the calls marked otherwise belongs to the loop's thread.
package final class WebSocketServer: @unchecked Sendable {
    // because all that changes is touched on the loop's thread alone, which is checked; `port` is
    // written once, before the first `listen` returns.

    package struct Options: Sendable {
        package var subprotocol = "samelist.v1"
        /// Bytes of one incoming message. A longer one closes its connection with 1009.
        package var maxMessage = 1 << 20
        /// Bytes of one `send` of several messages, and so of what libwebsockets may hold back
        /// for one slow reader. More at once is `.overflow`.
        package var maxWrite = 256 << 10
        /// Bytes that the kernel may hold back for one slow reader (it counts them double).
        package var sendBuffer = 256 << 10
        /// Sockets, with those that only speak HTTP or are still shaking hands. One more is
        /// closed as soon as it is accepted. The limit of descriptors may be hit before.
        package var maxConnections = 100_000
        /// WebSockets of one address, or of one network of 64 bits; one more is answered 429. Of
        /// sockets that are none yet, some more are taken in.
        package var maxPerAddress = Int.max
        /// Whether that holds for this machine's own addresses.
        package var countsThisMachine = false
        /// A socket that has not become a WebSocket, or asked for something, is then closed.
        package var handshakeMilliseconds: UInt64 = 10_000
        /// A peer that is silent so long is pinged (0: never), and dropped when it is silent
        /// still: within 5 s of `hangUpAfterSeconds` if something for it is held back, else at
        /// once. One that takes in less than a whole write in that time counts as silent.
        package var pingAfterSeconds: UInt16 = 15
        package var hangUpAfterSeconds: UInt16 = 25
        /// How long a closed connection waits for the peer's answer.
        package var closeMilliseconds: UInt64 = 5_000

        package init() {}
    }

    package let options: Options
    let loop: EventLoop
    private(set) var delegate: (any WebSocketServerDelegate)?
    var host: OpaquePointer?
    var tls: TLSFiles?
    /// That of `host`, where it has a certificate.
    var tlsContext: TLSContext?
    var listeners: [Listener] = []
    /// Those where no WebSocket is taken in.
    var plainPorts: Set<UInt16> = []
    /// Sockets that are no WebSockets, and when their time is over; `.max` when it was.
    var handshakes: [OpaquePointer: UInt64] = [:]
    /// What those showed that are about to become WebSockets.
    var authorizations: [OpaquePointer: String] = [:]
    /// Where those sockets are from that are counted by their address, and how many each has.
    private var places: [OpaquePointer: String] = [:]
    private var crowds: [String: Int] = [:]
    private var sweep: LoopTimer?
    private let keepAlive: KeepAlive?
    private var connections: [ConnectionID: WebSocketConnection] = [:]
    var socketCount = 0

    /// The port that it listened on first; 0 before `listen`. Any thread may read it.
    package internal(set) var port: UInt16 = 0

    /// Any thread may make one.
    package init(
        on loop: EventLoop, options: Options = Options(),
        delegate: any WebSocketServerDelegate
    ) {
        self.loop = loop
        self.options = options
        keepAlive = KeepAlive(
            on: loop, pingAfterSeconds: options.pingAfterSeconds,
            hangUpAfterSeconds: options.hangUpAfterSeconds)
        self.delegate = delegate
    }

    /// How many sockets it has, with those that are no WebSockets.
    package var connectionCount: Int {
        loop.preconditionOnLoop()
        return socketCount
    }

    /// Takes no new connections; those that are there stay. Any thread may call this.
    package func stopListening() {
        loop.post { [self] in closeListeners() }
    }

    /// Closes every WebSocket with this code. Any thread may call this.
    package func closeAll(code: UInt16, reason: String) {
        loop.post { [self] in
            for connection in connections.values {
                connection.close(code: code, reason: reason)
            }
        }
    }

    /// Stops listening and drops every socket without a word. Any thread may call this.
    package func stop() {
        loop.post { [self] in dropEverything() }
    }

    func dropEverything() {
        closeListeners()
        for connection in connections.values { connection.socket.kill() }
        for socket in handshakes.keys { loop.kill(socket) }
    }

    /// When the loop has stopped and no socket is left.
    func destroyHost() {
        if let host { lws_vhost_destroy(host) }
        host = nil
        tlsContext = nil
        delegate = nil
    }

    func closeListeners() {
        loop.preconditionOnLoop()
        for listener in listeners { listener.close() }
        listeners = []
    }

    func created(_ wsi: OpaquePointer) {
        socketCount += 1
        startClock(for: wsi)
    }

    func destroyed(_ wsi: OpaquePointer) {
        socketCount -= 1
        handshakes[wsi] = nil
        authorizations[wsi] = nil
        guard let place = places.removeValue(forKey: wsi), let count = crowds[place] else { return }
        crowds[place] = count == 1 ? nil : count - 1
    }

    /// Sockets that are no WebSockets yet, beyond what one address may have of these.
    private static let spare = 64

    /// Where a socket is from; `nil`: it does not count. Throws where there are too many already.
    func place(of descriptor: Int32) throws(Crowded) -> String? {
        guard options.maxPerAddress < .max, let address = SocketAddress.peer(of: descriptor),
            options.countsThisMachine || !address.isThisMachine
        else { return nil }
        let place = address.place
        guard crowds[place, default: 0] < options.maxPerAddress + Self.spare else {
            throw Crowded()
        }
        return place
    }

    func count(_ wsi: OpaquePointer, at place: String) {
        places[wsi] = place
        crowds[place, default: 0] += 1
    }

    /// Whether its address has more sockets than it may have WebSockets.
    func isCrowded(_ wsi: OpaquePointer) -> Bool {
        places[wsi].flatMap { crowds[$0] }.map { $0 > options.maxPerAddress } ?? false
    }

    struct Crowded: Error {}

    func makeConnection(_ wsi: OpaquePointer) -> WebSocketConnection {
        handshakes[wsi] = nil
        let limits = OpenSocket.Limits(
            maxMessage: options.maxMessage, maxWrite: options.maxWrite,
            closeMilliseconds: options.closeMilliseconds)
        let connection = WebSocketConnection(
            id: ConnectionID(rawValue: loop.takeNumber()), remoteAddress: peerAddress(wsi),
            socket: OpenSocket(wsi, loop: loop, limits: limits, isClient: false))
        connection.authorization = authorizations.removeValue(forKey: wsi)
        connections[connection.id] = connection
        keepAlive?.watch(connection.socket)
        return connection
    }

    func remove(_ connection: WebSocketConnection) {
        connections[connection.id] = nil
    }

    /// Gives a socket its time to become a WebSocket; again with each HTTP request.
    func startClock(for wsi: OpaquePointer) {
        handshakes[wsi] = loop.now + options.handshakeMilliseconds
        guard sweep == nil else { return }
        sweep = loop.after(milliseconds: max(50, options.handshakeMilliseconds / 10)) { [self] in
            sweepHandshakes()
        }
    }

    /// Slow handshakes, one header a second, would otherwise hold descriptors for ever (AU7).
    private func sweepHandshakes() {
        sweep = nil
        let now = loop.now
        for (wsi, deadline) in handshakes where deadline <= now {
            handshakes[wsi] = .max
            loop.kill(wsi)
        }
        guard handshakes.values.contains(where: { $0 < .max }) else { return }
        sweep = loop.after(milliseconds: max(50, options.handshakeMilliseconds / 10)) { [self] in
            sweepHandshakes()
        }
    }
}

private func peerAddress(_ wsi: OpaquePointer) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        guard let start = buffer.baseAddress else { return "" }
        start.pointee = 0
        lws_get_peer_simple(wsi, start, buffer.count)
        return String(cString: start)
    }
}
