internal import CLibuv

/// Work for later on the loop. It runs once, or never after `cancel`.
package final class LoopTimer {
    private unowned let loop: EventLoop
    /// Nil once it ran or was cancelled.
    private var body: (() -> Void)?
    private var handle: UnsafeMutablePointer<uv_timer_t>?

    fileprivate init(_ loop: EventLoop, _ milliseconds: UInt64, _ body: @escaping () -> Void) {
        self.loop = loop
        guard !loop.isStopping else { return }
        self.body = body
        let handle = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
        self.handle = handle
        uv_timer_init(loop.engine.uv, handle)
        handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        // libuv counts from its cached time, which is old when this turn took long.
        uv_update_time(loop.engine.uv)
        uv_timer_start(handle, timerFired, milliseconds, 0)
        loop.timers[ObjectIdentifier(self)] = self
    }

    /// Repeating it does nothing, nor does it after the body ran.
    package func cancel() {
        loop.preconditionOnLoop()
        end()
    }

    fileprivate func fire() {
        let body = self.body
        end()
        body?()
    }

    private func end() {
        guard let handle else { return }
        self.handle = nil
        body = nil
        let base = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
        uv_close(base) { $0?.deallocate() }
        loop.timers[ObjectIdentifier(self)] = nil
    }
}

extension EventLoop {
    /// Runs `body` on the loop, once, after this time; never when the loop stops before.
    @discardableResult
    package func after(milliseconds: UInt64, _ body: @escaping () -> Void) -> LoopTimer {
        preconditionOnLoop()
        return LoopTimer(self, milliseconds, body)
    }
}

private func timerFired(_ handle: UnsafeMutablePointer<uv_timer_t>?) {
    guard let data = handle?.pointee.data else { return }
    Unmanaged<LoopTimer>.fromOpaque(data).takeUnretainedValue().fire()
}
