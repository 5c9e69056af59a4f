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

/// Making a context sets up process-wide state of OpenSSL and of the plugin loader, unguarded.
private let creation = Locked(())

extension EventLoop {
    var context: OpaquePointer? { contextCell.pointee }

    /// Makes the loop and its context; called first on the loop's thread.
    func open(_ plugin: EventPlugin) -> WebSocketError? {
        uv_loop_init(uv)
        mailbox.open()
        creation.withLock { _ in makeContext(plugin) }
        guard context != nil, let host = makeHost("loop", configure: { _ in }) else {
            let reason = log.lastLine
            closeLoop()
            return reason.contains("evlib")
                ? .eventLibraryMissing(
                    "libwebsockets has no libuv plugin here: install libwebsockets-evlib-uv.")
                : .cannotStart("libwebsockets did not start: \(reason)")
        }
        plainHost = host
        return nil
    }

    private func makeContext(_ plugin: EventPlugin) {
        WebSocketLog.install()
        var loops: [UnsafeMutableRawPointer?] = [UnsafeMutableRawPointer(uv)]
        loops.withUnsafeMutableBufferPointer { loops in
            var info = lws_context_creation_info()
            info.port = CONTEXT_PORT_NO_LISTEN
            info.options =
                UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS)
                | UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
                | UInt64(LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME)
                | UInt64(LWS_SERVER_OPTION_VALIDATE_UTF8)
                | UInt64(plugin == .uv ? LWS_SERVER_OPTION_LIBUV : LWS_SERVER_OPTION_LIBEVENT)
            info.foreign_loops = loops.baseAddress
            info.pcontext = contextCell
            // Bytes read from one socket at a time; one such buffer for the whole context.
            info.pt_serv_buf_size = 16_384
            info.timeout_secs = 10
            log.capture { contextCell.pointee = lws_create_context(&info) }
        }
    }

    /// Makes a virtual host: the settings that a group of connections has in common.
    ///
    /// Its user pointer is this loop, unless `configure` sets another.
    func makeHost(
        _ name: String, configure: (inout lws_context_creation_info) -> Void
    ) -> OpaquePointer? {
        nextNumber += 1
        var protocols = lws_protocols()
        protocols.name = kept.text("samelist-loop")
        protocols.callback = clientCallback
        protocols.rx_buffer_size = 16_384
        protocols.tx_packet_size = 262_144
        var info = lws_context_creation_info()
        info.port = CONTEXT_PORT_NO_LISTEN
        info.vhost_name = kept.text("\(name) \(nextNumber)")
        info.protocols = kept.protocols([protocols])
        info.user = Unmanaged.passUnretained(self).toOpaque()
        info.alpn = kept.text("http/1.1")
        // Without an address of its own a host would take the proxy of the environment.
        if getenv("http_proxy") != nil { info.http_proxy_address = kept.text("") }
        configure(&info)
        var host: OpaquePointer?
        log.capture { host = lws_create_vhost(context, &info) }
        return host
    }

    /// Lets libwebsockets look at its timers: those it sets outside of its own callbacks do not
    /// reach libuv before the next event on any socket.
    func poke() {
        lws_cancel_service(context)
    }

    /// Ends everything, in the order that libwebsockets needs with a loop that is not its own.
    func shutDown() {
        mailbox.close()
        for client in clients.values where !client.isEstablished { client.finish(.stopped) }
        for server in servers.values { server.closeListeners() }
        for timer in timers.values { timer.cancel() }
        lws_context_destroy(context)
        for client in clients.values { client.finish(.stopped) }
        servers = [:]
        closeLoop()
    }

    /// Lets the handles' ends run, then frees the context, whose plugin holds their code.
    private func closeLoop() {
        mailbox.closeHandle()
        let deadline = now + 2_000
        while uv_run(uv, UV_RUN_NOWAIT) != 0, now < deadline {
            usleep(200)
        }
        // A handle left over would run code that is unloaded with the context: leak both instead.
        guard uv_loop_alive(uv) == 0 else { return }
        if let context { lws_context_destroy(context) }
        uv_loop_close(uv)
        kept.free()
    }
}
