import Glibc

/// A server of the test's own: it says what it is told to, and nothing else.
final class MuteServer {
    let port: UInt16
    private let listener: Int32
    private var accepted: [Int32] = []

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = UInt32(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let failed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) != 0 || listen(listener, 16) != 0
                    || getsockname(listener, $0, &length) != 0
            }
        }
        guard !failed else { throw RawSocket.Ended() }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        for descriptor in accepted + [listener] { close(descriptor) }
    }

    /// Takes one connection, reads the head of its request, and answers with these bytes.
    @discardableResult
    func answer(_ answer: (String) -> String) throws -> Int32 {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { throw RawSocket.Ended() }
        accepted.append(descriptor)
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            var byte: UInt8 = 0
            guard recv(descriptor, &byte, 1, 0) == 1 else { throw RawSocket.Ended() }
            head.append(byte)
        }
        let bytes = Array(answer(head.string).utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw RawSocket.Ended()
        }
        return descriptor
    }

    /// Takes one connection and makes it a WebSocket.
    @discardableResult
    func acceptWebSocket(subprotocol: String? = "samelist.v1") throws -> Int32 {
        try answer { request in
            let key = request.split(separator: "\r\n").first {
                $0.lowercased().hasPrefix("sec-websocket-key: ")
            }
            let accept = acceptKey(String(key?.dropFirst(19) ?? ""))
            let line = subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
            return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\n\(line)Sec-WebSocket-Accept: \(accept)\r\n\r\n"
        }
    }
}

/// RFC 6455, 4.2.2: the base 64 of the SHA-1 of the key with a fixed text behind it.
private func acceptKey(_ key: String) -> String {
    let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    let command = "printf %s '\(text)' | openssl sha1 -binary | openssl base64"
    guard let pipe = popen(command, "r") else { return "" }
    defer { pclose(pipe) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, 64, pipe) != nil else { return "" }
    return String(decoding: line.prefix { $0 > 32 }.map { UInt8($0) }, as: UTF8.self)
}
