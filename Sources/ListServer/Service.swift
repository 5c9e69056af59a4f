internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import Storage
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
    let authority: Authority
    let decoder: MessageDecoder
    var state = State.loading
    var sessions: [ListAuthority.ConnectionID: Session] = [:]
    /// Room for what one connection is sent next.
    var frames: [[UInt8]] = []
    var isPumpDue = false
    /// Something else than time has passed since the last pump.
    var isActive = false
    var tick: (at: Timestamp, timer: LoopTimer)?
    /// Jobs that the storage thread has not answered yet.
    var jobs = 0
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
    init(_ options: ServerOptions, _ limits: Limits, on loop: EventLoop) {
        self.loop = loop
        self.options = options
        authority = Authority(
            limits: limits, history: options.history, freshWord: freshWord)
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

    func serve(_ serving: Serving, _ started: Event) {
        loop.preconditionOnLoop()
        state = .serving(serving)
        handle(started)
    }

    /// The one way into the authority.
    func handle(_ event: Event) {
        note(event)
        authority.handle(event, at: WallClock.now)
        isActive = true
        schedulePump()
    }
}

extension Service: WebSocketServerDelegate {
    func opened(_ connection: WebSocketConnection) {
        let id = ListAuthority.ConnectionID(UInt64(connection.id.rawValue))
        let session = Session(id, connection)
        connection.attachment = session
        sessions[id] = session
        log(.debug, "connected", ["connection": "\(id.number)", "from": connection.remoteAddress])
        handle(.connected(id))
    }

    func received(_ message: UnsafeRawBufferPointer, on connection: WebSocketConnection) {
        guard takesWork, let session = connection.attachment as? Session else { return }
        do throws(DecodingFault) {
            handle(.message(session.id, try decoder.decodeClientMessage(message)))
        } catch {
            log(
                .debug, "refused",
                ["connection": "\(session.id.number)", "code": error.code.rawValue])
            handle(Event(error, from: session.id))
        }
    }

    func writable(_ connection: WebSocketConnection) {
        guard let session = connection.attachment as? Session else { return }
        deliver(to: session)
        postStorageWork()
    }

    func closed(_ connection: WebSocketConnection, _ reason: CloseReason) {
        guard let session = connection.attachment as? Session else { return }
        connection.attachment = nil
        sessions[session.id] = nil
        log(
            .debug, "disconnected",
            ["connection": "\(session.id.number)", "reason": reason.description])
        handle(.disconnected(session.id))
    }
}
