/// The twin of `SQLiteLogStorage` for tests: the same contract, nothing outlives the object.
package final class InMemoryLogStorage: LogStorage {
    /// Everything held of one list. `records[i]` is version `bounds.first + i`.
    private struct Log {
        var epoch: String
        var bounds = LogBounds()
        var records: [[UInt8]] = []
        var parts: [[UInt8]] = []
    }

    /// The hook by which a test makes calls fail.
    package let faults: StorageFaults

    /// `nil` once closed.
    private var logs: [String: Log]? = [:]

    package init(faults: StorageFaults = StorageFaults()) {
        self.faults = faults
    }

    package func lists() throws(StorageError) -> [StoredList] {
        try read().map { name, log in
            StoredList(
                name: name, epoch: log.epoch, head: log.bounds.head, first: log.bounds.first)
        }
    }

    package func create(_ name: String, epoch: String) throws(StorageError) {
        try write { logs throws(StorageError) in
            if logs[name] != nil { throw .exists }
            logs[name] = Log(epoch: epoch)
        }
    }

    package func drop(_ name: String, noting note: Append?) throws(StorageError) {
        try write { logs throws(StorageError) in
            if let note { _ = try Self.apply(note, to: &logs).get() }
            logs[name] = nil
        }
    }

    package func setEpoch(_ epoch: String, of name: String) throws(StorageError) {
        try write { logs throws(StorageError) in
            if logs[name] == nil { throw .noSuchList }
            logs[name]?.epoch = epoch
        }
    }

    package func appendBatch(_ batch: [Append]) -> [Result<UInt64, StorageError>] {
        var results: [Result<UInt64, StorageError>] = []
        do throws(StorageError) {
            try write { logs throws(StorageError) in
                results = batch.map { append in Self.apply(append, to: &logs) }
            }
            return results
        } catch {
            return batch.map { _ in .failure(error) }
        }
    }

    package func records(
        of name: String, after version: UInt64, maxBytes: Int
    ) throws(StorageError) -> [[UInt8]] {
        let log = try read(name)
        guard try log.bounds.canRead(after: version) else { return [] }
        var found: [[UInt8]] = []
        var room = maxBytes
        for record in log.records.dropFirst(Int(version + 1 - log.bounds.first)) {
            room -= record.count
            if room < 0, !found.isEmpty { break }
            found.append(record)
        }
        return found
    }

    package func saveSnapshot(
        _ parts: [[UInt8]], of name: String, at version: UInt64
    ) throws(StorageError) {
        try write { logs throws(StorageError) in
            guard var log = logs[name] else { throw .noSuchList }
            try log.bounds.checkSnapshot(at: version)
            log.bounds.snapshot = version
            log.parts = parts
            logs[name] = log
        }
    }

    package func snapshot(of name: String) throws(StorageError) -> StoredSnapshot? {
        let log = try read(name)
        return log.bounds.snapshot.map { StoredSnapshot(version: $0, parts: log.parts) }
    }

    package func trim(_ name: String, through version: UInt64) throws(StorageError) {
        try write { logs throws(StorageError) in
            guard var log = logs[name] else { throw .noSuchList }
            let first = try log.bounds.first(trimmedThrough: version)
            log.records.removeFirst(Int(first - log.bounds.first))
            log.bounds.first = first
            logs[name] = log
        }
    }

    package func close() {
        logs = nil
    }

    private static func apply(
        _ append: Append, to logs: inout [String: Log]
    ) -> Result<UInt64, StorageError> {
        guard let bounds = logs[append.name]?.bounds else { return .failure(.noSuchList) }
        do throws(StorageError) {
            try bounds.checkAppend(after: append.version)
        } catch {
            return .failure(error)
        }
        let head = bounds.head + UInt64(append.records.count)
        logs[append.name]?.records += append.records
        logs[append.name]?.bounds.head = head
        return .success(head)
    }

    private func read() throws(StorageError) -> [String: Log] {
        guard let logs else { throw .closed }
        try faults.strike(.reads)
        return logs
    }

    private func read(_ name: String) throws(StorageError) -> Log {
        guard let log = try read()[name] else { throw .noSuchList }
        return log
    }

    /// Runs a change that throws before it changes anything, around the planted faults.
    private func write(
        _ change: (inout [String: Log]) throws(StorageError) -> Void
    ) throws(StorageError) {
        if logs == nil { throw .closed }
        try faults.strike(.writes)
        var changed = logs ?? [:]
        logs = [:]  // One reference only, so that appending does not copy.
        defer { logs = changed }
        try change(&changed)
        try faults.strike(.answers)
    }
}
