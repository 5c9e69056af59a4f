internal import CLibwebsockets

/// What libwebsockets calls for everything that happens to a server's sockets. Non-zero closes
/// the connection, except where noted.
///
/// The connection of a WebSocket is retained in its per-session data, from ESTABLISHED to CLOSED,
/// which come once each.
func serverCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ session: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    switch reason {
    case LWS_CALLBACK_RECEIVE:
        guard let connection = connection(session), let delegate = delegate(wsi) else { return -1 }
        connection.socket.receive(UnsafeRawBufferPointer(start: input, count: length)) {
            delegate.received($0, on: connection)
        }
    case LWS_CALLBACK_SERVER_WRITEABLE:
        guard let connection = connection(session) else { return -1 }
        if connection.socket.becameWritable() { delegate(wsi)?.writable(connection) }
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        guard let connection = connection(session) else { return -1 }
        let payload = UnsafeRawBufferPointer(start: input, count: length)
        return connection.socket.peerCloses(payload) ? 0 : -1
    case LWS_CALLBACK_ESTABLISHED:
        return established(wsi, session)
    case LWS_CALLBACK_CLOSED:
        closed(wsi, session)
    case LWS_CALLBACK_WSI_CREATE:
        if let wsi { server(wsi)?.created(wsi) }
    case LWS_CALLBACK_WSI_DESTROY:
        if let wsi { server(wsi)?.destroyed(wsi) }
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        guard let wsi, let server = server(wsi) else { return -1 }
        return confirmUpgrade(wsi, server, to: input)
    case LWS_CALLBACK_HTTP:
        guard let wsi, let server = server(wsi) else { return -1 }
        return answer(wsi, server)
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
        madeContext(session, for: input)
    case LWS_CALLBACK_HTTP_BODY:
        // Nothing here takes a body.
        return -1
    default:
        break
    }
    return 0
}

/// `context` is OpenSSL's for all connections of the virtual host `host`.
private func madeContext(_ context: UnsafeMutableRawPointer?, for host: UnsafeMutableRawPointer?) {
    guard let context, let host, let user = lws_vhost_user(OpaquePointer(host)) else { return }
    Unmanaged<WebSocketServer>.fromOpaque(user).takeUnretainedValue()
        .adopt(TLSContext(of: OpaquePointer(context)))
}

private func established(_ wsi: OpaquePointer?, _ session: UnsafeMutableRawPointer?) -> Int32 {
    guard let wsi, let server = server(wsi), let session, let delegate = server.delegate else {
        return -1
    }
    let connection = server.makeConnection(wsi)
    session.storeBytes(
        of: Unmanaged.passRetained(connection).toOpaque(), as: UnsafeMutableRawPointer?.self)
    delegate.opened(connection)
    return 0
}

private func closed(_ wsi: OpaquePointer?, _ session: UnsafeMutableRawPointer?) {
    guard let session,
        let pointer = session.load(as: UnsafeMutableRawPointer?.self)
    else { return }
    session.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self)
    let connection = Unmanaged<WebSocketConnection>.fromOpaque(pointer).takeRetainedValue()
    let reason = connection.socket.ended()
    guard let wsi, let server = server(wsi) else { return }
    server.remove(connection)
    server.delegate?.closed(connection, reason)
    connection.attachment = nil
}

private func connection(_ session: UnsafeMutableRawPointer?) -> WebSocketConnection? {
    guard let pointer = session?.load(as: UnsafeMutableRawPointer?.self) else { return nil }
    return Unmanaged<WebSocketConnection>.fromOpaque(pointer).takeUnretainedValue()
}

private func server(_ wsi: OpaquePointer) -> WebSocketServer? {
    guard let pointer = lws_vhost_user(lws_get_vhost(wsi)) else { return nil }
    return Unmanaged<WebSocketServer>.fromOpaque(pointer).takeUnretainedValue()
}

private func delegate(_ wsi: OpaquePointer?) -> (any WebSocketServerDelegate)? {
    guard let wsi else { return nil }
    return server(wsi)?.delegate
}
