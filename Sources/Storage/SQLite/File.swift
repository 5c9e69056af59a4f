internal import Glibc

/// One open file descriptor, closed with its last reference.
final class File {
    let descriptor: Int32

    /// Opens a file; `nil` leaves the reason in `errno`.
    init?(_ path: String, _ flags: Int32, mode: mode_t = 0o600) {
        let opened = open(path, flags | O_CLOEXEC, mode)
        // Before there is an object, whose end would close -1 and set `errno` anew.
        if opened < 0 { return nil }
        descriptor = opened
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Up to `count` bytes from `offset`; fewer at the end of the file or on a read error.
    func read(_ count: Int, at offset: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, count - done, offset + done)
            }
            if got < 0, errno == EINTR { continue }
            if got <= 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }
}

/// What stands at a path.
enum FileKind: Equatable {
    case missing
    case file(size: Int)
    case other

    /// Anything but "there is nothing" counts as something: a path that cannot be looked at is
    /// never taken for an empty place.
    init(_ path: String) {
        var status = stat()
        if stat(path, &status) != 0 {
            self = errno == ENOENT ? .missing : .other
        } else if status.st_mode & S_IFMT == S_IFREG {
            self = .file(size: Int(status.st_size))
        } else {
            self = .other
        }
    }
}

/// Makes a folder and those above it, private to this user where they are new.
func makeFolder(_ path: String) throws(StorageError) {
    if path.isEmpty || path == "/" || mkdir(path, 0o700) == 0 { return }
    if errno == ENOENT {
        try makeFolder(folder(of: path))
        if mkdir(path, 0o700) == 0 { return }
    }
    if errno != EEXIST { throw .systemCall("The folder \(path) could not be made") }
}

/// The folder that holds `path`.
func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The path behind all symbolic links, so that two names of one file share one lock.
func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
}

/// Makes what was done to a file or a folder survive a power cut.
func flush(_ path: String) throws(StorageError) {
    guard let file = File(path, O_RDONLY), fsync(file.descriptor) == 0 else {
        throw .systemCall("\(path) could not be written to disk")
    }
}

extension StorageError {
    /// `failed`, with what the system said last.
    static func systemCall(_ sentence: String) -> StorageError {
        let reason = String(cString: strerror(errno))
        return .failed("\(sentence) (\(reason)); check the disk and its permissions.")
    }
}
