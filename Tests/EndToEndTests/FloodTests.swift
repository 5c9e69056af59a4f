import Foundation
import Testing
import Threads
import WebSockets

/// What somebody does to a server who means it harm, again and again until told to stop.
struct Flood: Sendable, CustomTestStringConvertible {
    let name: String
    /// Does it once; false where the server had enough, and it begins anew.
    let wave: @Sendable (_ port: UInt16, _ goesOn: () -> Bool) throws -> Void

    var testDescription: String { name }

    private static let hello = #"{"t":"hello","v":1,"client":"flood","name":"mallory"}"#

    private static func frame(_ head: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        let length: [UInt8] =
            payload.count < 126
            ? [0x80 | UInt8(payload.count)]
            : [0xFE, UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF)]
        return [head] + length + [0, 0, 0, 0] + payload
    }

    private static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

    /// Of a greeted client: `bytes` over and over.
    private static func pouring(_ name: String, _ bytes: [UInt8], first: [UInt8] = []) -> Flood {
        Flood(name: name) { port, goesOn in
            let socket = try RawSocket(port: port)
            try socket.becomeWebSocket()
            socket.send(bytes: text(hello) + first)
            _ = socket.pour(bytes, while: goesOn)
        }
    }

    private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        Array([[UInt8]](repeating: bytes, count: count).joined())
    }

    private static let insert = #"{"t":"submit","list":"food","n":1,"ops":[{"insert":""#

    static let all = [
        pouring("pings", repeated(frame(0x89, [1, 2, 3]), 500)),
        pouring("fragments of one byte", repeated(frame(0x00, [0x20]), 500), first: frame(0x01)),
        pouring("fragments of nothing", repeated(frame(0x00), 500), first: frame(0x01)),
        pouring("depth 10,000", text(String(repeating: "[", count: 10_000))),
        pouring("IDs of 60,000 bytes", text(insert + String(repeating: "x", count: 60_000))),
        pouring("what cannot be read", repeated(text(#"{"t":1"#), 500)),
        pouring(
            "opens and closes of a list",
            repeated(
                text(#"{"t":"open","list":"food"}"#) + text(#"{"t":"close","list":"food"}"#), 50)),
        pouring("questions", repeated(text(#"{"t":"lists","r":1}"#), 500)),
        Flood(name: "10,000 connections, one after another") { port, goesOn in
            for _ in 0..<10_000 where goesOn() { _ = try RawSocket(port: port) }
        },
        Flood(name: "1,000 slow handshakes at once") { port, goesOn in
            let sockets = try (0..<1_000).map { _ in try RawSocket(port: port) }
            let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".utf8)
            var at = 0
            while goesOn(), !sockets[0].hears(within: 50) {
                for socket in sockets { socket.send(bytes: [request[at % request.count]]) }
                at += 1
            }
        },
    ]
}

/// Somebody floods a server on which others work: they are served, all of them, in time, and the
/// server's memory stays what it was.
@Suite("Floods", .serialized, .timeLimit(.minutes(15))) struct FloodTests {
    @Test(arguments: Flood.all)
    func `others go on, and memory is bounded`(flood: Flood) throws {
        let (daemon, _, port) = try Daemon.serving(["--log-level", "error"])
        // What a flood takes from the processors by being made is not this server's to answer for.
        let (other, _, elsewhere) = try Daemon.serving(["--log-level", "error"])
        let crowd = try Crowd(
            "food", of: WebSocketClient.Endpoint(host: "127.0.0.1", port: port))
        crowd.add(1, of: "whoever", "")
        try crowd.wait("made the list") { $0.allSatisfy(\.isReady) }
        for _ in 0..<9 { crowd.add(2, of: "whoever", "") }
        let calm = try crowd.waits(of: 20)
        let besides = try during(flood, at: elsewhere) { try crowd.waits(of: 40) }
        let before = try daemon.memory()
        let (flooded, grown) = try during(flood, at: port) {
            (try crowd.waits(of: 40), try daemon.memory() - before)
        }
        print(
            "FLOOD \(flood.name): 99 of 100 within \(calm), \(besides) while another server is "
                + "flooded, \(flooded) while this one is; memory +\(grown >> 10) KiB")
        #expect(flooded < .seconds(30))
        #expect(grown < 64 << 20)
        #expect(try crowd.settle { _ in true } == [])
        for daemon in [daemon, other] {
            daemon.signal(SIGTERM)
            #expect(daemon.end().code == 0)
        }
    }

    /// Answers what `measure` does while a server is flooded.
    private func during<Answer>(
        _ flood: Flood, at port: UInt16, measure: () throws -> Answer
    ) throws -> Answer {
        let goesOn = Locked(true)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while goesOn.withLock({ $0 }) {
                try? flood.wave(port) { goesOn.withLock { $0 } }
            }
            ended.signal()
        }
        defer {
            goesOn.withLock { $0 = false }
            ended.wait()
        }
        return try measure()
    }
}
