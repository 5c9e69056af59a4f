import Foundation
import ListAuthority
import ListModel
import ListProtocol
import Storage
import Testing
import WebSockets

@testable import ListServer

/// A bound that is hit by one message of a client that has the list `todo` open, with "a" in it.
struct Hit: Sendable, CustomTestStringConvertible {
    let bound: String
    let value: Int
    /// What still goes, and what does not.
    let within: [String]
    let beyond: String
    let code: Code

    var testDescription: String { bound }

    private static func submit(_ n: Int, _ operations: String) -> String {
        #"{"t":"submit","list":"todo","n":\#(n),"ops":[\#(operations)]}"#
    }

    private static func insert(_ id: String, _ fields: String = "") -> String {
        #"{"insert":"\#(id)","at":"last","f":{\#(fields)}}"#
    }

    private static let text = String(repeating: "x", count: 2_000)

    static let all = [
        Hit(
            bound: "element", value: 1_500,
            within: [submit(2, insert("b", #""title":"\#(text.prefix(1_400))""#))],
            beyond: submit(3, insert("c", #""title":"\#(text)""#)), code: .tooLarge),
        Hit(
            bound: "fields", value: 2, within: [submit(2, insert("b", #""x":1,"y":2"#))],
            beyond: submit(3, insert("c", #""x":1,"y":2,"z":3"#)), code: .tooMany),
        Hit(
            bound: "operations", value: 2,
            within: [submit(2, [insert("b"), insert("c")].joined(separator: ","))],
            beyond: submit(3, ["d", "e", "f"].map { insert($0) }.joined(separator: ",")),
            code: .tooMany),
        Hit(
            bound: "length", value: 2, within: [submit(2, insert("b"))],
            beyond: submit(3, insert("c")), code: .tooMany),
        Hit(
            bound: "lists", value: 2, within: [#"{"t":"create","r":1,"list":"one"}"#],
            beyond: #"{"t":"create","r":2,"list":"two"}"#, code: .tooMany),
        Hit(
            bound: "open-lists", value: 2, within: [#"{"t":"open","list":"one","create":true}"#],
            beyond: #"{"t":"open","list":"two","create":true}"#, code: .tooMany),
    ]
}

/// Every bound that can be set is hit here: there is a typed answer with the number in it, and
/// whoever keeps within it does not notice.
@Suite("Bounds", .timeLimit(.minutes(10))) struct BoundTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    /// A server on which these are the bounds, whatever range an operator has.
    private func server(
        _ bounds: [String: Int], _ configure: (inout ServerOptions) -> Void = { _ in },
        tokens: TemporaryFolder? = nil
    ) throws -> Server {
        var options = ServerOptions()
        options.port = 0
        options.bounds = bounds.merging(["hello-seconds": 600]) { given, _ in given }
        configure(&options)
        let server = try Server(options, limits: options.limits, tokens: tokens?.path) {
            InMemoryLogStorage(faults: StorageFaults())
        }
        bench.keep(server)
        return server
    }

    private static let others = [
        "message", "connections", "connections-per-address", "connections-per-user",
        "handshake-seconds", "hello-seconds", "messages-per-second", "edits-per-second",
        "bytes-per-second", "snapshot-bytes",
    ]

    @Test func `each has a test, and stands in the documents as it is`() throws {
        #expect(Set(Bound.all.map(\.name)) == Set(Hit.all.map(\.bound) + Self.others))
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("docs/limits.md"), encoding: .utf8)
        for bound in Bound.all {
            #expect(page.contains(bound.row + "\n"), "\(bound.row)")
            #expect(bound.range.contains(bound.usual))
        }
    }

    @Test(arguments: Hit.all)
    func `what is beyond is refused with the number, and the next is taken again`(hit: Hit)
        async throws
    {
        let server = try server([hit.bound: hit.value])
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        _ = try await ana.submit(1, [try insert("a")])
        ana.send(raw: (hit.within + [hit.beyond]).map { Array($0.utf8) })
        let refusal = try await ana.first { message -> Refusal? in
            switch message {
            case .outcome(_, _, let answer):
                if case .refused(let refusal) = answer.outcome { return refusal }
                return nil
            case .error(_, _, let refusal): return refusal
            default: return nil
            }
        }
        #expect(refusal.code == hit.code && refusal.sentence.contains("\(hit.value)"))
        ana.send(.ping(7, nil))
        _ = try await ana.first { if case .pong(7, nil, nil) = $0 { true } else { nil } }
    }

    @Test func `a message that is too long closes its connection`() async throws {
        let server = try server(["message": 2_000])
        let ana = try await bench.client("ana", of: server)
        let ping = Array(#"{"t":"ping","r":1}"#.utf8)
        ana.send(raw: [ping + [UInt8](repeating: 0x20, count: 2_000 - ping.count)])
        #expect(try await ana.next() == .pong(1, nil, nil))
        ana.send(raw: [ping + [UInt8](repeating: 0x20, count: 2_001 - ping.count)])
        let end = try await ana.end()
        guard case .peer(1009, let reason) = end.reason else { throw Unexpected("\(end.reason)") }
        #expect(reason.contains("2000"))
    }

    @Test func `a connection too many is dropped, and room is made by who leaves`() async throws {
        let server = try server(["connections": 2])
        let ana = try await bench.client("ana", of: server)
        let bo = try await bench.client("bo", of: server)
        let cleo = TestClient(bench.loop, port: server.port)
        guard case .closed = try await cleo.event() else { throw Unexpected("let in") }
        try await bo.leave()
        ana.send(.ping(1, nil))
        #expect(try await ana.next() == .pong(1, nil, nil))
        _ = try await bench.client("dan", of: server)
    }

    @Test func `an address has its number, and is told it by HTTP`() async throws {
        let server = try server(["connections-per-address": 2]) { $0.countsThisMachine = true }
        _ = try await bench.client("ana", of: server)
        let bo = try await bench.client("bo", of: server)
        let more = try RawClient(port: server.port)
        #expect(more.status == 429 && more.head.contains("At most 2 connections"))
        #expect(more.head.contains("Retry-After: 5"))
        try await bo.leave()
        #expect(try RawClient(port: server.port).status == 101)
        let usual = try self.server(["connections-per-address": 1])
        for name in ["ana", "bo", "cleo"] { _ = try await bench.client(name, of: usual) }
    }

    @Test func `a user has a number of connections, whatever others have`() async throws {
        let folder = try TemporaryFolder()
        let store = TokenStore(folder: folder.path)
        let grants = try #require([Grant](parsing: "*:own"))
        var tokens: [String] = []
        for (name, tenant) in [("ana", nil), ("bo", nil), ("ana", "acme")] {
            tokens.append(
                try store.create(
                    for: try #require(UserName(name)),
                    tenant: tenant.flatMap(Tenant.init) ?? .unnamed, grants, expires: nil
                ).text)
        }
        let server = try server(["connections-per-user": 2], tokens: folder)
        let first = try await bench.client("x", token: tokens[0], of: server, id: "c1")
        _ = try await bench.client("x", token: tokens[0], of: server, id: "c2")
        let third = try await greeting(tokens[0], server)
        let end = try await third.told()
        #expect(end.refusals.map(\.code) == [.tooMany])
        #expect(end.refusals[0].sentence.contains("2") && end.retry == 5_000)
        #expect(end.code == CloseCode.tooManyConnections.rawValue)
        _ = try await bench.client("x", token: tokens[1], of: server, id: "c4")
        _ = try await bench.client("x", token: tokens[2], of: server, id: "c5")
        try await first.leave()
        _ = try await bench.client("x", token: tokens[0], of: server, id: "c6")
    }

    private func greeting(_ token: String, _ server: Server) async throws -> TestClient {
        let client = TestClient(bench.loop, port: server.port)
        #expect(try await client.event() == .opened)
        let hello = ClientMessage.Hello(
            client: try #require(ClientID("c3")), name: try #require(UserName("x")), token: token)
        client.send(.hello(hello))
        return client
    }

    @Test func `a handshake that takes its time is dropped`() throws {
        let server = try server(["handshake-seconds": 1])
        let start = ContinuousClock.now
        let slow = try RawClient(port: server.port, headers: ["X-Never-Ends: "], ending: "")
        #expect(slow.status == 0)
        #expect((.seconds(1)..<(.seconds(60))).contains(ContinuousClock.now - start))
    }

    @Test func `whoever never says hello is sent away, to come back`() async throws {
        let server = try server(["hello-seconds": 10])
        // Whoever has no processor for so long is sent away, too.
        var welcomed: TestClient?
        for _ in 1...20 where welcomed == nil {
            welcomed = try? await bench.client("ana", of: server)
        }
        let ana = try #require(welcomed)
        let silent = TestClient(bench.loop, port: server.port)
        let end = try await silent.told()
        #expect(end.refusals.map(\.code) == [.helloFirst])
        #expect(end.refusals[0].sentence.contains("10 seconds") && end.retry == 5_000)
        #expect(end.code == CloseCode.helloLate.rawValue)
        ana.send(.ping(1, nil))
        #expect(try await ana.next() == .pong(1, nil, nil))
    }

    @Test func `questions in excess are refused, and closed on when they do not end`()
        async throws
    {
        let server = try server(["messages-per-second": 1])
        let ana = try await bench.client("ana", of: server)
        for number in 1...400 { ana.send(.ping(RequestID(number), nil)) }
        let end = try await ana.told()
        let answered = end.messages.count { if case .pong = $0 { true } else { false } }
        // Ten seconds' worth and what came meanwhile, less the hello.
        #expect((8..<100).contains(answered))
        #expect(end.refusals.allSatisfy { $0.code == .tooManyRequests })
        #expect(end.refusals.count >= 100 && end.refusals[0].sentence.contains("1 messages"))
        #expect(end.code == CloseCode.tooManyRequests.rawValue && end.retry == 5_000)
    }

    @Test func `what cannot be read counts as what can`() async throws {
        let server = try server(["messages-per-second": 1])
        let ana = try await bench.client("ana", of: server)
        ana.send(raw: [[UInt8]](repeating: Array("{".utf8), count: 100))
        let end = try await ana.told()
        #expect(end.code == CloseCode.tooManyRequests.rawValue && end.retry == 5_000)
        #expect((9..<60).contains(end.refusals.count))
        #expect(end.refusals.last?.code == .tooManyRequests)
    }

    @Test func `mutations in excess close the connection, and none is left out`() async throws {
        let server = try server(["edits-per-second": 2])
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        for n in 1...100 { ana.send(submission(UInt64(n), [try insert("e\(n)")])) }
        let end = try await ana.told()
        #expect(end.code == CloseCode.tooManyRequests.rawValue && end.retry == 5_000)
        #expect(end.refusals.map(\.code) == [.tooManyRequests])
        #expect(end.refusals[0].sentence.contains("2 mutations"))
        let again = try await bench.client("bo", of: server)
        let ids = try await again.open().ids()
        #expect((20..<60).contains(ids.count) && ids == (1...ids.count).map { "e\($0)" })
    }

    @Test func `whole lists are sent as there is room, and others wait their turn`() async throws {
        let server = try server(["snapshot-bytes": 1])
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        let text = Value.text(String(repeating: "x", count: 60_000))
        for n in 1...300 {
            let row = Operation.Intent.insert(try id("e\(n)"), at: .last, ["title": text])
            _ = try await ana.submit(UInt64(n), [ListModel.Operation(row)])
        }
        // Is being given 18 MB, and reads nothing.
        var slow: RawClient? = try RawClient(port: server.port)
        slow?.send(#"{"t":"hello","v":1,"client":"slow","name":"slow"}"#)
        slow?.send(#"{"t":"open","list":"todo"}"#)
        while server.loop.perform({ [service = server.service] in service.snapshotRoom.bytes })
            < 10 << 20
        { sched_yield() }
        let bo = try await bench.client("bo", of: server)
        let other = try #require(ListName("other"))
        bo.send(.open(ClientMessage.Open(list: other, create: true)))
        for number in 1...3 {
            bo.send(.ping(RequestID(number), nil))
            #expect(try await bo.next() == .pong(RequestID(number), nil, nil))
        }
        // Work goes on meanwhile.
        _ = try await ana.submit(301, [try insert("more")])
        withExtendedLifetime(slow) {}
        slow = nil
        guard case .snapshot(other, _) = try await bo.next() else { throw Unexpected("no list") }
    }

    @Test func `bytes in excess close the connection`() async throws {
        let server = try server(["bytes-per-second": 1_000])
        let ana = try await bench.client("ana", of: server)
        let ping = Array(#"{"t":"ping","r":1}"#.utf8) + [UInt8](repeating: 0x20, count: 5_000)
        ana.send(raw: [ping, ping, ping, ping])
        let end = try await ana.told()
        #expect(end.code == CloseCode.tooManyRequests.rawValue && end.retry == 5_000)
        #expect(end.refusals.map(\.code) == [.tooManyRequests])
        #expect(end.refusals[0].sentence.contains("1000 bytes"))
        #expect(end.messages.count { if case .pong = $0 { true } else { false } } == 2)
    }
}

extension TestClient {
    /// What is told of an end.
    struct End {
        let messages: [ServerMessage]
        let refusals: [Refusal]
        let retry: Int64?
        let code: UInt16?
    }

    fileprivate func told() async throws -> End {
        let (messages, reason) = try await end()
        var end: (refusals: [Refusal], retry: Int64?) = ([], nil)
        for message in messages {
            if case .error(_, _, let refusal) = message { end.refusals.append(refusal) }
            if case .goodbye(let goodbye) = message { end.retry = goodbye.retry }
        }
        var code: UInt16?
        if case .peer(let number, _) = reason { code = number }
        return End(messages: messages, refusals: end.refusals, retry: end.retry, code: code)
    }
}
