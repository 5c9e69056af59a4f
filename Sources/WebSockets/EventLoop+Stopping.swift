internal import CLibuv
internal import CLibwebsockets
import Glibc

extension EventLoop {
    /// Ends everything and tells the owners; then the engine is free for another loop.
    func shutDown() {
        mailbox.close()
        server?.dropEverything()
        for client in clients.values { client.drop() }
        for timer in timers.values { timer.cancel() }
        mailbox.closeHandle()

        // The timer only ends the wait, should a socket not go.
        let deadline = now + 2_000
        let timer = after(milliseconds: 2_000) {}
        while hasSockets, now < deadline { uv_run(engine.uv, UV_RUN_ONCE) }
        timer.cancel()
        // The ends of handles come in the turn after that in which they were closed.
        for _ in 0..<3 { uv_run(engine.uv, UV_RUN_NOWAIT) }
        for client in clients.values { client.finish(.stopped) }
        // An engine with sockets left is not lent out again; nor is it freed, by any means.
        guard !hasSockets else { return }
        server?.destroyHost()
        server = nil
        engine.park()
    }

    private var hasSockets: Bool {
        !engine.clientSockets.isEmpty || (server?.socketCount ?? 0) > 0
    }

    /// Drops a connection at the next turn of the loop, without a word to the peer.
    func kill(_ wsi: OpaquePointer) {
        preconditionOnLoop()
        lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
        engine.poke()
    }
}
