package import ListAuthority
internal import ListModel
package import Storage

/// Makes a folder's database smaller, while no server runs there.
package struct FolderCompaction {
    /// Lists whose logs were cut, and the entries that went.
    package private(set) var lists = 0
    package private(set) var entries: UInt64 = 0
    /// Bytes of the database.
    package private(set) var before = 0
    package private(set) var after = 0

    /// Drops what `history` does not keep, then writes the file anew. Each list is cut in a
    /// transaction of its own; a crash leaves less done, and nothing half.
    package static func run(
        in folder: String, _ history: History
    ) throws(StorageError) -> FolderCompaction {
        let storage = try SQLiteLogStorage.reopen(folder: folder)
        defer { storage.close() }
        var done = FolderCompaction()
        done.before = storage.byteCount
        let archive = try Archive(storage, limits: Limits())
        for (tenant, name) in archive.allNames {
            do {
                try done.cut(name, in: archive.of(tenant), history)
            } catch let error as StorageError {
                throw error
            } catch {
                throw .damaged("The list \(tenant.key(name)) cannot be read: \(error)")
            }
        }
        done.after = try storage.rewrite()
        return done
    }

    private mutating func cut(_ name: ListName, in archive: Archive, _ history: History) throws {
        guard let log = archive.logs[archive.key(name)] else { return }
        let oldest = try history.oldestKept(
            first: log.first, head: log.head, at: WallClock.now
        ) { try archive.last(before: $0, of: name, log) }
        guard oldest > log.first else { return }
        let whole = try archive.whole(name)
        _ = try archive.save(
            name, at: whole.state.head, parts: whole.snapshotRecords(limits: archive.limits),
            through: Version(oldest.number - 1))
        lists += 1
        entries += oldest.number - log.first.number
    }
}

extension Archive {
    /// The last entry of a log that is older than a time; O(log n) reads, since times never go
    /// back.
    fileprivate func last(
        before since: Timestamp, of name: ListName, _ log: Log
    ) throws -> Version? {
        var (low, high) = (log.first.number, log.head.number + 1)
        while low < high {
            let middle = low + (high - low) / 2
            let records = try storage.records(of: key(name), after: middle - 1, maxBytes: 1)
            guard let record = records.first else { return nil }
            if try decoder.decodeEntryRecord(record).at < since {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low > log.first.number ? Version(low - 1) : nil
    }
}
