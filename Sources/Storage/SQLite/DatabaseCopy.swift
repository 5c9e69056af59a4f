internal import CSQLite
internal import Glibc

/// Copies of a database as it is at one moment, and their way back.
package enum DatabaseCopy {
    /// Writes the lists in a folder to a draft's file, at one moment, while a server may be writing
    /// there. Nothing in the folder changes, and the file is whole, verified, or not there. Throws
    /// `failed` where there is a file already, or what forbids trusting the copy.
    package static func write(
        listsIn folder: String, to draft: DraftFile,
        verify: (_ copy: String) throws(StorageError) -> Void
    ) throws(StorageError) {
        let path = folder + "/samelist.db"
        guard case .file = FileKind(path) else {
            throw .failed("There are no lists in \(folder): it holds no samelist.db.")
        }
        guard FileKind(draft.file) == .missing else {
            throw .failed("\(draft.file) is there already; choose another name.")
        }
        let place = resolved(Storage.folder(of: draft.file)) + "/"
        guard !place.hasPrefix(resolved(folder) + "/") else {
            throw .failed("\(draft.file) lies in \(folder) itself; put the backup elsewhere.")
        }
        try checkLogIfIdle(path)
        defer { draft.remove() }
        try draft.make()
        try copy(path, isReadOnly(folder) ? .looking(at: path) : .copying, to: draft.path)
        try verify(draft.path)
        try draft.finish()
        try flush(Storage.folder(of: draft.file))
    }

    /// A process that has the database open has checked the log; without one, opening it here would
    /// make SQLite read it.
    private static func checkLogIfIdle(_ path: String) throws(StorageError) {
        do throws(StorageError) {
            let lock = try lockIfUsed(path)
            defer { withExtendedLifetime(lock) {} }
            try DatabaseCheck(path: resolved(path), format: .lists).checkLog()
        } catch {
            guard case .inUse = error else { throw error }
        }
    }

    /// Throws `inUse` where a server runs.
    private static func lockIfUsed(_ path: String) throws(StorageError) -> FileLock? {
        let lock = resolved(path) + ".lock"
        return FileKind(lock) == .missing ? nil : try FileLock(lock)
    }

    /// Then no server writes there, and nothing can be made beside the file.
    private static func isReadOnly(_ folder: String) -> Bool {
        access(folder, W_OK) != 0 && errno == EROFS
    }

    /// Into an empty file.
    static func copy(
        _ file: String, _ mode: Database.Mode, to place: String
    ) throws(StorageError) {
        let source = try Database(file, mode)
        try source.run("VACUUM INTO ?", .text(place))
        try flush(place)
    }
}
