internal import CLibuv
import Glibc

/// One listening socket, whose connections its server hands to libwebsockets.
///
/// libwebsockets' own listener spins and floods the log when the process is out of descriptors,
/// tells no reason when it cannot listen, and cannot stop listening while connections stay.
final class Listener {
    private unowned let server: WebSocketServer
    private let descriptor: Int32
    private let isSecure: Bool
    private var handle: UnsafeMutablePointer<uv_poll_t>?
    private var pause: LoopTimer?

    init(_ descriptor: Int32, _ server: WebSocketServer, isSecure: Bool) {
        self.descriptor = descriptor
        self.isSecure = isSecure
        self.server = server
        let handle = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
        self.handle = handle
        uv_poll_init(server.loop.engine.uv, handle, descriptor)
        handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        start()
    }

    func close() {
        guard let handle else { return }
        self.handle = nil
        pause?.cancel()
        uv_poll_stop(handle)
        let base = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
        uv_close(base) { $0?.deallocate() }
        Glibc.close(descriptor)
    }

    private func start() {
        guard let handle else { return }
        uv_poll_start(handle, Int32(UV_READABLE.rawValue), connectionsWait)
    }

    /// Takes what waits, but not for ever: the connections that are there have their turn, too.
    fileprivate func acceptWaiting() {
        for _ in 0..<64 {
            let accepted = accept4(
                descriptor, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
            guard accepted < 0 else {
                server.adopt(accepted, isSecure: isSecure)
                continue
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return rest()
            default: return
            }
        }
    }

    /// Out of descriptors: those that wait stay in the kernel's queue for a while.
    private func rest() {
        guard let handle else { return }
        uv_poll_stop(handle)
        pause = server.loop.after(milliseconds: 100) { [self] in start() }
    }
}

private func connectionsWait(
    _ handle: UnsafeMutablePointer<uv_poll_t>?, _ status: Int32, _ events: Int32
) {
    guard let data = handle?.pointee.data else { return }
    Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue().acceptWaiting()
}
