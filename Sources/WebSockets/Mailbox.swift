internal import CLibuv
internal import Threads

/// Work from other threads for the loop, in order.
///
/// The loop is woken only when the mailbox was empty, and a wake drains it whole. Waking happens
/// under the lock, so that it never meets a handle that is being closed.
final class Mailbox: @unchecked Sendable {
    // because `state` is locked, and the rest is touched on the loop's thread alone.

    typealias Work = @Sendable () -> Void

    private struct State {
        var work: [Work] = []
        var isOpen = false
        var stopClaimed = false
    }

    private let state = Locked(State())
    private let handle: UnsafeMutablePointer<uv_async_t>
    /// The array that was drained last: its room is used again.
    private var drained: [Work] = []

    init() {
        handle = .allocate(capacity: 1)
    }

    deinit {
        handle.deallocate()
    }

    func open(_ loop: UnsafeMutablePointer<uv_loop_t>) {
        uv_async_init(loop, handle, mailboxWoken)
        handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        state.withLock { $0.isOpen = true }
    }

    /// Returns false when the mailbox is closed.
    func post(_ work: @escaping Work) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            state.work.append(work)
            if state.work.count == 1 { uv_async_send(handle) }
            return true
        }
    }

    /// True for the first who asks.
    func claimStop() -> Bool {
        state.withLock { state in
            defer { state.stopClaimed = true }
            return !state.stopClaimed
        }
    }

    /// Runs all that waits, but not what this puts in: that comes with the next wake.
    func drain() {
        swapWork()
        for work in drained { work() }
        drained.removeAll(keepingCapacity: drained.capacity < 4_096)
    }

    /// Accepts nothing from here on, and runs what was accepted before.
    func close() {
        state.withLock { $0.isOpen = false }
        drain()
    }

    func closeHandle() {
        state.withLock { $0.isOpen = false }
        uv_close(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self), nil)
    }

    private func swapWork() {
        state.withLock { swap(&$0.work, &drained) }
    }
}

private func mailboxWoken(_ handle: UnsafeMutablePointer<uv_async_t>?) {
    guard let data = handle?.pointee.data else { return }
    Unmanaged<Mailbox>.fromOpaque(data).takeUnretainedValue().drain()
}
