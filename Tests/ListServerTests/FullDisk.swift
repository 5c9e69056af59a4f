import Threads

@testable import Storage

/// A SQLite store that may be forbidden to grow, from any thread; it takes effect with the next
/// append.
final class FullDisk: Sendable {
    private let full = Locked(false)

    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    func storage(in folder: String) throws(StorageError) -> sending any LogStorage {
        let store = try SQLiteLogStorage.open(folder: folder)
        return PassingStorage(store) { try? store.setFull(self.isFull) }
    }
}
