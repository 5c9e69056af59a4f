import Foundation

/// What systemd would be: a socket on which a service tells how it is.
final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init() throws {
        path = try temporaryFolder().path + "/notify"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw Unexpected("no socket at \(path)") }
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The next message that is not `WATCHDOG=1`, or the next that is.
    func next(isWatchdog: Bool = false) throws -> [String] {
        while true {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { throw Unexpected("it is silent") }
            let lines = String(decoding: bytes[..<count], as: UTF8.self)
                .split(separator: "\n").map(String.init)
            if (lines == ["WATCHDOG=1"]) == isWatchdog { return lines }
        }
    }
}
