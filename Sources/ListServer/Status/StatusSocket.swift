internal import Glibc
internal import Threads

/// A socket in the data folder by which its owner, and root, ask the running server what it does: a
/// line asks, a line answers. It lives as long as the server, on a thread of its own; whoever asks
/// slowly holds up nobody but others who ask.
final class StatusSocket: Sendable {
    static let name = "samelistd.sock"
    /// Bytes of a question.
    private static let most = 256

    private let descriptor: Int32
    private let thread: Thread?
    private let folder: String
    private let isOver = Locked(false)

    /// `nil` where the folder takes no socket; the reason is in `errno`.
    ///
    /// - Parameter answer: called on the socket's thread.
    init?(in folder: String, answer: @escaping @Sendable (String) -> [UInt8]) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        // What a server left that was killed; nobody else has the folder's lock.
        unlink(folder + "/" + Self.name)
        // On Linux the file gets the mode of the descriptor.
        fchmod(descriptor, 0o600)
        let isBound = StatusAddress.of(folder) { bind(descriptor, $0, $1) } == 0
        guard isBound, listen(descriptor, 16) == 0 else {
            let reason = errno
            close(descriptor)
            errno = reason
            return nil
        }
        self.descriptor = descriptor
        self.folder = folder
        thread = Thread.start { Self.serve(descriptor, answer) }
    }

    /// Answers nobody any more. Repeating it does nothing.
    func end() {
        guard
            isOver.withLock({ isOver in
                defer { isOver = true }
                return !isOver
            })
        else { return }
        unlink(folder + "/" + Self.name)
        shutdown(descriptor, Int32(SHUT_RDWR))
        thread?.join()
        close(descriptor)
    }

    private static func serve(_ descriptor: Int32, _ answer: (String) -> [UInt8]) {
        while true {
            let asker = accept(descriptor, nil, nil)
            if asker < 0, [EMFILE, ENFILE, ENOMEM].contains(errno) {
                poll(nil, 0, 100)
                continue
            }
            if asker < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
            guard asker >= 0 else { return }
            _ = fcntl(asker, F_SETFD, FD_CLOEXEC)
            if isTrusted(asker), let question = read(asker) {
                write(answer(question) + [UInt8(ascii: "\n")], to: asker)
            }
            close(asker)
        }
    }

    private static func isTrusted(_ asker: Int32) -> Bool {
        // Its process, user and group.
        var peer: [UInt32] = [0, .max, 0]
        var size = socklen_t(12)
        guard getsockopt(asker, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { return false }
        return peer[1] == geteuid() || peer[1] == 0
    }

    private static func read(_ asker: Int32) -> String? {
        StatusAddress.setPatience(asker)
        var bytes: [UInt8] = []
        while bytes.count < most {
            var byte: UInt8 = 0
            guard recv(asker, &byte, 1, 0) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    private static func write(_ bytes: [UInt8], to asker: Int32) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                send(
                    asker, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            done += count
        }
    }
}

/// The socket's address, however long the name of its folder is.
enum StatusAddress {
    static func of(
        _ folder: String, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { return -1 }
        defer { close(handle) }
        var path = folder + "/" + StatusSocket.name
        var address = sockaddr_un()
        let room = MemoryLayout.size(ofValue: address.sun_path)
        if path.utf8.count >= room { path = "/proc/self/fd/\(handle)/\(StatusSocket.name)" }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: path.utf8.prefix(room - 1))
        }
        return withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Both sides wait for the other so long, and no longer.
    static func setPatience(_ descriptor: Int32) {
        var time = timeval(tv_sec: 5, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, size)
        }
    }
}
