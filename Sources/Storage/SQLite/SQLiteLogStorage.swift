/// Lists on disk: one SQLite file, `samelist.db`, in a folder of its own.
package final class SQLiteLogStorage: LogStorage {
    /// A row of `lists`.
    private struct Row {
        let number: Int64
        var bounds: LogBounds
    }

    /// `nil` once closed.
    private(set) var file: DatabaseFile?

    init(_ file: DatabaseFile) {
        self.file = file
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
            try remove(name, from: database)
        }
    }

    /// Puts whole lists in place, all or none: `body` calls what it is given for each. A list of
    /// the same name gives way, with its log.
    package func put(
        _ body: ((WholeList) throws(StorageError) -> Void) throws(StorageError) -> Void
    ) throws(StorageError) {
        try write { database throws(StorageError) in
            try body { list throws(StorageError) in
                try remove(list.name, from: database)
                try database.run(
                    "INSERT INTO lists (name, epoch, head, first) VALUES (?, ?, ?, ?)",
                    .text(list.name), .text(list.epoch), .bits(list.version),
                    .bits(list.version + 1))
                let row = try existing(list.name, in: database)
                try put(list.parts, at: list.version, of: row, in: database)
            }
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
            try put(parts, at: version, of: list, in: database)
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

    private func remove(_ name: String, from database: Database) throws(StorageError) {
        guard let row = try row(name, in: database) else { return }
        try database.run("DELETE FROM records WHERE list = ?", .integer(row.number))
        try database.run("DELETE FROM parts WHERE list = ?", .integer(row.number))
        try database.run("DELETE FROM lists WHERE number = ?", .integer(row.number))
    }

    private func put(
        _ parts: [[UInt8]], at version: UInt64, of list: Row, in database: Database
    ) throws(StorageError) {
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
