import Testing
import WebSockets

@Suite struct BroadcastTests {
    /// Sends what each connection has not had yet, as a list server does: one bounded write at a
    /// time, and no more before `writable`.
    final class Cursors: @unchecked Sendable {
        // because it is used on one loop's thread alone.

        let log: [[UInt8]]
        private var position: [ConnectionID: Int] = [:]

        init(_ log: [[UInt8]]) {
            self.log = log
        }

        func pump(_ connection: WebSocketConnection) {
            var next = position[connection.id, default: 0]
            defer { position[connection.id] = next }
            while next < log.count, connection.isWritable {
                let batch = Array(log[next..<min(next + 4, log.count)])
                guard connection.send(batch) != .overflow else { return }
                next += batch.count
            }
        }
    }

    @Test func `PR3 200 connections get the same bytes, though some read late`() throws {
        let log = (0..<64).map { noise(10_000 + $0, seed: UInt64($0 + 1)) }
        let cursors = Cursors(log)
        var behaviour = Behaviour()
        behaviour.opened = { cursors.pump($0) }
        behaviour.writable = { cursors.pump($0) }
        // No pings: those who read late answer none, and on a slow machine the last ones read late.
        let server = try TestServer(behaviour) {
            $0.sendBuffer = 16_384
            $0.pingAfterSeconds = 0
        }
        defer { server.stop() }
        let sockets = try (0..<200).map { index in
            try RawSocket.open(port: server.port, receiveBuffer: index % 4 == 0 ? 4_096 : nil)
        }
        // Those in front have stalled the longest when their turn comes last.
        for socket in sockets.reversed() {
            #expect(try log.allSatisfy { try socket.readFrame() == Frame(opcode: 1, payload: $0) })
        }
    }

    @Test func `FL2 a reader that has stopped holds back nobody else, and little memory`() throws {
        let log = (0..<400).map { noise(20_000, seed: UInt64($0 + 1)) }
        let cursors = Cursors(log)
        var behaviour = Behaviour()
        behaviour.received = { _, connection in cursors.pump(connection) }
        behaviour.writable = { cursors.pump($0) }
        let server = try TestServer(behaviour)
        defer { server.stop() }
        let stalled = try RawSocket.open(port: server.port, receiveBuffer: 4_096)
        try stalled.sendText(Array("go"))
        _ = try server.messages.next()
        let fast = try RawSocket.open(port: server.port)
        try fast.sendText(Array("go"))
        #expect(try log.allSatisfy { try fast.readFrame().payload == $0 })
        #expect(try log.allSatisfy { try stalled.readFrame().payload == $0 })
    }

    @Test func `more than one write may carry is refused, and one large message is not`() throws {
        let results = Inbox<SendResult>()
        var behaviour = Behaviour()
        behaviour.opened = { connection in
            results.put(connection.send([noise(60_000), noise(60_000)]))
            results.put(connection.send([noise(500_000)]))
            results.put(connection.send([Array("late")]))
        }
        let server = try TestServer(behaviour) {
            $0.maxWrite = 100_000
            $0.sendBuffer = 16_384
        }
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port, receiveBuffer: 4_096)
        #expect(try results.next(3) == [.overflow, .queued, .overflow])
        #expect(try socket.readFrame().payload == noise(500_000))
        _ = try server.writables.next()
    }

    @Test func `a client queues what the network does not take, in order, up to its bound`() throws
    {
        let server = try TestServer()
        defer { server.stop() }
        let loop = try EventLoop()
        defer { loop.stop() }
        let client = TestClient(loop, .init(host: "127.0.0.1", port: server.port)) {
            $0.maxQueue = 8 << 20
        }
        try client.opens.next()
        let messages = (0..<200).map { noise(30_000, seed: UInt64($0 + 1)) }
        #expect(client.send(messages) == .queued)
        #expect(client.send([noise(9 << 20)]) == .overflow)
        #expect(try server.messages.next(200) == messages)
        try client.drains.next()
    }

    @Test func `a client that reads nothing gets all of it once it reads again`() throws {
        let log = (0..<400).map { noise(20_000, seed: UInt64($0 + 1)) }
        let cursors = Cursors(log)
        let results = Inbox<Bool>()
        var behaviour = Behaviour()
        behaviour.received = { _, connection in
            cursors.pump(connection)
            results.put(connection.isWritable)
        }
        behaviour.writable = { cursors.pump($0) }
        let server = try TestServer(behaviour)
        defer { server.stop() }
        let loop = try EventLoop()
        defer { loop.stop() }
        let client = TestClient(loop, port: server.port)
        try client.opens.next()
        client.client.setReading(false)
        client.send([Array("go")])
        // More than the network takes in between.
        #expect(try results.next() == false)
        // While another opens the loop has had its turns, and read whatever it reads.
        try TestClient(loop, port: server.port).opens.next()
        #expect(client.messages.isEmpty)
        client.client.setReading(true)
        #expect(try client.messages.next(log.count) == log)
    }
}
