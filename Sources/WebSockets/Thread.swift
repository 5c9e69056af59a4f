import Glibc

/// What a thread runs; it is started with all signals blocked, since these are the program's.
struct ThreadBody {
    private final class Box {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    private let box: Box

    init(_ run: @escaping () -> Void) {
        box = Box(run)
    }

    /// Returns nil when the system has no thread for us.
    func start() -> pthread_t? {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var thread = pthread_t()
        let pointer = Unmanaged.passRetained(box).toOpaque()
        let failure = pthread_create(
            &thread, nil,
            { pointer in
                if let pointer { Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().run() }
                return nil
            }, pointer)
        guard failure == 0 else {
            Unmanaged<Box>.fromOpaque(pointer).release()
            return nil
        }
        return thread
    }
}

/// A place for one value, which one thread fills and another waits for.
final class Handover<Value: Sendable>: @unchecked Sendable {
    // because the value is written before the semaphore is raised, and read after it.

    private var value: Value?
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func fulfil(_ value: Value) {
        self.value = value
        sem_post(semaphore)
    }

    /// To be called once.
    func wait() -> Value {
        while true {
            if sem_wait(semaphore) == 0, let value { return value }
        }
    }
}

/// Raises the number of files that this process may open, never lowers it.
func raiseDescriptorLimit(to wanted: UInt) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let target = min(limit.rlim_max, rlim_t(wanted))
    guard limit.rlim_cur < target else { return }
    limit.rlim_cur = target
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// How many files this process may open.
func descriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
}
