import Foundation
import Storage

/// Holds appends back while it is closed.
final class Gate: @unchecked Sendable {
    // because `isClosed` is touched with the condition locked.

    private let condition = NSCondition()
    private var isClosed = false

    func close() { condition.withLock { isClosed = true } }

    func open() {
        condition.withLock {
            isClosed = false
            condition.broadcast()
        }
    }

    func pass() {
        condition.lock()
        while isClosed { condition.wait() }
        condition.unlock()
    }
}

/// A store that does what a test wants before each append.
final class PassingStorage: LogStorage {
    private let store: any LogStorage
    private let beforeAppend: () -> Void

    init(_ store: any LogStorage, beforeAppend: @escaping () -> Void) {
        self.store = store
        self.beforeAppend = beforeAppend
    }

    func appendBatch(_ batch: [Append]) -> [Result<UInt64, StorageError>] {
        beforeAppend()
        return store.appendBatch(batch)
    }

    func lists() throws(StorageError) -> [StoredList] { try store.lists() }

    func create(_ name: String, epoch: String) throws(StorageError) {
        try store.create(name, epoch: epoch)
    }

    func drop(_ name: String, noting note: Append?) throws(StorageError) {
        try store.drop(name, noting: note)
    }

    func setEpoch(_ epoch: String, of name: String) throws(StorageError) {
        try store.setEpoch(epoch, of: name)
    }

    func records(
        of name: String, after version: UInt64, maxBytes: Int
    ) throws(StorageError) -> [[UInt8]] {
        try store.records(of: name, after: version, maxBytes: maxBytes)
    }

    func saveSnapshot(
        _ parts: [[UInt8]], of name: String, at version: UInt64
    ) throws(StorageError) {
        try store.saveSnapshot(parts, of: name, at: version)
    }

    func snapshot(of name: String) throws(StorageError) -> StoredSnapshot? {
        try store.snapshot(of: name)
    }

    func trim(_ name: String, through version: UInt64) throws(StorageError) {
        try store.trim(name, through: version)
    }

    func close() { store.close() }
}
