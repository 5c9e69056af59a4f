internal import CLibwebsockets
import Glibc

extension WebSocketServer {
    /// Listens on every address of `host`, such as `127.0.0.1`, `localhost` or `::`. To be called
    /// once, from any thread; it blocks while a name is looked up.
    ///
    /// - Parameter port: 0 for any that is free; `self.port` then tells which.
    package func listen(
        host: String, port: UInt16, tls: TLSFiles? = nil
    ) throws(WebSocketError) {
        let addresses = SocketAddress.lookUp(host, port: port, passive: true)
        guard !addresses.isEmpty else {
            throw .unknownHost("There is no address for \(host).")
        }
        try loop.perform { [self] () throws(WebSocketError) in
            guard !loop.isStopping else { throw .cannotListen("The event loop was stopped.") }
            guard self.host == nil else { throw .cannotListen("The server listens already.") }
            try open(addresses, host, tls)
        }
    }

    private func open(
        _ addresses: [SocketAddress], _ name: String, _ tls: TLSFiles?
    ) throws(WebSocketError) {
        guard let host = makeHost(tls) else { throw certificateError(tls) }
        var descriptors: [Int32] = []
        var bound: UInt16?
        var failure: WebSocketError?
        for address in addresses {
            do throws(WebSocketError) {
                // The second address of a name gets the port that the first one was given.
                let descriptor = try address.with(port: bound).listen(name)
                descriptors.append(descriptor)
                bound = bound ?? SocketAddress.boundPort(descriptor)
            } catch {
                failure = failure ?? error
            }
        }
        guard let bound else { throw failure ?? .cannotListen("Nothing to listen on.") }
        if case .addressInUse(let sentence) = failure, port == 0, addresses[0].port != 0 {
            for descriptor in descriptors { close(descriptor) }
            throw .addressInUse(sentence)
        }
        self.host = host
        port = bound
        listeners = descriptors.map { Listener($0, self) }
        loop.servers[ObjectIdentifier(self)] = self
    }

    /// The virtual host of this server: plain HTTP first, then the subprotocol.
    private func makeHost(_ tls: TLSFiles?) -> OpaquePointer? {
        var http = lws_protocols()
        http.name = loop.kept.text("http")
        http.callback = serverCallback
        http.rx_buffer_size = 4_096
        http.tx_packet_size = 65_536
        var webSocket = http
        webSocket.name = loop.kept.text(options.subprotocol)
        webSocket.per_session_data_size = MemoryLayout<UnsafeRawPointer?>.size
        webSocket.tx_packet_size = max(65_536, options.maxWrite)
        return loop.makeHost("server") { info in
            info.port = CONTEXT_PORT_NO_LISTEN_SERVER
            info.user = Unmanaged.passUnretained(self).toOpaque()
            info.protocols = loop.kept.protocols([http, webSocket])
            info.retry_and_idle_policy = loop.kept.idlePolicy(
                pingAfter: options.pingAfterSeconds, hangUpAfter: options.hangUpAfterSeconds)
            guard let tls else { return }
            info.options = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
            info.ssl_cert_filepath = loop.kept.text(tls.certificate)
            info.ssl_private_key_filepath = loop.kept.text(tls.key)
        }
    }

    private func certificateError(_ tls: TLSFiles?) -> WebSocketError {
        guard let tls else { return .cannotListen("libwebsockets made no virtual host.") }
        return .badCertificate(
            "The certificate \(tls.certificate) with the key \(tls.key) cannot be used.")
    }

    /// Takes over a socket that a listener accepted.
    func adopt(_ descriptor: Int32) {
        // Some descriptors are left to the rest of the program, such as its database.
        guard let host, socketCount < options.maxConnections,
            Int(descriptor) < descriptorLimit() - 64
        else {
            close(descriptor)
            return
        }
        setOption(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: options.sendBuffer))
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // Unanswered bytes end the connection when pings would, not after the kernel's 15 minutes.
        setOption(
            descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT,
            Int32(options.hangUpAfterSeconds) * 1_000)
        lws_adopt_socket_vhost(host, descriptor)
    }
}

func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
}
