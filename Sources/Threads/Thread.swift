internal import Glibc

/// One POSIX thread, from `start` to `join` or `detach`. It takes no signals: these are the
/// program's.
package struct Thread: @unchecked Sendable {
    // because the handle is a number that never changes.
    private let handle: pthread_t

    /// Runs `body` on a thread of its own. `nil`: the system has no thread left.
    package static func start(_ body: sending @escaping () -> Void) -> Thread? {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let start = Unmanaged.passRetained(Start(body))
        var handle = pthread_t()
        guard pthread_create(&handle, nil, run, start.toOpaque()) == 0 else {
            start.release()
            return nil
        }
        return Thread(handle: handle)
    }

    package var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    package func join() { pthread_join(handle, nil) }

    package func detach() { pthread_detach(handle) }
}

/// What a new thread begins with.
private final class Start {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }
}

private func run(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let raw else { return nil }
    let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
    start.body()
    return nil
}
