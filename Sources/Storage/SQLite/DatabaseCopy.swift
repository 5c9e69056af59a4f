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
            throw SQLiteLogStorage.noLists(in: folder)
        }
        guard FileKind(draft.file) == .missing else {
            throw .failed("\(draft.file) is there already; choose another name.")
        }
        let place = resolved(Storage.folder(of: draft.file)) + "/"
        guard !place.hasPrefix(resolved(folder) + "/") else {
            throw .failed("\(draft.file) lies in \(folder) itself; put the backup elsewhere.")
        }
        try DatabaseCheck(path: resolved(path), format: .lists).checkLogIfIdle()
        defer { draft.remove() }
        try draft.make()
        try copy(path, .reading(path), to: draft.path)
        try verify(draft.path)
        try draft.finish()
        try flush(Storage.folder(of: draft.file))
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
