import Glibc
import Threads

/// A proxy on loopback that passes everything on, but for one frame of entries to one client, which
/// it drops, doubles or alters.
final class FaultyProxy: @unchecked Sendable {
    // because descriptors are safe to share, and what changes is locked.

    enum Fault: CaseIterable {
        case drops, doubles, alters, none
    }

    private let listener: Int32
    private let server: UInt16
    private let fault: Fault
    /// How many frames of entries have passed; the fault comes after so many.
    private let passed = Locked(0)
    private let after: Int
    let port: UInt16

    init(to server: UInt16, _ fault: Fault, after: Int) throws {
        self.server = server
        self.fault = fault
        self.after = after
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(0)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let port = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Bool in
                var length = length
                return bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard port else { throw LoadProgram.NotBuilt(path: "the proxy") }
        self.port = address.sin_port.bigEndian
        Thread.start { [self] in acceptAll() }?.detach()
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.loopback(server)
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            Thread.start { [self] in copy(from: client, to: upstream, harms: false) }?.detach()
            Thread.start { [self] in copy(from: upstream, to: client, harms: true) }?.detach()
        }
        close(listener)
    }

    private func copy(from source: Int32, to target: Int32, harms: Bool) {
        var frames = ServerBytes()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            let bytes = Array(buffer.prefix(count))
            let pieces = harms ? frames.take(bytes).flatMap(harmed) : [bytes]
            for piece in pieces where !sendAll(piece, target) { break }
        }
        shutdown(target, Int32(SHUT_RDWR))
        shutdown(source, Int32(SHUT_RDWR))
    }

    private func harmed(_ piece: [UInt8]) -> [[UInt8]] {
        guard ServerBytes.isEntries(piece) else { return [piece] }
        let number = passed.withLock { passed in
            passed += 1
            return passed
        }
        guard number == after else { return [piece] }
        switch fault {
        case .none: return [piece]
        case .drops: return []
        case .doubles: return [piece, piece]
        case .alters:
            // The last letter of the text: the frame is still well-formed.
            guard let at = piece.lastIndex(of: UInt8(ascii: "x")) else { return [piece] }
            var other = piece
            other[at] = UInt8(ascii: "y")
            return [other]
        }
    }

    private func sendAll(_ bytes: [UInt8], _ target: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// What a server sends, cut into its answer to the handshake and whole frames.
struct ServerBytes {
    private var rest: [UInt8] = []
    private var isOpen = false

    mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        rest += bytes
        var pieces: [[UInt8]] = []
        while let length = nextLength {
            pieces.append(Array(rest.prefix(length)))
            rest.removeFirst(length)
        }
        return pieces
    }

    private var nextLength: Int? {
        mutating get {
            guard isOpen else {
                guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
                isOpen = true
                return end.upperBound
            }
            guard let header = Self.header(rest), rest.count >= header.length else { return nil }
            return header.length
        }
    }

    /// Of a frame without a mask: where its text begins, and its length with the header.
    private static func header(_ bytes: [UInt8]) -> (text: Int, length: Int)? {
        guard bytes.count >= 2 else { return nil }
        let short = Int(bytes[1] & 0x7F)
        guard short >= 126 else { return (2, 2 + short) }
        let text = short == 126 ? 4 : 10
        guard bytes.count >= text else { return nil }
        return (text, text + bytes[2..<text].reduce(0) { $0 << 8 | Int($1) })
    }

    static func isEntries(_ piece: [UInt8]) -> Bool {
        guard piece.first == 0x81, let header = header(piece) else { return false }
        return piece[header.text...].starts(with: Array(#"{"t":"entries""#.utf8))
    }
}
