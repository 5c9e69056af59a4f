internal import Glibc

/// Files and standard streams, read and written whole.
enum WholeFile {
    /// - Parameter path: `nil`: standard input.
    static func read(_ path: String?) throws(Failure) -> String {
        var descriptor = STDIN_FILENO
        if let path {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            if descriptor < 0 { throw systemCall("cannot read \(path)") }
        }
        defer { if path != nil { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
            if count == 0 { break }
            if count < 0, errno != EINTR { throw systemCall("cannot read \(path ?? "the input")") }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(
                .refused, "malformed", "\(path ?? "standard input") is no text in UTF-8.")
        }
        return text
    }

    /// Replaces a file in one stroke, so that there is never half a one; whatever else stands at
    /// the path is written to.
    static func write(_ text: String, to path: String) throws(Failure) {
        let bytes = Array(text.utf8)
        let isWritten =
            switch Destination(path) {
            case .descriptor(let descriptor): put(bytes, into: descriptor)
            case .special(let place): write(bytes, into: place)
            case .file(let place, let existing): replace(place, existing, with: bytes)
            }
        if !isWritten { throw systemCall("cannot write \(path)") }
    }

    /// `false` leaves the reason in `errno`, here and below.
    private static func write(_ bytes: [UInt8], into place: String) -> Bool {
        let descriptor = open(place, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        guard put(bytes, into: descriptor) else {
            let reason = errno
            close(descriptor)
            errno = reason
            return false
        }
        return close(descriptor) == 0
    }

    private static func replace(
        _ place: String, _ existing: Destination.Existing?, with bytes: [UInt8]
    ) -> Bool {
        // Its folder alone would let a file be replaced that its owner keeps from being written.
        if existing != nil, access(place, W_OK) != 0 { return false }
        let draft = "\(place).\(UInt32.random(in: 0 ... .max)).part"
        let mode = existing?.mode ?? 0o666
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return false }
        if let existing {
            // Only root can give files away; the mode comes after, which that may change.
            _ = fchown(descriptor, existing.owner, existing.group)
            fchmod(descriptor, existing.mode)
        }
        let isWritten = put(bytes, into: descriptor) && fsync(descriptor) == 0
        let reason = errno
        if close(descriptor) == 0, isWritten, rename(draft, place) == 0 { return true }
        let last = isWritten ? errno : reason
        unlink(draft)
        errno = last
        return false
    }

    private static func put(_ bytes: [UInt8], into descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                Glibc.poll(&poll, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private static func systemCall(_ sentence: String) -> Failure {
        Failure(.refused, "file_failed", "\(sentence): \(String(cString: strerror(errno))).")
    }
}
