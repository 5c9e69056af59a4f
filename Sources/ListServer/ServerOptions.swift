package import ListAuthority
internal import ListModel
package import Storage
package import WebSockets

/// What a server is told when it starts.
///
/// It holds nothing of `Limits` by value: an incremental build of SwiftPM does not compile a
/// program anew when a type that it sees only inside another's changes its size, and what comes of
/// it crashes.
package struct ServerOptions: Sendable {
    /// Where it listens; 0 as port for any that is free.
    package var host = "127.0.0.1"
    package var port: UInt16 = 7420
    /// Shown to clients, which then connect by wss.
    package var tls: TLSFiles?
    /// Origins of pages that may connect, exactly; none: those of this machine alone, and only
    /// where it listens for this machine alone.
    package var origins: [String] = []
    /// Whether it is served only to those who show a token, even as long as there is none.
    package var demandsTokens = false
    /// How tokens of an identity provider are checked; `nil`: they are not.
    package var signing: SigningOptions?
    /// Where metrics are told, in the clear and to everybody; `nil`: beside the clients, where
    /// these are all of this machine.
    package private(set) var metrics: (host: String, port: UInt16)?
    package var history = History.all
    package var log = Log.silent
    /// Bounds by the names of `Bound.all`, where they are not the usual ones.
    package var bounds: [String: Int] = [:]
    /// Whether connections from this machine's own address count as others do.
    package var countsThisMachine = false
    /// How long a drain waits for clients and disk.
    package var drainMilliseconds: UInt64 = 5_000
    /// Whether the process is this server's alone: its limit of descriptors is then made to fit.
    package var ownsProcess = false

    package init() {}

    var limits: Limits { Limits(bounds) }

    package mutating func show(certificate: String, key: String) {
        tls = TLSFiles(certificate: certificate, key: key)
    }

    package mutating func tellMetrics(host: String, port: UInt16) { metrics = (host, port) }

}

/// Why a server did not start; `description` is a sentence for people.
package enum ServerError: Error, CustomStringConvertible {
    /// It cannot listen there, or the system gives it no thread.
    case network(String)
    case storage(StorageError)
    /// What says who may come cannot be used.
    case access(String)

    package var description: String {
        switch self {
        case .network(let sentence), .access(let sentence): sentence
        case .storage(let error): error.description
        }
    }

    init(_ error: WebSocketError) { self = .network(error.description) }
}
