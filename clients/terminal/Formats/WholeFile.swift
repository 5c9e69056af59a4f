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

    /// Replaces the file in one stroke, so that there is never half a one.
    static func write(_ text: String, to path: String) throws(Failure) {
        let draft = path + ".part"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw systemCall("cannot write \(path)") }
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count > 0 { done += count }
            if count < 0, errno != EINTR { break }
        }
        let isWritten = done == bytes.count && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(draft, path) == 0 else {
            let failure = systemCall("cannot write \(path)")
            unlink(draft)
            throw failure
        }
    }

    private static func systemCall(_ sentence: String) -> Failure {
        Failure(.refused, "file_failed", "\(sentence): \(String(cString: strerror(errno))).")
    }
}
