/// A client's state in one SQLite file, private to its user and to one process at a time.
package final class SQLiteStateStorage: StateStorage {
    /// `nil` once closed.
    private var file: DatabaseFile?

    private init(_ file: DatabaseFile) {
        self.file = file
    }

    /// Opens the file at `path`, or begins with nothing; makes the folders above it.
    ///
    /// Throws `inUse` (another process, or this one, has it open), `newerFormat`, `damaged`,
    /// `foreign`, `strayLog` or `failed`; what was there is then as it was.
    package static func open(_ path: String) throws(StorageError) -> SQLiteStateStorage {
        try makeFolder(folder(of: path))
        return SQLiteStateStorage(try DatabaseFile(path, .state))
    }

    /// What another process has stored in the file at `path` that it has open, as of its last
    /// commit; neither is disturbed. Throws `damaged` or `failed`.
    package static func look(
        at path: String, prefix: String = ""
    ) throws(StorageError) -> [String: [UInt8]] {
        try values(in: Database(resolved(path), .copying), prefix)
    }

    package func load(prefix: String) throws(StorageError) -> [String: [UInt8]] {
        guard let file else { throw .closed }
        return try Self.values(in: file.database, prefix)
    }

    /// The keys under which something is stored; what is stored there is not read.
    package func keys() throws(StorageError) -> [String] {
        guard let file else { throw .closed }
        var keys: [String] = []
        try file.database.each("SELECT key FROM state") { row throws(StorageError) in
            keys.append(row.text(0))
            return true
        }
        return keys
    }

    private static func values(
        in database: Database, _ prefix: String
    ) throws(StorageError) -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        let (from, to) = range(prefix)
        try database.each(
            "SELECT key, sum, bytes FROM state WHERE key >= ? AND key < ?", from, to
        ) { row throws(StorageError) in
            let key = row.text(0)
            let bytes = row.bytes(2)
            if checksum(bytes, seed: seed(key)) != row.bits(1) {
                throw .damaged("What is stored under \(key) is damaged; put a backup back.")
            }
            values[key] = bytes
            return true
        }
        return values
    }

    package func commit(_ changes: [StateChange]) throws(StorageError) {
        guard let file else { throw .closed }
        if changes.isEmpty { return }
        try file.write { database throws(StorageError) in
            for change in changes { try Self.apply(change, to: database) }
        }
    }

    package func close() {
        file = nil
    }

    private static func apply(
        _ change: StateChange, to database: Database
    ) throws(StorageError) {
        switch change {
        case .put(let key, let bytes):
            try database.run(
                "REPLACE INTO state (key, sum, bytes) VALUES (?, ?, ?)", .bytes(Array(key.utf8)),
                .bits(checksum(bytes, seed: seed(key))), .bytes(bytes))
        case .remove(let key):
            try database.run("DELETE FROM state WHERE key = ?", .bytes(Array(key.utf8)))
        case .removePrefix(let prefix):
            let (from, to) = range(prefix)
            try database.run("DELETE FROM state WHERE key >= ? AND key < ?", from, to)
        }
    }

    /// The keys that begin with `prefix`; no UTF-8 contains the byte 0xff.
    private static func range(_ prefix: String) -> (from: Value, to: Value) {
        let bytes = Array(prefix.utf8)
        return (.bytes(bytes), .bytes(bytes + [0xff]))
    }

    private static func seed(_ key: String) -> UInt64 {
        checksum(Array(key.utf8), seed: 0)
    }
}
