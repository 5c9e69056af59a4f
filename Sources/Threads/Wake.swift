internal import Glibc

/// A call that one thread waits for and any thread gives; calls are counted, none is lost.
package final class Wake: @unchecked Sendable {
    // because the only state is a POSIX semaphore, which is made for many threads, at
    // an address that does not change.
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func call() {
        sem_post(semaphore)
    }

    package func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
