internal import Glibc

/// Exclusive use of a database, held from `init` to `deinit` and given up with the process.
///
/// The lock file stays behind: whoever removed it could let two processes each lock its own. Only a
/// restore moves one away, with its folder, while it holds it; so whoever has locked a file looks
/// whether it still is the one of that name. A lock of this kind belongs to the open file, so that
/// a second attempt of the same process fails too.
final class FileLock {
    private let file: File

    /// - Parameter waits: for whoever has it to be done, instead of throwing `inUse`.
    init(_ path: String, waits: Bool = false) throws(StorageError) {
        while true {
            let file = try Self.locked(path, waits)
            if Self.stands(file, at: path) {
                self.file = file
                return
            }
        }
    }

    /// Given up at once, also where a process that this one is just starting still has the file
    /// open: closing it here would leave the lock with that one until it is another program.
    deinit { flock(file.descriptor, LOCK_UN) }

    private static func locked(_ path: String, _ waits: Bool) throws(StorageError) -> File {
        var opened = File(path, O_RDWR | O_CREAT)
        // Who looks at what nobody can write needs no more than this.
        if opened == nil, errno == EROFS { opened = File(path, O_RDONLY) }
        guard let file = opened else {
            throw .systemCall("The lock file \(path) could not be opened")
        }
        while flock(file.descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { throw .inUse(path: path) }
            throw .systemCall("The lock file \(path) could not be locked")
        }
        return file
    }

    /// Whether a file that was opened still is the one of that name.
    static func stands(_ file: File, at path: String) -> Bool {
        var (held, found) = (stat(), stat())
        return fstat(file.descriptor, &held) == 0 && stat(path, &found) == 0
            && held.st_dev == found.st_dev && held.st_ino == found.st_ino
    }
}
