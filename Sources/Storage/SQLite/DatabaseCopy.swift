internal import CSQLite
internal import Glibc

/// Copies of a database as it is at one moment, and their way back.
package enum DatabaseCopy {
    /// Writes the lists in a folder to a file, at one moment, while a server may be writing there.
    /// Nothing in the folder changes, and `file` is whole or not there. Throws `failed` where there
    /// is a file already, or what forbids trusting the copy.
    package static func write(listsIn folder: String, to file: String) throws(StorageError) {
        let path = folder + "/samelist.db"
        guard case .file = FileKind(path) else {
            throw .failed("There are no lists in \(folder): it holds no samelist.db.")
        }
        guard FileKind(file) == .missing else {
            throw .failed("\(file) is there already; choose another name.")
        }
        try checkLogIfIdle(path)
        let draft = file + ".new"
        unlink(draft)
        do throws(StorageError) {
            let database = try Database(path, .copying)
            try database.run("VACUUM INTO ?", .text(draft))
            _ = try DatabaseCheck(path: draft, format: .lists).run()
            try flush(draft)
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, file) == 0 else { throw .systemCall("\(file) could not be made") }
        try flush(Storage.folder(of: file))
    }

    /// Makes `folder` hold the lists of a copy, as `change` leaves them, and the tokens it had;
    /// what it held before is kept beside it, under the name that is answered. At every moment
    /// `folder` is whole, as it was or as it will be; a crash may leave the other one beside it
    /// under the draft's name.
    package static func restore(
        _ file: String, to folder: String, replacing: Bool, draft: String, keptAs kept: String,
        _ change: (SQLiteLogStorage) throws(StorageError) -> Void
    ) throws(StorageError) -> String? {
        let isThere = FileKind(folder) != .missing
        guard replacing || !isThere || isEmpty(folder) else {
            throw .failed("\(folder) is not empty; with --force it is put aside.")
        }
        guard try DatabaseCheck(path: file, format: .lists).run() else {
            throw .failed("There is no \(file).")
        }
        // A folder in which a server runs is not taken from under it.
        let lock = isThere ? try lockIfUsed(folder + "/samelist.db") : nil
        try makeFolder(draft)
        try copy(file, to: draft + "/samelist.db")
        let storage = try SQLiteLogStorage.open(folder: draft)
        do throws(StorageError) {
            try change(storage)
        } catch {
            storage.close()
            throw error
        }
        storage.close()
        // Those of the copy's time would bring back what was revoked since; so it holds none.
        try SQLiteTokenStorage.copy(from: folder, to: draft)
        try flush(draft)
        defer { withExtendedLifetime(lock) {} }
        return try exchange(draft, folder, keptAs: kept)
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

    private static func isEmpty(_ folder: String) -> Bool {
        guard let entries = opendir(folder) else { return false }
        defer { closedir(entries) }
        var count = 0
        while readdir(entries) != nil { count += 1 }
        return count <= 2
    }

    /// Throws `inUse` where a server runs.
    private static func lockIfUsed(_ path: String) throws(StorageError) -> FileLock? {
        let lock = resolved(path) + ".lock"
        return FileKind(lock) == .missing ? nil : try FileLock(lock)
    }

    private static func copy(_ file: String, to place: String) throws(StorageError) {
        let source = try Database(file, .looking(at: file))
        try source.run("VACUUM INTO ?", .text(place))
        try flush(place)
    }

    private static func exchange(
        _ draft: String, _ folder: String, keptAs kept: String
    ) throws(StorageError) -> String? {
        // Takes the place of an empty folder, too.
        if rename(draft, folder) == 0 {
            try flush(Storage.folder(of: folder))
            return nil
        }
        guard samelist_exchange_names(draft, folder) == 0 else {
            throw .systemCall("\(folder) could not be put aside; the lists are in \(draft)")
        }
        try flush(Storage.folder(of: folder))
        guard rename(draft, kept) == 0 else { return draft }
        try flush(Storage.folder(of: folder))
        return kept
    }
}
