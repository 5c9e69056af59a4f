internal import Glibc

/// Exclusive use of a database, held from `init` to `deinit` and given up with the process.
///
/// The lock file stays behind: whoever removed it could let two processes each lock its own. A lock
/// of this kind belongs to the open file, so that a second attempt of the same process fails too.
final class FileLock {
    private let file: File

    /// - Parameter waits: for whoever has it to be done, instead of throwing `inUse`.
    init(_ path: String, waits: Bool = false) throws(StorageError) {
        guard let file = File(path, O_RDWR | O_CREAT) else {
            throw .systemCall("The lock file \(path) could not be opened")
        }
        while flock(file.descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { throw .inUse(path: path) }
            throw .systemCall("The lock file \(path) could not be locked")
        }
        self.file = file
    }
}
