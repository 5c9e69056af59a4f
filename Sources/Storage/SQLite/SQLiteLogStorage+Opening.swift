/// Ways into a folder's lists, and out of it.
extension SQLiteLogStorage {
    /// Opens the lists in a folder, or begins with none; makes the folder, private to this user.
    ///
    /// Throws `inUse`, `newerFormat`, `damaged`, `foreign`, `strayLog` or `failed`; what was
    /// there is then as it was. Costs one pass over the file, to check it, and a copy of it where
    /// it is of an older format.
    package static func open(
        folder: String, keepsOldFormat: Bool = true
    ) throws(StorageError) -> SQLiteLogStorage {
        try makeFolder(folder)
        let path = folder + "/samelist.db"
        return SQLiteLogStorage(try DatabaseFile(path, .lists, keepsOldFormat: keepsOldFormat))
    }

    /// Opens the lists in a folder that has some. Throws what `open` throws.
    package static func reopen(folder: String) throws(StorageError) -> SQLiteLogStorage {
        guard FileKind(folder + "/samelist.db") != .missing else { throw noLists(in: folder) }
        return try open(folder: folder)
    }

    /// Reads the lists in a folder as they are at one moment, while a server may be writing there;
    /// every write throws `failed`.
    package static func read(folder: String) throws(StorageError) -> SQLiteLogStorage {
        let path = folder + "/samelist.db"
        guard FileKind(path) != .missing else { throw noLists(in: folder) }
        return SQLiteLogStorage(try DatabaseFile(reading: path, .lists))
    }

    static func noLists(in folder: String) -> StorageError {
        .failed("There are no lists in \(folder): it holds no samelist.db.")
    }

    /// Opens the lists in a file to look at them; every write throws `failed`.
    package static func look(atFile path: String) throws(StorageError) -> SQLiteLogStorage {
        SQLiteLogStorage(try DatabaseFile(lookingAt: path, .lists))
    }

    /// What opening it changed of its format; `nil`: nothing.
    package var migration: Migration? { file?.migration }

    /// The changes of its format that the database has seen, the oldest first, with the seconds
    /// since 1970 at which they came.
    package func formatChanges() throws(StorageError) -> [(from: Int, to: Int, at: Int64)] {
        guard let database = try file?.database else { throw .closed }
        var changes: [(from: Int, to: Int, at: Int64)] = []
        guard try database.first("PRAGMA user_version", read: { $0.integer(0) }) ?? 0 > 1 else {
            return changes
        }
        try database.each(
            "SELECT before, version, since FROM formats WHERE before > 0 ORDER BY version"
        ) { row throws(StorageError) in
            changes.append((Int(row.integer(0)), Int(row.integer(1)), row.integer(2)))
            return true
        }
        return changes
    }

    /// Of the database on disk.
    package var byteCount: Int { file?.byteCount ?? 0 }

    /// Writes the file anew, without what was free in it, and closes it. Answers its bytes. Needs
    /// as much room again meanwhile.
    package func rewrite() throws(StorageError) -> Int {
        guard let file else { throw .closed }
        defer { close() }
        try file.rewrite()
        return file.byteCount
    }
}
