internal import Threads

/// Faults that a test plants into an in-memory store, from any thread.
///
/// A planted fault strikes the next calls of its kind and is used up by them.
package final class StorageFaults: Sendable {
    /// Which calls a fault strikes, and how.
    package enum Kind: Sendable {
        /// Calls that would write fail before they do.
        case writes
        /// Calls that would read fail.
        case reads
        /// Calls that write do so, and then say that they failed: the answer is lost.
        case answers
    }

    private struct Planted {
        var left = 0
        var error = StorageError.failed("planted")
    }

    private let planted = Locked<[Kind: Planted]>([:])

    package init() {}

    /// Makes the next `times` calls of a kind throw `error`.
    package func fail(
        _ kind: Kind, times: Int = 1,
        with error: StorageError = .failed("The disk is full; free some space.")
    ) {
        planted.withLock { $0[kind] = Planted(left: times, error: error) }
    }

    /// Takes all faults back.
    package func heal() {
        planted.withLock { $0.removeAll() }
    }

    /// Called by the store where a fault of this kind would strike.
    func strike(_ kind: Kind) throws(StorageError) {
        let error: StorageError? = planted.withLock { planted in
            guard var fault = planted[kind], fault.left > 0 else { return nil }
            fault.left -= 1
            planted[kind] = fault
            return fault.error
        }
        if let error { throw error }
    }
}
