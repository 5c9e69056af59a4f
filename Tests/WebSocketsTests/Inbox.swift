import Glibc
import Threads

struct TimedOut: Error {}

/// Values from another thread, one after the other, with an end to the waiting.
final class Inbox<Value: Sendable>: @unchecked Sendable {
    // because the values are locked, and a semaphore is made for several threads.

    private let values = Locked<[Value]>([])
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func put(_ value: Value) {
        values.withLock { $0.append(value) }
        sem_post(semaphore)
    }

    /// Takes the oldest; waits for it up to `seconds`.
    func next(within seconds: Int = 20) throws -> Value {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += seconds
        while sem_timedwait(semaphore, &deadline) != 0 {
            if errno != EINTR { throw TimedOut() }
        }
        return values.withLock { $0.removeFirst() }
    }

    func next(_ count: Int, within seconds: Int = 30) throws -> [Value] {
        try (0..<count).map { _ in try next(within: seconds) }
    }

    var isEmpty: Bool { values.withLock { $0.isEmpty } }
    var count: Int { values.withLock { $0.count } }
}
