internal import CLibwebsockets
import Glibc

/// What libwebsockets calls for everything that happens to a client's socket. Non-zero closes it.
///
/// A client that is gone, because its owner closed it or its time was up, is not found by its
/// number any more; its socket is then closed at the first event.
func clientCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ session: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    switch reason {
    case LWS_CALLBACK_CLIENT_RECEIVE:
        guard let client = client(wsi), case .open(let socket) = client.phase else { return -1 }
        socket.receive(UnsafeRawBufferPointer(start: input, count: length)) {
            client.events?.received($0)
        }
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        guard let client = client(wsi) else { return -1 }
        client.becameWritable()
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        guard let client = client(wsi), case .open(let socket) = client.phase else { return -1 }
        let payload = UnsafeRawBufferPointer(start: input, count: length)
        return socket.peerCloses(payload) ? 0 : -1
    case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
        // A server that names no subprotocol does not speak ours, whatever it says later.
        return lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) > 0 ? 0 : -1
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        guard let wsi, let client = client(wsi) else { return -1 }
        client.established(wsi)
    case LWS_CALLBACK_CLIENT_CLOSED:
        client(wsi).map(closed)
    case LWS_CALLBACK_WSI_DESTROY:
        // Some failures, such as TLS where there is none, are told here only.
        client(wsi).map(closed)
        if let wsi { engine(wsi)?.clientSockets.remove(wsi) }
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        guard let wsi, let client = client(wsi) else { return 0 }
        let words = input.map { text($0, length) } ?? ""
        client.connectFailed(
            words, status: Int(lws_http_client_http_response(wsi)),
            error: pendingError(lws_get_socket_fd(wsi)))
    case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
        if length == 0 { client(wsi)?.distrust = distrust(session) }
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS:
        if let session { TLSContext(of: OpaquePointer(session)).harden() }
    default:
        break
    }
    return 0
}

/// What is wrong with a certificate, by OpenSSL's store context, and what that calls it.
private func distrust(_ store: UnsafeMutableRawPointer?) -> String? {
    guard let store else { return nil }
    let error = X509_STORE_CTX_get_error(OpaquePointer(store))
    let words = String(cString: X509_verify_cert_error_string(Int(error)))
    let meaning: String? =
        switch error {
        case X509_V_ERR_CERT_HAS_EXPIRED: "it has expired"
        case X509_V_ERR_CERT_NOT_YET_VALID: "it is not valid yet"
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            "it is for another host"
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            "its issuer is unknown here"
        default: nil
        }
    return meaning.map { "\($0) (\(words))" } ?? words
}

private func closed(_ client: WebSocketClient) {
    if case .open(let socket) = client.phase {
        client.finish(socket.ended())
    } else {
        client.connectFailed("it was closed", status: 0, error: 0)
    }
}

/// Why the system broke a socket; libwebsockets does not ask.
private func pendingError(_ descriptor: Int32) -> Int32 {
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : 0
}

private func client(_ wsi: OpaquePointer?) -> WebSocketClient? {
    guard let wsi else { return nil }
    return engine(wsi)?.loop?.clients[UInt(bitPattern: lws_get_opaque_user_data(wsi))]
}

private func engine(_ wsi: OpaquePointer) -> Engine? {
    guard let pointer = lws_vhost_user(lws_get_vhost(wsi)) else { return nil }
    return Unmanaged<Engine>.fromOpaque(pointer).takeUnretainedValue()
}

private func text(_ bytes: UnsafeMutableRawPointer, _ length: Int) -> String {
    let bytes = UnsafeRawBufferPointer(start: bytes, count: length)
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}
