internal import Glibc

/// One POSIX thread, from `start` to `join` or `detach`; it takes no signals.
struct Thread {
    private let handle: pthread_t

    /// Runs `body` on a thread of its own. Throws `failed` when the system has no thread left.
    static func start(
        _ body: sending @escaping () -> Void
    ) throws(StorageError) -> Thread {
        let start = Unmanaged.passRetained(Start(body))
        var handle = pthread_t()
        let code = pthread_create(&handle, nil, runStart, start.toOpaque())
        if code != 0 {
            start.release()
            throw .failed("The system has no thread left (code \(code)); raise its limit.")
        }
        return Thread(handle: handle)
    }

    var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    func join() {
        pthread_join(handle, nil)
    }

    func detach() {
        pthread_detach(handle)
    }
}

/// What a new thread begins with.
private final class Start {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }
}

private func runStart(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let raw else { return nil }
    let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    start.body()
    return nil
}
