internal import Glibc
internal import ListAuthority
package import ListModel
internal import ListProtocol
package import Storage
internal import Threads
internal import WebSockets

/// A running server, from `init` to `stop`: lists on disk, served over WebSockets on one port.
///
///     init ──▶ serving ──drain──▶ draining ──▶ drained ──stop──▶ ended
///                 └──────────────stop────────────────────────────▲
///
/// Its calls may come from any thread but the server's own. All it does happens on two threads:
/// that of the sockets, where `Service` and the authority live, and that of the storage.
package final class Server: Sendable {
    package static let version = Release.version

    /// Where it listens.
    package let port: UInt16
    let loop: EventLoop
    private let storage: StorageThread<ArchiveWorkload>
    let service: Service
    /// Where the operator asks; `nil` where there is no folder, or it takes no socket.
    private let status: StatusSocket?

    /// Listens first, so that a port in use is told before any file is touched, then opens the
    /// storage; meanwhile `/readyz` answers 503. Returns when lists are served.
    ///
    /// - Parameters:
    ///   - tokens: the folder that holds the tokens, and takes the operator's socket; `nil`: there
    ///     is none.
    ///   - open: opens the storage, on the calling thread.
    package init(
        _ options: ServerOptions, limits: Limits, tokens: String? = nil,
        open: () throws(StorageError) -> sending any LogStorage
    ) throws(ServerError) {
        let (loop, service, sockets) = try Self.listen(options, limits, tokens)
        do throws(StorageError) {
            let archive = try Archive(try open(), limits: limits)
            let deletions = try archive.openDeletions()
            let started = Event.started(lists: archive.names, deletions: deletions)
            let figures = archive.figures
            storage = try StorageThread<ArchiveWorkload>(archive)
            let serving = Service.Serving(sockets: sockets, storage: storage)
            loop.perform { service.serve(serving, started, figures) }
        } catch {
            loop.stop()
            throw .storage(error)
        }
        self.loop = loop
        self.service = service
        port = sockets.port
        status = tokens.flatMap { Self.answer(in: $0, loop, service) }
    }

    private static func answer(
        in folder: String, _ loop: EventLoop, _ service: Service
    ) -> StatusSocket? {
        let socket = StatusSocket(in: folder) { question in
            let answer = Handover<[UInt8]>()
            let isAccepted = loop.post { answer.fulfil(service.answer(to: question)) }
            return isAccepted ? answer.wait() : []
        }
        if socket == nil {
            let reason = String(cString: strerror(errno))
            service.log(.warning, "no-status-socket", ["folder": folder, "reason": reason])
        }
        return socket
    }

    /// With the usual limits.
    package convenience init(
        _ options: ServerOptions, open: () throws(StorageError) -> sending any LogStorage
    ) throws(ServerError) {
        try self.init(options, limits: Limits(), open: open)
    }

    /// Serves the lists in a folder, which is made if it is not there.
    package convenience init(
        _ options: ServerOptions, folder: String
    ) throws(ServerError) {
        try self.init(
            options, limits: options.limits, tokens: folder
        ) { () throws(StorageError) in
            let storage = try SQLiteLogStorage.open(folder: folder)
            if let migration = storage.migration {
                options.log(
                    .warning, "migrated",
                    [
                        "from": "\(migration.from)", "to": "\(migration.to)",
                        "kept": migration.kept ?? "",
                    ])
            }
            return storage
        }
    }

    /// Beyond those of clients: of files, of listeners, of who is being refused.
    private static let sparedDescriptors: UInt = 1_024

    private static func listen(
        _ options: ServerOptions, _ limits: Limits, _ folder: String?
    ) throws(ServerError) -> (EventLoop, Service, WebSocketServer) {
        let (gate, watch) = try Self.gate(options, limits, folder)
        do throws(WebSocketError) {
            var loopOptions = EventLoop.Options()
            loopOptions.descriptors = UInt(limits.connections) + sparedDescriptors
            loopOptions.lowersDescriptors = options.ownsProcess
            let loop = try EventLoop(options: loopOptions)
            let log = options.log
            WebSocketLog.set { log(.warning, "libwebsockets", ["line": $0]) }
            let service = Service(options, limits, gate, watch, on: loop)
            var socketOptions = WebSocketServer.Options()
            socketOptions.maxMessage = limits.messageBytes
            socketOptions.maxConnections = limits.connections
            socketOptions.maxPerAddress = limits.connectionsPerAddress
            socketOptions.countsThisMachine = options.countsThisMachine
            socketOptions.handshakeMilliseconds = UInt64(limits.handshakeSeconds) * 1_000
            let sockets = WebSocketServer(on: loop, options: socketOptions, delegate: service)
            do throws(WebSocketError) {
                try sockets.listen(host: options.host, port: options.port, tls: options.tls)
                if let metrics = options.metrics {
                    let port = try sockets.listen(
                        host: metrics.host, port: metrics.port, takesWebSockets: false)
                    log(.info, "metrics", ["host": metrics.host, "port": "\(port)"])
                }
            } catch {
                loop.stop()
                throw error
            }
            return (loop, service, sockets)
        } catch {
            throw ServerError(error)
        }
    }

    /// Who may come is known before anybody can.
    private static func gate(
        _ options: ServerOptions, _ limits: Limits, _ folder: String?
    ) throws(ServerError) -> (Gate, TokenWatch?) {
        var gate = Gate(limits: limits)
        if options.demandsTokens { gate.take([]) }
        if let signing = options.signing {
            gate.take(try SignedTokens(signing, limits: limits))
        }
        guard let folder else { return (gate, nil) }
        do throws(StorageError) {
            gate.take(try SQLiteTokenStorage.read(folder: folder))
        } catch {
            throw .storage(error)
        }
        return (gate, TokenWatch(folder: folder))
    }

    /// How many clients are connected.
    package var clientCount: Int { loop.perform { [service] in service.sessions.count } }

    /// Reads the certificate, the tokens and the key of signed tokens anew; what cannot be used
    /// changes nothing, and is told in the log. Connections stay. Returns when it is done.
    package func reload(logLevel: Log.Level? = nil) {
        if let logLevel { service.log.set(logLevel) }
        loop.perform { [service] in service.reload() }
    }

    /// The same where the settings themselves cannot be used: their old values hold.
    package func reload(unusable sentence: String) {
        service.log(.error, "settings-unusable", ["reason": sentence, "kept": "the old ones"])
        reload()
    }

    /// Calls `body` on the server's thread of the sockets, again and again until `stop`.
    package func beat(everyMilliseconds pause: UInt64, _ body: @escaping @Sendable () -> Void) {
        loop.post { [loop] in Self.beat(on: loop, pause, body) }
    }

    private static func beat(
        on loop: EventLoop, _ pause: UInt64, _ body: @escaping @Sendable () -> Void
    ) {
        body()
        loop.after(milliseconds: pause) { beat(on: loop, pause, body) }
    }

    /// Takes no new work, tells every client when to come back, and calls `done` on a thread of the
    /// server's when all are gone and all is on disk, or when the time is over. Repeating it does
    /// nothing.
    package func drain(_ done: @escaping @Sendable (Drained) -> Void) {
        loop.post { [service] in service.drain(done) }
    }

    /// Drops what connections there still are, finishes what was posted to the storage and ends
    /// both threads. Repeating it does nothing.
    package func stop() {
        status?.end()
        loop.stop()
        storage.stop()
    }
}
