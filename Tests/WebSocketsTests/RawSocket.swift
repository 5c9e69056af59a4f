import Glibc

struct Frame: Equatable {
    var opcode: UInt8
    var isFinal = true
    var payload: [UInt8]

    var closeCode: Int? {
        opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
    }
}

/// A POSIX socket that speaks just as badly as a test wants.
final class RawSocket {
    let descriptor: Int32
    private var pending: [UInt8] = []
    private var position = 0

    struct Ended: Error {}

    /// - Parameter receiveBuffer: a small one makes a slow reader.
    init(port: UInt16, receiveBuffer: Int32? = nil, seconds: Int = 20) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
        }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, UInt32(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, UInt32(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let failure = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, UInt32(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard failure == 0 else { throw Ended() }
    }

    deinit {
        close(descriptor)
    }

    /// A socket that is a WebSocket already.
    static func open(port: UInt16, receiveBuffer: Int32? = nil) throws -> RawSocket {
        let socket = try RawSocket(port: port, receiveBuffer: receiveBuffer)
        let answer = try socket.handshake()
        guard answer.hasPrefix("HTTP/1.1 101") else { throw Ended() }
        return socket
    }

    /// Asks to become a WebSocket, and returns the head of the answer.
    func handshake(
        version: String? = "13", subprotocol: String? = "samelist.v1", more: [String] = []
    ) throws -> String {
        var lines = [
            "GET / HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        if let version { lines.append("Sec-WebSocket-Version: \(version)") }
        if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
        try send(Array((lines + more + ["", ""]).joined(separator: "\r\n").utf8))
        return try readHead()
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Ended() }
            sent += count
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func sendText(_ payload: [UInt8]) throws {
        try send(Self.frame(1, payload))
    }

    static func frame(
        _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, isMasked: Bool = true
    ) -> [UInt8] {
        let flag: UInt8 = isMasked ? 0x80 : 0
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        switch payload.count {
        case ..<126: bytes.append(flag | UInt8(payload.count))
        case ..<65_536:
            bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        default:
            bytes.append(flag | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        bytes += key
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index & 3]) }
        return bytes
    }

    /// The next frame, control frames included.
    func readFrame() throws -> Frame {
        let head = try read(2)
        let short = Int(head[1] & 0x7f)
        var length = short
        guard head[1] & 0x80 == 0, head[0] & 0x70 == 0 else { throw Ended() }
        if short == 126 { length = try read(2).reduce(0) { $0 << 8 | Int($1) } }
        if short == 127 { length = try read(8).reduce(0) { $0 << 8 | Int($1) } }
        return Frame(opcode: head[0] & 0xf, isFinal: head[0] & 0x80 != 0, payload: try read(length))
    }

    func readHead() throws -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head += try read(1) }
        return String(decoding: head, as: UTF8.self)
    }

    func read(_ count: Int) throws -> [UInt8] {
        while pending.count - position < count {
            guard try fill() else { throw Ended() }
        }
        defer {
            position += count
            if position > 1 << 16 {
                pending.removeFirst(position)
                position = 0
            }
        }
        return Array(pending[position..<(position + count)])
    }

    /// Everything up to the end of the connection.
    func readToEnd() throws -> [UInt8] {
        while try fill() {}
        defer { pending = [] }
        return Array(pending[position...])
    }

    /// False at the end; throws when nothing came in time.
    private func fill() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN { throw TimedOut() }
        guard count > 0 else { return false }
        pending += buffer[..<count]
        return true
    }
}
