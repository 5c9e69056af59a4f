import Glibc

/// Waits until a moment, to some microseconds, or until it is told to stop.
final class Alarm: @unchecked Sendable {
    // because `isOver` is touched under `mutex` alone, and the addresses do not change.

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isOver = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// False when it was stopped.
    func wait(until moment: Moment) -> Bool {
        var time = timespec(
            tv_sec: Int(moment.nanoseconds / 1_000_000_000),
            tv_nsec: Int(moment.nanoseconds % 1_000_000_000))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isOver, Moment.now < moment {
            pthread_cond_timedwait(condition, mutex, &time)
        }
        return !isOver
    }

    func stop() {
        pthread_mutex_lock(mutex)
        isOver = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }
}
