internal import ListAuthority
package import ListModel
internal import ListProtocol
package import Storage
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

    /// Listens first, so that a port in use is told before any file is touched, then opens the
    /// storage; meanwhile `/readyz` answers 503. Returns when lists are served.
    ///
    /// - Parameter open: opens the storage, on the calling thread.
    package init(
        _ options: ServerOptions, limits: Limits,
        open: () throws(StorageError) -> sending any LogStorage
    ) throws(ServerError) {
        let (loop, service, sockets) = try Self.listen(options, limits)
        do throws(StorageError) {
            let archive = try Archive(try open(), limits: limits)
            let deletions = try archive.openDeletions()
            let started = Event.started(lists: archive.names, deletions: deletions)
            storage = try StorageThread<ArchiveWorkload>(archive)
            let serving = Service.Serving(sockets: sockets, storage: storage)
            loop.perform { service.serve(serving, started) }
        } catch {
            loop.stop()
            throw .storage(error)
        }
        self.loop = loop
        self.service = service
        port = sockets.port
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
        try self.init(options) { () throws(StorageError) in
            try SQLiteLogStorage.open(folder: folder)
        }
    }

    private static func listen(
        _ options: ServerOptions, _ limits: Limits
    ) throws(ServerError) -> (EventLoop, Service, WebSocketServer) {
        do throws(WebSocketError) {
            let loop = try EventLoop()
            let log = options.log
            WebSocketLog.set { log(.warning, "libwebsockets", ["line": $0]) }
            let service = Service(options, limits, on: loop)
            var socketOptions = WebSocketServer.Options()
            socketOptions.maxMessage = limits.messageBytes
            socketOptions.maxConnections = limits.connections
            let sockets = WebSocketServer(on: loop, options: socketOptions, delegate: service)
            do throws(WebSocketError) {
                try sockets.listen(host: options.host, port: options.port)
            } catch {
                loop.stop()
                throw error
            }
            return (loop, service, sockets)
        } catch {
            throw ServerError(error)
        }
    }

    /// How many clients are connected.
    package var clientCount: Int { loop.perform { [service] in service.sessions.count } }

    /// Takes no new work, tells every client when to come back, and calls `done` on a thread of the
    /// server's when all are gone and all is on disk, or when the time is over. Repeating it does
    /// nothing.
    package func drain(_ done: @escaping @Sendable (Drained) -> Void) {
        loop.post { [service] in service.drain(done) }
    }

    /// Drops what connections there still are, finishes what was posted to the storage and ends
    /// both threads. Repeating it does nothing.
    package func stop() {
        loop.stop()
        storage.stop()
    }
}
