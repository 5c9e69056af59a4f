import Testing
import WebSockets

@Suite struct FrameTests {
    @Test func `fragments, with a ping between them, make one message`() throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        let message = noise(9_000)
        try socket.send(RawSocket.frame(1, Array(message[..<3_000]), isFinal: false))
        try socket.send(RawSocket.frame(9, Array("ping")))
        try socket.send(RawSocket.frame(0, [], isFinal: false))
        try socket.send(RawSocket.frame(10, Array("pong nobody asked for")))
        try socket.send(RawSocket.frame(0, Array(message[3_000..<8_000]), isFinal: false))
        try socket.send(RawSocket.frame(0, Array(message[8_000...])))
        #expect(try socket.readFrame() == Frame(opcode: 10, payload: Array("ping")))
        #expect(try socket.readFrame() == Frame(opcode: 1, payload: message))
    }

    @Test func `a message that arrives byte by byte is whole`() throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        for text in ["drop by drop", "and again", "ünïcödé ✓"] {
            for byte in RawSocket.frame(1, Array(text)) { try socket.send([byte]) }
            #expect(try socket.readFrame() == Frame(opcode: 1, payload: Array(text)))
        }
    }

    @Test func `PR5 a message over the limit closes with 1009, however it is cut`() throws {
        let server = try TestServer { $0.maxMessage = 100_000 }
        defer { server.stop() }
        let whole = try RawSocket.open(port: server.port)
        try whole.sendText(noise(100_000))
        #expect(try server.messages.next() == noise(100_000))
        try whole.sendText(noise(100_001))
        #expect(try whole.readFrame().closeCode == 1009)

        let cut = try RawSocket.open(port: server.port)
        for index in 0..<6 {
            try cut.send(
                RawSocket.frame(index == 0 ? 1 : 0, noise(20_000), isFinal: false))
        }
        #expect(try cut.readFrame().closeCode == 1009)

        // Only announced, in a frame of 1 GiB whose bytes never come.
        let boast = try RawSocket.open(port: server.port)
        try boast.send([0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4] + noise(5_000))
        #expect(try boast.readFrame().closeCode == 1009)
        #expect(server.messages.isEmpty)
    }

    @Test func `who goes on pouring behind our close frame is dropped, before its time is over`()
        throws
    {
        let server = try TestServer {
            $0.maxMessage = 10_000
            $0.closeMilliseconds = 600_000
        }
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        try socket.sendText(noise(10_001))
        #expect(try socket.readFrame().closeCode == 1009)
        let more = RawSocket.frame(1, noise(10_000))
        #expect(throws: (any Error).self) { for _ in 0..<10_000 { try socket.send(more) } }
        guard case .local(1009, _) = try server.closes.next() else {
            Issue.record("it went in another way")
            return
        }
    }

    @Test func `binary messages close with 1003`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        try socket.send(RawSocket.frame(2, Array("text in disguise")))
        #expect(try socket.readFrame().closeCode == 1003)
        #expect(server.messages.isEmpty)
    }

    @Test(arguments: [
        [(UInt8(1), [UInt8](arrayLiteral: 0x61, 0xff, 0x62), true)],
        [(1, [0x61, 0xc3], true)],
        [(1, [0xed, 0xa0, 0x80], true)],
        [(1, [0x61, 0xc3], false), (0, [0x61], true)],
        [(1, [0x61, 0xc3], false), (0, [], true)],
    ])
    func `what is not UTF-8 closes with 1007`(frames: [(UInt8, [UInt8], Bool)]) throws {
        let server = try TestServer()
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        for (opcode, payload, isFinal) in frames {
            try socket.send(RawSocket.frame(opcode, payload, isFinal: isFinal))
        }
        #expect(try socket.readFrame().closeCode == 1007)
        #expect(server.messages.isEmpty)
    }

    @Test func `a character cut in two by a fragment is still UTF-8`() throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        let socket = try RawSocket.open(port: server.port)
        try socket.send(RawSocket.frame(1, [0x61, 0xc3], isFinal: false))
        try socket.send(RawSocket.frame(0, [0xa9]))
        #expect(try socket.readFrame().payload.string == "aé")
    }

    @Test(arguments: [
        [UInt8](arrayLiteral: 0x83, 0x80, 0, 0, 0, 0),  // an opcode that does not exist
        [0xc1, 0x80, 0, 0, 0, 0],  // a bit of an extension that was not agreed on
        [0x80, 0x81, 0, 0, 0, 0, 0x61],  // a continuation of nothing
        [0x09, 0x80, 0, 0, 0, 0],  // a ping in pieces
        [0x89, 0xfe, 0, 0xff],  // a ping that is too long
        [0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],  // a negative length
        [0x01, 0x81, 0, 0, 0, 0, 0x61, 0x81, 0x81, 0, 0, 0, 0, 0x62],  // a message in a message
    ])
    func `broken frames end their own connection only`(bytes: [UInt8]) throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        let good = try RawSocket.open(port: server.port)
        let bad = try RawSocket.open(port: server.port)
        try bad.send(bytes)
        if let frame = try? bad.readFrame() { #expect(frame.closeCode == 1002) }
        try good.sendText(Array("still here"))
        #expect(try good.readFrame().payload.string == "still here")
    }

    @Test func `noise instead of frames never takes the server down`() throws {
        let server = try TestServer(.echo)
        defer { server.stop() }
        for seed in 1...100 {
            let socket = try RawSocket.open(port: server.port)
            var bytes = noise(300, seed: UInt64(seed))
            for index in bytes.indices { bytes[index] = bytes[index] &* 151 &+ UInt8(seed) }
            try? socket.send(bytes)
        }
        let good = try RawSocket.open(port: server.port)
        try good.sendText(Array("still here"))
        #expect(try good.readFrame().payload.string == "still here")
    }
}
