/// Lists on disk: one SQLite file, `samelist.db`, in a folder of its own.
package final class SQLiteLogStorage: LogStorage {
    /// A row of `lists`.
    private struct Row {
        let number: Int64
        var bounds: LogBounds
    }

    /// `nil` once closed.
    private var file: DatabaseFile?

    private init(_ file: DatabaseFile) {
        self.file = file
    }

    /// Opens the lists in a folder, or begins with none; makes the folder, private to this user.
    ///
    /// Throws `inUse`, `newerFormat`, `damaged`, `foreign`, `strayLog` or `failed`; what was
    /// there is then as it was. Costs one pass over the file, to check it.
    package static func open(folder: String) throws(StorageError) -> SQLiteLogStorage {
        try makeFolder(folder)
        return SQLiteLogStorage(try DatabaseFile(folder + "/samelist.db", .lists))
    }

    /// Opens the lists in a file to look at them; every write throws `failed`.
    package static func look(atFile path: String) throws(StorageError) -> SQLiteLogStorage {
        SQLiteLogStorage(try DatabaseFile(lookingAt: path, .lists))
    }

    package func lists() throws(StorageError) -> [StoredList] {
        var lists: [StoredList] = []
        try database.each("SELECT name, epoch, head, first FROM lists") {
            row throws(StorageError) in
            lists.append(
                StoredList(
                    name: row.text(0), epoch: row.text(1), head: row.bits(2), first: row.bits(3)))
            return true
        }
        return lists
    }

    package func create(_ name: String, epoch: String) throws(StorageError) {
        try write { database throws(StorageError) in
            if try row(name, in: database) != nil { throw .exists }
            try database.run(
                "INSERT INTO lists (name, epoch) VALUES (?, ?)", .text(name), .text(epoch))
        }
    }

    package func drop(_ name: String, noting note: Append?) throws(StorageError) {
        if note == nil, try row(name, in: database) == nil { return }
        try write { database throws(StorageError) in
            if let note { _ = try apply(note, to: database).get() }
            guard let row = try row(name, in: database) else { return }
            try database.run("DELETE FROM records WHERE list = ?", .integer(row.number))
            try database.run("DELETE FROM parts WHERE list = ?", .integer(row.number))
            try database.run("DELETE FROM lists WHERE number = ?", .integer(row.number))
        }
    }

    package func setEpoch(_ epoch: String, of name: String) throws(StorageError) {
        try write { database throws(StorageError) in
            let list = try existing(name, in: database)
            try database.run(
                "UPDATE lists SET epoch = ? WHERE number = ?", .text(epoch), .integer(list.number))
        }
    }

    package func appendBatch(_ batch: [Append]) -> [Result<UInt64, StorageError>] {
        do throws(StorageError) {
            return try write { database throws(StorageError) in
                var results: [Result<UInt64, StorageError>] = []
                for append in batch { results.append(try apply(append, to: database)) }
                return results
            }
        } catch {
            return batch.map { _ in .failure(error) }
        }
    }

    package func records(
        of name: String, after version: UInt64, maxBytes: Int
    ) throws(StorageError) -> [[UInt8]] {
        let database = try database
        let list = try existing(name, in: database)
        guard try list.bounds.canRead(after: version) else { return [] }
        var found: [[UInt8]] = []
        var room = maxBytes
        var next = version
        try database.each(
            "SELECT version, sum, bytes FROM records WHERE list = ? AND version > ? "
                + "ORDER BY version", .integer(list.number), .bits(version)
        ) { row throws(StorageError) in
            let bytes = row.bytes(2)
            next += 1
            try check(bytes, row.bits(1), version: next, row.bits(0), of: name)
            room -= bytes.count
            if room < 0, !found.isEmpty { return false }
            found.append(bytes)
            return true
        }
        if found.isEmpty { throw damaged(name) }
        return found
    }

    package func saveSnapshot(
        _ parts: [[UInt8]], of name: String, at version: UInt64
    ) throws(StorageError) {
        try write { database throws(StorageError) in
            let list = try existing(name, in: database)
            try list.bounds.checkSnapshot(at: version)
            try database.run("DELETE FROM parts WHERE list = ?", .integer(list.number))
            for (part, bytes) in parts.enumerated() {
                try database.run(
                    "INSERT INTO parts (list, part, sum, bytes) VALUES (?, ?, ?, ?)",
                    .integer(list.number), .integer(Int64(part)),
                    .bits(checksum(bytes, seed: UInt64(part))), .bytes(bytes))
            }
            try database.run(
                "UPDATE lists SET snapshot = ? WHERE number = ?",
                .bits(version), .integer(list.number))
        }
    }

    package func snapshot(of name: String) throws(StorageError) -> StoredSnapshot? {
        let database = try database
        let list = try existing(name, in: database)
        guard let version = list.bounds.snapshot else { return nil }
        var parts: [[UInt8]] = []
        try database.each(
            "SELECT part, sum, bytes FROM parts WHERE list = ? ORDER BY part",
            .integer(list.number)
        ) { row throws(StorageError) in
            let bytes = row.bytes(2)
            try check(bytes, row.bits(1), version: UInt64(parts.count), row.bits(0), of: name)
            parts.append(bytes)
            return true
        }
        return StoredSnapshot(version: version, parts: parts)
    }

    /// How many records and parts of snapshots belong to no list, or lie outside of its log.
    package func strays() throws(StorageError) -> (records: Int, parts: Int) {
        let database = try database
        let records = try database.first(
            "SELECT count(*) FROM records LEFT JOIN lists ON number = list "
                + "WHERE number IS NULL OR version < first OR version > head"
        ) { Int($0.integer(0)) }
        let parts = try database.first(
            "SELECT count(*) FROM parts LEFT JOIN lists ON number = list WHERE snapshot IS NULL"
        ) { Int($0.integer(0)) }
        return (records ?? 0, parts ?? 0)
    }

    package func trim(_ name: String, through version: UInt64) throws(StorageError) {
        try write { database throws(StorageError) in
            let list = try existing(name, in: database)
            let first = try list.bounds.first(trimmedThrough: version)
            if first == list.bounds.first { return }
            try database.run(
                "DELETE FROM records WHERE list = ? AND version < ?",
                .integer(list.number), .bits(first))
            try database.run(
                "UPDATE lists SET first = ? WHERE number = ?", .bits(first), .integer(list.number))
        }
    }

    package func close() {
        file = nil
    }
}

extension SQLiteLogStorage {
    /// For tests of a full disk: the file may not grow beyond its present size, or may again.
    func setFull(_ full: Bool) throws(StorageError) {
        let database = try database
        try database.run("PRAGMA max_page_count = \(full ? 1 : 1 << 30)")
    }

    private var database: Database {
        get throws(StorageError) {
            guard let file else { throw .closed }
            return try file.database
        }
    }

    private func write<Answer>(
        _ body: (Database) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        guard let file else { throw .closed }
        return try file.write(body)
    }

    private func row(_ name: String, in database: Database) throws(StorageError) -> Row? {
        try database.first(
            "SELECT number, head, first, snapshot IS NULL, snapshot FROM lists WHERE name = ?",
            .text(name)
        ) { row throws(StorageError) in
            Row(
                number: row.integer(0),
                bounds: LogBounds(
                    head: row.bits(1), first: row.bits(2),
                    snapshot: row.integer(3) == 1 ? nil : row.bits(4)))
        }
    }

    private func existing(_ name: String, in database: Database) throws(StorageError) -> Row {
        guard let row = try row(name, in: database) else { throw .noSuchList }
        return row
    }

    /// Throws only what fails the whole batch. Checked before it writes, so that a conflict has
    /// nothing to undo.
    private func apply(
        _ append: Append, to database: Database
    ) throws(StorageError) -> Result<UInt64, StorageError> {
        guard let list = try row(append.name, in: database) else { return .failure(.noSuchList) }
        let head = list.bounds.head
        if head != append.version { return .failure(.conflict(head: head)) }
        if append.records.isEmpty { return .success(head) }
        var version = head
        for bytes in append.records {
            version += 1
            try database.run(
                "INSERT INTO records (list, version, sum, bytes) VALUES (?, ?, ?, ?)",
                .integer(list.number), .bits(version), .bits(checksum(bytes, seed: version)),
                .bytes(bytes))
        }
        try database.run(
            "UPDATE lists SET head = ? WHERE number = ?", .bits(version), .integer(list.number))
        return .success(version)
    }

    private func check(
        _ bytes: [UInt8], _ sum: UInt64, version: UInt64, _ found: UInt64, of name: String
    ) throws(StorageError) {
        if version != found || checksum(bytes, seed: version) != sum { throw damaged(name) }
    }

    private func damaged(_ name: String) -> StorageError {
        .damaged("What is stored of the list \(name) is damaged; put a backup back.")
    }
}
