/// A client's durable state: bytes under keys, changed by whole commits.
///
/// Calls block and come from one thread at a time. Every call may throw `failed`, `damaged` or
/// `closed`. Keys are compared byte for byte and should be ASCII: Swift takes two spellings of one
/// accented letter for the same key, the file does not.
package protocol StateStorage: AnyObject {
    /// What is stored under the keys that begin with `prefix`; everything for the empty one.
    func load(prefix: String) throws(StorageError) -> [String: [UInt8]]

    /// Makes the changes in order; all are durable when it returns, or none was made.
    func commit(_ changes: [StateChange]) throws(StorageError)

    /// Lets the files go; later calls throw `closed`. Repeating it is safe.
    func close()
}

extension StateStorage {
    /// Everything stored.
    package func load() throws(StorageError) -> [String: [UInt8]] {
        try load(prefix: "")
    }
}

/// One change of a client's state. Removing what is not there does nothing.
package enum StateChange: Equatable, Sendable {
    case put(String, [UInt8])
    case remove(String)
    case removePrefix(String)
}

/// The twin of `SQLiteStateStorage` for tests: the same contract, nothing outlives the object.
package final class InMemoryStateStorage: StateStorage {
    /// The hook by which a test makes calls fail.
    package let faults: StorageFaults

    /// `nil` once closed.
    private var values: [String: [UInt8]]?

    package init(_ values: [String: [UInt8]] = [:], faults: StorageFaults = StorageFaults()) {
        self.values = values
        self.faults = faults
    }

    package func load(prefix: String) throws(StorageError) -> [String: [UInt8]] {
        guard let values else { throw .closed }
        try faults.strike(.reads)
        return values.filter { $0.key.utf8.starts(with: prefix.utf8) }
    }

    package func commit(_ changes: [StateChange]) throws(StorageError) {
        guard var changed = values else { throw .closed }
        try faults.strike(.writes)
        for change in changes {
            switch change {
            case .put(let key, let bytes): changed[key] = bytes
            case .remove(let key): changed[key] = nil
            case .removePrefix(let prefix):
                changed = changed.filter { !$0.key.utf8.starts(with: prefix.utf8) }
            }
        }
        values = changed
        try faults.strike(.answers)
    }

    package func close() {
        values = nil
    }
}
