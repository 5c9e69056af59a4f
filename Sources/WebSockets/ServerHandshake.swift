internal import CLibwebsockets

/// Decides on a request to become a WebSocket, before libwebsockets does: it would take any
/// origin, any version, and a missing subprotocol. 0 lets it go on; 1 says that it was answered.
func confirmUpgrade(
    _ wsi: OpaquePointer, _ server: WebSocketServer, to input: UnsafeMutableRawPointer?
) -> Int32 {
    let wanted = input.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
    guard wanted.lowercased() == "websocket" else {
        // HTTP/2 over plain text is offered by some clients; we may go on without it.
        return answer(wsi, server, closes: true) == 0 ? 1 : -1
    }
    guard let refusal = refusal(wsi, server) else { return 0 }
    return write(refusal.response.bytes(closes: true, header: refusal.header), to: wsi) ? 1 : -1
}

private func refusal(
    _ wsi: OpaquePointer, _ server: WebSocketServer
) -> (response: HTTPResponse, header: String)? {
    func refuse(_ status: Int, _ sentence: String, header: String = "") -> (HTTPResponse, String) {
        (HTTPResponse(status: status, text: sentence + "\n"), header)
    }
    let port = SocketAddress.boundPort(lws_get_socket_fd(wsi)) ?? 0
    guard !server.plainPorts.contains(port) else {
        return refuse(404, "No WebSocket is here.")
    }
    guard header(wsi, WSI_TOKEN_GET_URI) != nil, header(wsi, WSI_TOKEN_KEY) != nil,
        header(wsi, WSI_TOKEN_HOST) != nil
    else { return refuse(400, "This is no proper WebSocket handshake.") }
    guard header(wsi, WSI_TOKEN_VERSION) == "13" else {
        return refuse(
            426, "Only version 13 of WebSocket is spoken here.",
            header: "Sec-WebSocket-Version: 13\r\n")
    }
    if let origin = header(wsi, WSI_TOKEN_ORIGIN) ?? header(wsi, WSI_TOKEN_SWORIGIN) {
        guard server.delegate?.allowsOrigin(origin) == true else {
            return refuse(403, "Pages of this origin may not connect.")
        }
    }
    let offered = (header(wsi, WSI_TOKEN_PROTOCOL) ?? "").split { $0 == "," || $0 == " " }
    guard offered.contains(Substring(server.options.subprotocol)) else {
        return refuse(400, "The subprotocol here is \(server.options.subprotocol).")
    }
    guard server.delegate?.takesWebSockets == true else {
        return refuse(
            503, "The server is about to end; come back soon.", header: "Retry-After: 1\r\n")
    }
    guard !server.isCrowded(wsi) else {
        return refuse(
            429, "At most \(server.options.maxPerAddress) connections of one address are served.",
            header: "Retry-After: 5\r\n")
    }
    let authorization = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION)
    guard server.delegate?.admits(authorization: authorization) == true else {
        return refuse(
            401, "A token that holds is needed here.", header: "WWW-Authenticate: Bearer\r\n")
    }
    server.authorizations[wsi] = authorization
    return nil
}

/// Answers a plain HTTP request. 0 keeps the connection, non-zero closes it.
func answer(_ wsi: OpaquePointer, _ server: WebSocketServer, closes: Bool = false) -> Int32 {
    guard let delegate = server.delegate else { return -1 }
    let head = header(wsi, WSI_TOKEN_HEAD_URI)
    guard let path = head ?? header(wsi, WSI_TOKEN_GET_URI) else {
        let refusal = HTTPResponse(status: 405, text: "Only GET and HEAD are understood.\n")
        _ = write(refusal.bytes(closes: true, header: "Allow: GET, HEAD\r\n"), to: wsi)
        return -1
    }
    let port = SocketAddress.boundPort(lws_get_socket_fd(wsi)) ?? 0
    let request = HTTPRequest(method: head == nil ? "GET" : "HEAD", path: path, port: port)
    let response = delegate.respond(to: request)
    let bytes = response.bytes(isHead: head != nil, closes: closes)
    guard write(bytes, to: wsi) else { return -1 }
    if closes { return 0 }
    server.startClock(for: wsi)
    return lws_http_transaction_completed(wsi) == 0 ? 0 : -1
}

/// All values of a header, as libwebsockets joins them; nil when there is none.
private func header(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
    let length = Int(lws_hdr_total_length(wsi, token))
    guard length > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 16) { buffer in
        guard let start = buffer.baseAddress,
            lws_hdr_copy(wsi, start, Int32(buffer.count), token) >= 0
        else { return nil }
        return String(cString: start)
    }
}

private func write(_ bytes: [UInt8], to wsi: OpaquePointer) -> Bool {
    var bytes = bytes
    return lws_write(wsi, &bytes, bytes.count, LWS_WRITE_HTTP_FINAL) >= 0
}
