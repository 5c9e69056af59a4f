/// Logs of opaque records, one per list, each with at most one snapshot.
///
/// Calls block and come from one thread at a time (`StorageThread`). Whatever a call has written is
/// durable when it returns, whole or not at all. Every call may also throw `failed`, `damaged`
/// or `closed`. Names are taken byte for byte; this part knows nothing about what records mean.
package protocol LogStorage: AnyObject {
    /// All lists, in no particular order.
    func lists() throws(StorageError) -> [StoredList]

    /// Makes an empty log with head 0; throws `exists`.
    func create(_ name: String, epoch: String) throws(StorageError)

    /// Removes a log with its snapshot and, both or neither, appends to another log what is to be
    /// remembered of it. Removing again, or no list, does nothing. Throws what `append` throws.
    func drop(_ name: String, noting note: Append?) throws(StorageError)

    /// Gives a log another epoch; its records, head and snapshot stay. Throws `noSuchList`.
    func setEpoch(_ epoch: String, of name: String) throws(StorageError)

    /// Appends each entry of the batch on its own terms, all behind one flush (group commit).
    ///
    /// The results, new head or error, stand in the order of the batch. An append that conflicts
    /// leaves the others alone; a failing disk fails them all, with nothing half-written.
    func appendBatch(_ batch: [Append]) -> [Result<UInt64, StorageError>]

    /// The records from `version + 1` on, without a gap, up to `maxBytes` in all, and at least one
    /// if there is any. Throws `noSuchList`, or `trimmed` if the log does not reach back.
    func records(
        of name: String, after version: UInt64, maxBytes: Int
    ) throws(StorageError) -> [[UInt8]]

    /// Replaces the stored snapshot. Throws `noSuchList`, `conflict` for a version past the head,
    /// and
    /// `trimmed` for one that the log no longer continues.
    func saveSnapshot(
        _ parts: [[UInt8]], of name: String, at version: UInt64
    ) throws(StorageError)

    /// The stored snapshot, if there is one; throws `noSuchList`.
    func snapshot(of name: String) throws(StorageError) -> StoredSnapshot?

    /// Drops the records up to `version`, which the stored snapshot must cover. Repeating it is
    /// safe. Throws `noSuchList` or `trimBeyondSnapshot`.
    func trim(_ name: String, through version: UInt64) throws(StorageError)

    /// Lets the files go; later calls throw `closed`. Repeating it is safe.
    func close()
}

extension LogStorage {
    package func drop(_ name: String) throws(StorageError) { try drop(name, noting: nil) }

    /// Compare-and-append: record `i` becomes version `version + 1 + i`; answers the new head.
    ///
    /// Throws `conflict` with the head if that is not `version`, and `noSuchList`.
    @discardableResult
    package func append(
        _ records: [[UInt8]], to name: String, after version: UInt64
    ) throws(StorageError) -> UInt64 {
        let results = appendBatch([Append(records, to: name, after: version)])
        guard let result = results.first else { return version }
        return try result.get()
    }
}

/// What storage says of one list.
package struct StoredList: Equatable, Sendable {
    package let name: String
    package let epoch: String
    /// Version of the last record ever appended; 0 before the first.
    package let head: UInt64
    /// Version of the oldest record still held; `head + 1` when none is.
    package let first: UInt64

    package init(name: String, epoch: String, head: UInt64, first: UInt64) {
        self.name = name
        self.epoch = epoch
        self.head = head
        self.first = first
    }
}

/// A list as a whole at one version, in the parts in which it was saved.
package struct StoredSnapshot: Equatable, Sendable {
    package let version: UInt64
    package let parts: [[UInt8]]

    package init(version: UInt64, parts: [[UInt8]]) {
        self.version = version
        self.parts = parts
    }
}

/// A list that begins with a snapshot: nothing of its log is there before it.
package struct WholeList: Equatable, Sendable {
    package let name: String
    package let epoch: String
    package let version: UInt64
    package let parts: [[UInt8]]

    package init(name: String, epoch: String, version: UInt64, parts: [[UInt8]]) {
        self.name = name
        self.epoch = epoch
        self.version = version
        self.parts = parts
    }
}

/// Records for one list, to stand directly after `version`.
package struct Append: Equatable, Sendable {
    package let records: [[UInt8]]
    package let name: String
    package let version: UInt64

    package init(_ records: [[UInt8]], to name: String, after version: UInt64) {
        self.records = records
        self.name = name
        self.version = version
    }
}
