internal import CLibwebsockets
import Glibc
internal import Threads

extension WebSocketClient {
    /// Finds the addresses of the host; names on a thread of their own, since that may take long.
    func lookUp() {
        let (host, port) = (endpoint.host, endpoint.port)
        let known = SocketAddress.lookUp(host, port: port, numericOnly: true)
        guard known.isEmpty else { return tryNext(of: known[...]) }
        let thread = Thread.start { [self] in
            let addresses = SocketAddress.lookUp(host, port: port)
            loop.post { [self] in
                guard case .lookingUp = phase else { return }
                tryNext(of: addresses[...])
            }
        }
        guard let thread else {
            return finish(.failed(.other, "There was no thread to look \(host) up with."))
        }
        thread.detach()
    }

    /// Connects to the first of these addresses; the others are tried when nobody answers there.
    func tryNext(of addresses: ArraySlice<SocketAddress>) {
        guard let address = addresses.first else {
            return finish(.failed(.unknownHost, "There is no address for \(endpoint.host)."))
        }
        let host = endpoint.tls ? loop.engine.trustingHost(endpoint.caFile) : loop.engine.plainHost
        guard let host else {
            return finish(
                .failed(.untrusted, "The authorities in \(endpoint.caFile ?? "") cannot be read."))
        }
        let rest = addresses.dropFirst()
        phase = .connecting(nil, rest: rest)
        takeNumber()
        guard let wsi = connect(address, host) else { return nobodyThere(nil) }
        phase = .connecting(wsi, rest: rest)
        loop.engine.clientSockets.insert(wsi)
        loop.engine.poke()
        guard !rest.isEmpty else { return }
        // An address that swallows everything must not use up the time of the others.
        let attempt = number
        loop.after(milliseconds: min(2_500, options.connectMilliseconds / 3)) { [weak self] in
            guard let self, number == attempt else { return }
            nobodyThere(nil)
        }
    }

    /// Goes on with the next address, if there is one.
    private func nobodyThere(_ reason: String?) {
        guard case .connecting(let wsi, let rest) = phase else { return }
        if let wsi { loop.kill(wsi) }
        phase = .connecting(nil, rest: rest)
        guard rest.isEmpty else {
            // Not from inside a callback that libwebsockets makes for the last address.
            loop.post { [self] in
                if case .connecting(nil, let rest) = phase { tryNext(of: rest) }
            }
            return
        }
        let why = reason.map { " (\($0))" } ?? ""
        finish(.failed(.refused, "No server answers at \(endpoint.host):\(endpoint.port)\(why)."))
    }

    private func connect(_ address: SocketAddress, _ host: OpaquePointer) -> OpaquePointer? {
        var info = lws_client_connect_info()
        info.context = loop.engine.context
        info.vhost = host
        info.port = Int32(endpoint.port)
        info.ssl_connection = Int32(LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue)
        if endpoint.tls { info.ssl_connection |= Int32(LCCSCF_USE_SSL.rawValue) }
        info.opaque_user_data = UnsafeMutableRawPointer(bitPattern: number)
        info.retry_and_idle_policy = loop.engine.kept.noPings()
        return address.text.withCString { address in
            endpoint.path.withCString { path in
                hostHeader.withCString { header in
                    options.subprotocol.withCString { subprotocol in
                        "samelist-client".withCString { local in
                            "http/1.1".withCString { alpn in
                                info.address = address
                                info.path = path
                                info.host = header
                                info.protocol = subprotocol
                                info.local_protocol_name = local
                                info.alpn = alpn
                                return lws_client_connect_via_info(&info)
                            }
                        }
                    }
                }
            }
        }
    }

    private var hostHeader: String {
        let name = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
        return endpoint.port == (endpoint.tls ? 443 : 80) ? name : "\(name):\(endpoint.port)"
    }

    /// libwebsockets gave up on the address; it tells why in words of its own only.
    func connectFailed(_ words: String, status: Int, error: Int32) {
        guard case .connecting(_, let rest) = phase else { return }
        // libwebsockets frees the connection after this.
        phase = .connecting(nil, rest: rest)
        let place = "\(endpoint.host):\(endpoint.port)"
        if let distrust {
            finish(.failed(.untrusted, "The certificate of \(place) is not trusted: \(distrust)."))
        } else if status != 0, status != 101 {
            finish(.failed(.httpStatus(status), "\(place) answered with HTTP status \(status)."))
        } else if error != 0 || words == "Unable to connect" {
            nobodyThere(error == 0 ? nil : String(cString: strerror(error)))
        } else if words.contains("PROTOCOL") || words.contains("Rejected by filter") {
            finish(
                .failed(.protocolRefused, "\(place) does not speak \(options.subprotocol)."))
        } else if words.contains("SSL") {
            finish(
                .failed(.untrusted, "\(place) does not speak TLS; if it is meant so, use ws://."))
        } else if !endpoint.tls, status == 0 {
            finish(
                .failed(
                    .other,
                    "\(place) broke the connection off without an answer (\(words)); if it speaks "
                        + "TLS, use wss://."))
        } else {
            finish(.failed(.other, "The connection to \(place) broke while it opened: \(words)."))
        }
    }
}
