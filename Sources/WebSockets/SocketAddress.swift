internal import CLibuv
import Glibc

/// An address and port, as the system wants it.
struct SocketAddress: Sendable {
    private let storage: sockaddr_storage
    private let length: socklen_t

    /// The addresses of a host, in the system's order of preference; empty when there are none.
    ///
    /// Blocks while a name is looked up, unless `numericOnly`, which knows no names.
    static func lookUp(
        _ host: String, port: UInt16, passive: Bool = false, numericOnly: Bool = false
    ) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = (passive ? AI_PASSIVE : 0) | (numericOnly ? AI_NUMERICHOST : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { entry in
            guard let entry, let address = entry.pointee.ai_addr else { return nil }
            return SocketAddress(address, entry.pointee.ai_addrlen)
        }
    }

    private init?(_ address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t) {
        guard Int(length) <= MemoryLayout<sockaddr_storage>.size else { return nil }
        var storage = sockaddr_storage()
        memcpy(&storage, address, Int(length))
        self.storage = storage
        self.length = length
    }

    private init(_ storage: sockaddr_storage, _ length: socklen_t) {
        self.storage = storage
        self.length = length
    }

    /// Who is at the other end of a socket.
    static func peer(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let failure = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &length)
            }
        }
        return failure == 0 ? SocketAddress(storage, length) : nil
    }

    /// Whether it is a loopback address.
    var isThisMachine: Bool { text.hasPrefix("127.") || text == "::1" }

    /// What one party can be expected to have alone: an address, or with IPv6 a network of 64 bits.
    var place: String {
        guard isIPv6 else { return text }
        return withUnsafeBytes(of: storage) { bytes in
            bytes[8..<16].map { String($0, radix: 16) }.joined(separator: ".")
        }
    }

    var isIPv6: Bool { Int32(storage.ss_family) == AF_INET6 }

    /// Both families keep the port at the same place.
    var port: UInt16 {
        withUnsafeBytes(of: storage) {
            UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }

    func with(port: UInt16?) -> SocketAddress {
        guard let port else { return self }
        var storage = storage
        withUnsafeMutableBytes(of: &storage) {
            $0.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
        }
        return SocketAddress(storage, length)
    }

    /// The address in numbers, without the port.
    var text: String {
        withPointer { address in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
                guard let start = buffer.baseAddress,
                    getnameinfo(address, length, start, 64, nil, 0, NI_NUMERICHOST) == 0
                else { return "" }
                return String(cString: start)
            }
        }
    }

    /// A socket that listens here.
    func listen(_ name: String) throws(WebSocketError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(Int32(storage.ss_family), kind, 0)
        guard descriptor >= 0 else { throw Self.error(errno, name, port) }
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        // So that 0.0.0.0 and :: can both be had.
        if isIPv6 { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        guard withPointer({ bind(descriptor, $0, length) }) == 0,
            Glibc.listen(descriptor, 4_096) == 0
        else {
            let reason = errno
            close(descriptor)
            throw Self.error(reason, name, port)
        }
        return descriptor
    }

    static func boundPort(_ descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let failure = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        return failure == 0 ? SocketAddress(storage, length).port : nil
    }

    private func withPointer<Answer>(_ body: (UnsafePointer<sockaddr>) -> Answer) -> Answer {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    private static func error(_ code: Int32, _ name: String, _ port: UInt16) -> WebSocketError {
        switch code {
        case EADDRINUSE:
            .addressInUse("Port \(port) on \(name) is in use by another program.")
        case EACCES, EPERM:
            .notPermitted("Listening on port \(port) of \(name) is not permitted.")
        case EADDRNOTAVAIL:
            .unknownHost("\(name) is no address of this machine.")
        default:
            .cannotListen(
                "Cannot listen on \(name), port \(port): \(String(cString: strerror(code))).")
        }
    }
}
