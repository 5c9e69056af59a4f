internal import CSQLite
internal import Glibc
internal import Threads

/// The file that a copy is written to, beside its place, until it is whole; nobody else's. It may
/// be removed from any thread, at any time.
package final class DraftFile: Sendable {
    private enum State {
        case planned, made, over
    }

    let file: String
    package let path: String
    private let state = Locked(State.planned)

    /// - Parameter word: makes the name unlike any other.
    package init(of file: String, word: String) {
        self.file = file
        path = "\(file).new-\(word)"
    }

    /// Makes it, empty and private to this user.
    package func make() throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            guard state == .planned else { throw .closed }
            guard File(path, O_RDWR | O_CREAT | O_EXCL) != nil else {
                if errno == ENOENT {
                    throw .failed("There is no folder for \(file); make it, or choose another.")
                }
                throw .systemCall("\(path) could not be made")
            }
            state = .made
        }
    }

    /// Gives it its name, if nothing has that.
    package func finish() throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            guard state == .made else { throw .closed }
            try giveNewName(path, file)
            state = .over
        }
    }

    /// Removes what there is of it; it cannot be made or finished any more.
    package func remove() {
        state.withLock { state in
            if state == .made { unlink(path) }
            state = .over
        }
    }
}

/// Renames a file and replaces nothing.
func giveNewName(_ path: String, _ name: String) throws(StorageError) {
    if samelist_rename_to_new(path, name) == 0 { return }
    if errno == EINVAL || errno == ENOSYS, link(path, name) == 0 {
        unlink(path)
        return
    }
    if errno == EEXIST { throw .failed("\(name) is there already; choose another name.") }
    throw .systemCall("\(name) could not be made")
}
