internal import CLibuv
internal import CLibwebsockets
import Glibc
internal import Threads

/// The event library that libwebsockets is to load. Only `uv` works; the other is one that Debian
/// does not build, with which a test sees what a missing plugin looks like.
enum EventPlugin {
    case uv
    case notInstalled
}

/// A libuv loop with a libwebsockets context in it, which an event loop runs for a while.
///
/// It is never destroyed, but lent to the next event loop: `lws_context_destroy` closes the
/// number of its wake-up descriptor twice, the second time some turns later, when that number
/// may be another thread's socket or database.
final class Engine: @unchecked Sendable {
    // because one event loop at a time has it, and uses it on its own thread alone.

    let uv: UnsafeMutablePointer<uv_loop_t>
    private(set) var context: OpaquePointer?
    /// The virtual host of plain client connections, and of whatever belongs to no server.
    private(set) var plainHost: OpaquePointer?
    /// Virtual hosts of TLS clients by the path of their authorities ("" for the system's).
    private var trustingHosts: [String: OpaquePointer] = [:]
    /// Clients' sockets that libwebsockets has not freed yet.
    var clientSockets: Set<OpaquePointer> = []
    /// The descriptors that libwebsockets has room for in its tables.
    let descriptors = descriptorLimit()
    /// Who runs it now.
    var loop: EventLoop?
    let log = LogCapture()
    var kept = KeptMemory()

    private struct Pool {
        var idle: [Engine] = []
        /// libwebsockets sets OpenSSL up with each context anew, if asked; then the certificate
        /// checks of all others fail, since the index changes under which they find their socket.
        var openSSLIsReady = false
    }

    private static let pool = Locked(Pool())

    /// One that is idle, or a new one; it belongs to the caller's thread from here on.
    static func take(_ plugin: EventPlugin) throws(WebSocketError) -> Engine {
        let (engine, error) = pool.withLock { pool -> (Engine?, WebSocketError?) in
            if plugin == .uv, let idle = pool.idle.popLast() { return (idle, nil) }
            // Under the lock, since libwebsockets loads its plugin and OpenSSL unguarded.
            let engine = Engine(plugin, setsUpOpenSSL: !pool.openSSLIsReady)
            guard engine.context != nil, engine.plainHost != nil else {
                return (nil, engine.failure)
            }
            pool.openSSLIsReady = true
            return (engine, nil)
        }
        guard let engine else { throw error ?? .cannotStart("libwebsockets did not start.") }
        return engine
    }

    /// Gives it back, with no socket and no handle in it but libwebsockets' own.
    func park() {
        for host in trustingHosts.values { lws_vhost_destroy(host) }
        trustingHosts = [:]
        loop = nil
        Self.pool.withLock { $0.idle.append(self) }
    }

    private init(_ plugin: EventPlugin, setsUpOpenSSL: Bool) {
        uv = .allocate(capacity: 1)
        uv_loop_init(uv)
        WebSocketLog.install()
        // libwebsockets keeps the address of this one, and it is never freed.
        let loops = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
        loops.initialize(to: UnsafeMutableRawPointer(uv))
        var info = lws_context_creation_info()
        info.port = CONTEXT_PORT_NO_LISTEN
        info.options =
            UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS)
            | UInt64(setsUpOpenSSL ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0)
            | UInt64(LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME)
            | UInt64(LWS_SERVER_OPTION_VALIDATE_UTF8)
            | UInt64(plugin == .uv ? LWS_SERVER_OPTION_LIBUV : LWS_SERVER_OPTION_LIBEVENT)
        info.foreign_loops = loops
        // Bytes read from one socket at a time; one such buffer for the whole context.
        info.pt_serv_buf_size = 16_384
        info.timeout_secs = 10
        log.capture { context = lws_create_context(&info) }
        guard context != nil else { return }
        _ = Unmanaged.passRetained(self)
        plainHost = makeHost("plain") { _ in }
    }

    private var failure: WebSocketError {
        log.lastLine.contains("evlib")
            ? .eventLibraryMissing(
                "libwebsockets has no libuv plugin here: install libwebsockets-evlib-uv.")
            : .cannotStart("libwebsockets did not start: \(log.lastLine)")
    }

    /// Makes a virtual host: the settings that a group of connections has in common.
    ///
    /// Its user pointer is this, unless `configure` sets another; without protocols it is the
    /// clients'.
    func makeHost(
        _ name: String, protocols: [lws_protocols] = [],
        configure: (inout lws_context_creation_info) -> Void
    ) -> OpaquePointer? {
        var info = lws_context_creation_info()
        info.port = CONTEXT_PORT_NO_LISTEN
        info.vhost_name = kept.text(name)
        info.user = Unmanaged.passUnretained(self).toOpaque()
        info.alpn = kept.text("http/1.1")
        // Without an address of its own a host would take the proxy of the environment.
        if getenv("http_proxy") != nil { info.http_proxy_address = kept.text("") }
        configure(&info)
        // Lists in C end with an empty value. libwebsockets copies this one.
        let list = (protocols.isEmpty ? [clientProtocol()] : protocols) + [lws_protocols()]
        return list.withUnsafeBufferPointer { list in
            info.protocols = list.baseAddress
            var host: OpaquePointer?
            log.capture { host = lws_create_vhost(context, &info) }
            return host
        }
    }

    private func clientProtocol() -> lws_protocols {
        var client = lws_protocols()
        client.name = kept.text("samelist-client")
        client.callback = clientCallback
        client.rx_buffer_size = 16_384
        client.tx_packet_size = 262_144
        return client
    }

    /// The virtual host of TLS clients that trust these authorities, or the system's; `nil`: they
    /// cannot be read, which libwebsockets would pass over.
    func trustingHost(_ caFile: String?) -> OpaquePointer? {
        let authorities = caFile ?? ""
        if let host = trustingHosts[authorities] { return host }
        guard authorities.isEmpty || access(authorities, R_OK) == 0 else { return nil }
        let host = makeHost("trusting") { info in
            info.options = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
            guard !authorities.isEmpty else { return }
            info.options |= UInt64(LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)
            info.client_ssl_ca_filepath = kept.text(authorities)
        }
        trustingHosts[authorities] = host
        return host
    }

    /// Lets libwebsockets look at its timers: those it sets outside of its own callbacks do not
    /// reach libuv before the next event on any socket.
    func poke() {
        lws_cancel_service(context)
    }
}
