import Glibc

/// A WebSocket by hand: what its handshake says, and what it sends, is up to the test.
final class RawClient {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// Of the answer to the handshake.
    let status: Int
    /// The whole head of that answer, with what came behind it where it was no 101.
    private(set) var head: String

    /// - Parameters:
    ///   - headers: whole lines besides the usual ones, of which `Host` is the first.
    ///   - ending: what comes behind the last of them.
    init(
        port: UInt16, path: String = "/", headers: [String] = [],
        key: String = "dGhlIHNhbXBsZSBub25jZQ==", subprotocol: String = "samelist.v1",
        ending: String = "\r\n\r\n"
    ) throws {
        descriptor = try Self.connected(port)
        let lines =
            [
                "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket",
                "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Protocol: \(subprotocol)",
            ] + headers
        head = ""
        Self.write(Array((lines.joined(separator: "\r\n") + ending).utf8), to: descriptor)
        let end = Array("\r\n\r\n".utf8)
        while buffer.firstRange(of: end) == nil {
            guard Self.read(descriptor, &buffer) else { break }
        }
        let range = buffer.firstRange(of: end) ?? buffer.endIndex..<buffer.endIndex
        head = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
        buffer.removeSubrange(..<range.upperBound)
        status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        if status != 101 {
            while Self.read(descriptor, &buffer) {}
            head += "\n" + String(decoding: buffer, as: UTF8.self)
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let payload = Array(text.utf8)
        var frame: [UInt8] = [0x81]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else if payload.count < 1 << 16 {
            frame += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        } else {
            frame.append(0xFF)
            for shift in stride(from: 56, through: 0, by: -8) {
                frame.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        // A mask of zeros is one, too.
        Self.write(frame + [0, 0, 0, 0] + payload, to: descriptor)
    }

    enum Frame: Equatable {
        case text(String)
        case close(UInt16)
        case other
    }

    /// The next frame; `nil`: the connection is over, or nothing came for 20 s.
    func next() -> Frame? {
        while true {
            if let frame = parse() { return frame }
            guard Self.read(descriptor, &buffer) else { return nil }
        }
    }

    private func parse() -> Frame? {
        guard buffer.count >= 2 else { return nil }
        var (length, at) = (Int(buffer[1] & 0x7F), 2)
        if length >= 126 {
            let size = length == 126 ? 2 : 8
            guard buffer.count >= 2 + size else { return nil }
            length = buffer[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
            at += size
        }
        guard buffer.count >= at + length else { return nil }
        let payload = Array(buffer[at..<at + length])
        let opcode = buffer[0] & 0x0F
        buffer.removeSubrange(..<(at + length))
        switch opcode {
        case 1: return .text(String(decoding: payload, as: UTF8.self))
        case 8: return .close(payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) })
        default: return .other
        }
    }

    private static func connected(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let failure = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard failure == 0 else {
            close(descriptor)
            throw Unexpected("port \(port): \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            done += count
        }
    }

    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer += bytes.prefix(count)
        return true
    }
}
