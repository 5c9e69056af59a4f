internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import Storage
internal import Threads
internal import WebSockets

/// What a server does on the thread of its event loop, to which all of this is confined: it carries
/// messages from sockets to the authority, the authority's work to the storage and back, and what
/// is due to the sockets. It decides nothing itself.
///
///     socket ─▶ decoder ─▶ authority ─▶ storage thread ─▶ authority ─▶ frames ─▶ socket
///
/// Whatever happens only marks a pump as due; one pump then carries all that came in one turn.
final class Service: @unchecked Sendable {
    // because all that changes is touched on the loop's thread alone, which is checked.

    let loop: EventLoop
    let options: ServerOptions
    let limits: Limits
    let decoder: MessageDecoder
    /// That of those who belong to no tenant; everybody begins there.
    let home: Realm
    var realms: [Tenant: Realm]
    /// Those that the next pump looks at.
    var due: [Realm] = []
    /// All of them share it.
    let snapshotRoom = SnapshotRoom()
    var gate: Gate
    let tokens: TokenWatch?
    var state = State.loading
    var sessions: [ListAuthority.ConnectionID: Session] = [:]
    /// Those who came last, and until when they must have said hello; some have.
    var strangers: [(id: ListAuthority.ConnectionID, until: UInt64)] = []
    /// How many of them each user has.
    var crowds: [User: Int] = [:]
    /// Room for what one connection is sent next.
    var frames: [[UInt8]] = []
    /// What goes out at the end of a round.
    var broadcast = Broadcast()
    /// Room for the sessions that are due.
    var readers: [AnyObject] = []
    var isPumpDue = false
    /// Jobs that the storage thread has not answered yet.
    var jobs = 0
    var figures = Figures()
    /// `nil` before it serves.
    var storageFigures: Locked<StorageFigures>?
    /// Since a write failed and until another was done.
    var outage: Outage?
    /// When the log last told of an outage.
    var outageToldAt: UInt64?

    enum State {
        /// The storage is being opened; what clients say meanwhile waits in the authority.
        case loading
        case serving(Serving)
        /// Takes nothing in; says goodbye to all once what is under way is answered.
        case finishing(Serving, Drain)
        /// Goodbyes are on their way.
        case leaving(Serving, Drain)
        case drained
    }

    /// What it works with once it serves.
    struct Serving {
        let sockets: WebSocketServer
        let storage: StorageThread<ArchiveWorkload>
    }

    /// May be made on any thread, before the loop is told of it.
    init(
        _ options: ServerOptions, _ limits: Limits, _ gate: Gate, _ tokens: TokenWatch?,
        on loop: EventLoop
    ) {
        self.loop = loop
        self.options = options
        self.limits = limits
        self.gate = gate
        self.tokens = tokens
        home = Realm(.unnamed, options, limits, snapshotRoom)
        realms = [.unnamed: home]
        decoder = MessageDecoder(limits: limits)
    }

    var log: Log { options.log }

    /// What comes during a drain is left to the client's next connection.
    var takesWork: Bool {
        switch state {
        case .loading, .serving: true
        case .finishing, .leaving, .drained: false
        }
    }

    /// `nil` before it serves and after it has drained.
    var serving: Serving? {
        switch state {
        case .serving(let serving), .finishing(let serving, _), .leaving(let serving, _): serving
        case .loading, .drained: nil
        }
    }

    func serve(_ serving: Serving, _ started: Event, _ figures: Locked<StorageFigures>? = nil) {
        loop.preconditionOnLoop()
        storageFigures = figures
        state = .serving(serving)
        if !gate.isOpen { handle(.accessDemanded, in: home) }
        handle(started, in: home)
        for realm in realms.values where realm !== home { begin(realm, serving.storage) }
        watchTokens()
    }

    /// The one way into an authority.
    func handle(_ event: Event, in realm: Realm) {
        note(event)
        realm.authority.keepsRefused = log.tells(.debug)
        realm.authority.handle(event, at: WallClock.now)
        if realm.authority.keepsRefused { realm.authority.takeRefused().forEach(tell) }
        realm.isActive = true
        markDue(realm)
    }

    /// What was refused, by whose question or mutation; never what it said.
    private func tell(_ refused: Refused) {
        var pairs = [
            ("connection", "\(refused.connection.number)"), ("code", refused.code.rawValue),
        ]
        if let request = refused.request { pairs.append(("request", "\(request)")) }
        if let list = refused.list { pairs.append(("list", list.text)) }
        if let n = refused.n { pairs.append(("mutation", "\(n.number)")) }
        log.write(.debug, "refused", pairs)
    }

    func markDue(_ realm: Realm) {
        if !realm.isDue {
            realm.isDue = true
            due.append(realm)
        }
        schedulePump()
    }
}

extension Service: WebSocketServerDelegate {
    func opened(_ connection: WebSocketConnection) {
        let id = ListAuthority.ConnectionID(UInt64(connection.id.rawValue))
        let session = Session(id, connection, home, Allowance(limits, at: loop.now))
        connection.attachment = session
        sessions[id] = session
        figures.opened += 1
        log(.debug, "connected", ["connection": "\(id.number)", "from": connection.remoteAddress])
        handle(.connected(id), in: home)
        session.enter(home)
        expectHello(session)
    }

    func received(_ message: UnsafeRawBufferPointer, on connection: WebSocketConnection) {
        guard takesWork, let session = connection.attachment as? Session, !session.isSentAway,
            mayRead(message.count, from: session)
        else { return }
        figures.messages += 1
        figures.bytesIn += UInt64(message.count)
        do throws(DecodingFault) {
            let message = try decoder.decodeClientMessage(message)
            if mayHeed(message, from: session) { heed(message, session) }
        } catch {
            guard mayErr(session) else { return }
            handle(Event(error, from: session.id), in: session.realm)
        }
    }

    func writable(_ connection: WebSocketConnection) {
        guard let session = connection.attachment as? Session else { return }
        deliver(to: [session])
        postStorageWork(of: session.realm)
    }

    func closed(_ connection: WebSocketConnection, _ reason: CloseReason) {
        guard let session = connection.attachment as? Session else { return }
        connection.attachment = nil
        sessions[session.id] = nil
        left(session)
        log(
            .debug, "disconnected",
            ["connection": "\(session.id.number)", "reason": Self.logged(reason)])
        session.leaveRealm()
        handle(.disconnected(session.id), in: session.realm)
    }

    /// What a client says of its own may be anything, and stays out of the log.
    private static func logged(_ reason: CloseReason) -> String {
        if case .peer(let code, _) = reason { return "closed by the peer with \(code)" }
        return reason.description
    }
}
