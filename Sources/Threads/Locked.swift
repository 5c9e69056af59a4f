internal import Glibc

/// A value behind a lock: one lock guards one value.
///
/// A POSIX mutex, not the standard library's `Mutex`: that one is code which the thread sanitizer
/// does not see, so that it reports a race wherever one is used (Swift 6.3.1, tried with a program
/// of ten lines).
package final class Locked<Value: Sendable>: @unchecked Sendable {
    // because `value` is touched under `mutex` alone.
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value to itself. Not to be called within itself.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
