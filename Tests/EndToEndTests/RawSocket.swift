import Glibc

/// A plain TCP connection to this machine, for what no honest client would send.
final class RawSocket {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let failure = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if failure != 0 { throw Unexpected("port \(port): \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        send(bytes: Array(text.utf8))
    }

    func send(bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Sends without end what is asked for, and throws away what is answered, until `isOver` or the
    /// other end has had enough. False: it has.
    func pour(_ bytes: [UInt8], while goesOn: () -> Bool) -> Bool {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var waste = [UInt8](repeating: 0, count: 1 << 16)
        var at = 0
        while goesOn() {
            let count = bytes[at...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 || errno == EAGAIN else { return false }
            if count > 0 { at = at + count == bytes.count ? 0 : at + count }
            var there = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if count < 0 { there.events |= Int16(POLLOUT) }
            guard poll(&there, 1, count > 0 ? 0 : 50) > 0 else { continue }
            guard there.revents & Int16(POLLIN) != 0 else { continue }
            let read = recv(descriptor, &waste, waste.count, 0)
            guard read > 0 || (read < 0 && errno == EAGAIN) else { return false }
        }
        return true
    }

    /// Waits so long for the other end, at most; true: it says something, or is gone.
    func hears(within milliseconds: Int32) -> Bool {
        var there = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&there, 1, milliseconds) > 0
    }

    /// Reads until `mark` has come, or the end.
    func read(upTo mark: String) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !text.contains(mark) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { break }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return text
    }

    /// Asks for a page, and answers its status and body.
    static func get(
        _ path: String, port: UInt16, method: String = "GET"
    ) throws -> (status: Int, body: String) {
        let socket = try RawSocket(port: port)
        socket.send("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let answer = socket.read(upTo: "no such mark")
        guard let found = answer.firstMatch(of: /^HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n/),
            let status = Int(found.1)
        else { throw Unexpected("no HTTP: \(answer)") }
        return (status, String(answer[found.range.upperBound...]))
    }

    /// Becomes a WebSocket that never says anything by itself.
    func becomeWebSocket() throws {
        askForWebSocket()
        let answer = read(upTo: "\r\n\r\n")
        guard answer.contains(" 101 ") else { throw Unexpected(answer) }
    }

    /// - Parameter header: more lines, each with its end.
    func askForWebSocket(_ path: String = "/", header: String = "") {
        send(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: samelist.v1\r\n"
                + header + "\r\n")
    }

    /// Sends a text message; a mask of zeros is one, too.
    func say(_ text: String) {
        let payload = Array(text.utf8)
        let length: [UInt8] =
            payload.count < 126
            ? [0x80 | UInt8(payload.count)]
            : [0xFE, UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF)]
        send(bytes: [0x81] + length + [0, 0, 0, 0] + payload)
    }
}
