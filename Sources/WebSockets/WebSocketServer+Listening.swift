internal import CLibwebsockets
import Glibc

extension WebSocketServer {
    /// Listens on every address of `host`, such as `127.0.0.1`, `localhost` or `::`, and answers
    /// the port. Any thread may call this; it blocks while a name is looked up.
    ///
    /// It may be called again for other addresses. All with TLS show the same certificate, and
    /// come before those without.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - takesWebSockets: otherwise this port answers plain HTTP only.
    @discardableResult
    package func listen(
        host: String, port: UInt16, tls: TLSFiles? = nil, takesWebSockets: Bool = true
    ) throws(WebSocketError) -> UInt16 {
        let addresses = SocketAddress.lookUp(host, port: port, passive: true)
        guard !addresses.isEmpty else {
            throw .unknownHost("There is no address for \(host).")
        }
        return try loop.perform { [self] () throws(WebSocketError) in
            try prepareHost(tls)
            let bound = try open(addresses, host, isSecure: tls != nil)
            if self.port == 0 { self.port = bound }
            if !takesWebSockets { plainPorts.insert(bound) }
            return bound
        }
    }

    private func open(
        _ addresses: [SocketAddress], _ name: String, isSecure: Bool
    ) throws(WebSocketError) -> UInt16 {
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
        // Half a name would send some clients to whoever has the other half.
        if case .addressInUse = failure, let failure, addresses[0].port != 0 {
            for descriptor in descriptors { close(descriptor) }
            throw failure
        }
        listeners += descriptors.map { Listener($0, self, isSecure: isSecure) }
        return bound
    }

    /// libwebsockets finds the host of a connection by the port, which all without a listener of
    /// its own share; so there can be one for each loop only.
    private func prepareHost(_ tls: TLSFiles?) throws(WebSocketError) {
        guard !loop.isStopping else { throw .cannotListen("The event loop was stopped.") }
        guard loop.server == nil || loop.server === self else {
            throw .cannotListen("This event loop has another server already.")
        }
        if host != nil {
            guard tls == nil || tls == self.tls else {
                throw .cannotListen("The server has another certificate, or none, already.")
            }
            return
        }
        if let tls { try TLSContext.check(tls) }
        guard let host = makeHost(tls) else { throw certificateError(tls) }
        self.host = host
        self.tls = tls
        loop.server = self
    }

    /// The virtual host of this server: plain HTTP first, then the subprotocol.
    private func makeHost(_ tls: TLSFiles?) -> OpaquePointer? {
        var http = lws_protocols()
        http.name = loop.engine.kept.text("http")
        http.callback = serverCallback
        http.rx_buffer_size = 4_096
        http.tx_packet_size = 65_536
        var webSocket = http
        webSocket.name = loop.engine.kept.text(options.subprotocol)
        webSocket.per_session_data_size = MemoryLayout<UnsafeRawPointer?>.size
        webSocket.tx_packet_size = max(65_536, options.maxWrite)
        return loop.engine.makeHost("server", protocols: [http, webSocket]) { info in
            info.port = CONTEXT_PORT_NO_LISTEN_SERVER
            info.user = Unmanaged.passUnretained(self).toOpaque()
            info.retry_and_idle_policy = loop.engine.kept.noPings()
            guard let tls else { return }
            info.options = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
            info.ssl_cert_filepath = loop.engine.kept.text(tls.certificate)
            info.ssl_private_key_filepath = loop.engine.kept.text(tls.key)
            info.ssl_cipher_list = loop.engine.kept.text(Self.ciphers)
        }
    }

    /// Of TLS 1.2: forward secrecy and authenticated encryption alone. TLS 1.3 has nothing else.
    private static let ciphers =
        "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
        + "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"

    private func certificateError(_ tls: TLSFiles?) -> WebSocketError {
        guard let tls else { return .cannotListen("libwebsockets made no virtual host.") }
        return .badCertificate(
            "The certificate \(tls.certificate) with the key \(tls.key) cannot be used.")
    }

    /// Takes over a socket that a listener accepted.
    func adopt(_ descriptor: Int32, isSecure: Bool) {
        // Some descriptors are left to the rest of the program, such as its database.
        guard let host, socketCount < options.maxConnections,
            Int(descriptor) < loop.engine.descriptors - 64
        else {
            close(descriptor)
            return
        }
        let place: String?
        do throws(Crowded) {
            place = try self.place(of: descriptor)
        } catch {
            close(descriptor)
            return
        }
        setOption(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: options.sendBuffer))
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // Unanswered bytes end the connection when pings would, not after the kernel's 15 minutes.
        setOption(
            descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT,
            options.pingAfterSeconds == 0 ? 0 : Int32(options.hangUpAfterSeconds) * 1_000)
        var type = LWS_ADOPT_SOCKET.rawValue | LWS_ADOPT_HTTP.rawValue
        if isSecure { type |= LWS_ADOPT_ALLOW_SSL.rawValue }
        let wsi = lws_adopt_descriptor_vhost(
            host, lws_adoption_type(type), lws_sock_file_fd_type(sockfd: descriptor), nil, nil)
        if let wsi, let place { count(wsi, at: place) }
    }
}

func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
}
