/// Where one log begins, ends and has its snapshot: the rules that both implementations share.
///
/// Invariant: `first <= head + 1`, and whatever lies before `first` is covered by the snapshot.
/// Versions come from callers unchecked, so nothing here adds to one before comparing it.
struct LogBounds: Equatable {
    var head: UInt64 = 0
    var first: UInt64 = 1
    var snapshot: UInt64?

    /// An append must stand directly after the head.
    func checkAppend(after version: UInt64) throws(StorageError) {
        if version != head { throw .conflict(head: head) }
    }

    /// False if there is nothing after `version`; throws `trimmed` if it is gone.
    func canRead(after version: UInt64) throws(StorageError) -> Bool {
        if version >= head { return false }
        if version + 1 < first { throw .trimmed(first: first) }
        return true
    }

    /// A snapshot must be one that the log continues, or the list could not be rebuilt.
    func checkSnapshot(at version: UInt64) throws(StorageError) {
        if version > head { throw .conflict(head: head) }
        if version + 1 < first { throw .trimmed(first: first) }
    }

    /// The first version left by a trim; the present one if there is nothing to do.
    func first(trimmedThrough version: UInt64) throws(StorageError) -> UInt64 {
        if version < first { return first }
        let covered = snapshot ?? 0
        if version > covered { throw .trimBeyondSnapshot(version: covered) }
        return version + 1
    }
}
