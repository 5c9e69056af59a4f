import ListModel
import ListProtocol
import Storage
import Testing

@testable import ListServer

@Suite("A server over real sockets", .timeLimit(.minutes(1))) struct ServingTests {
    let bench: Bench
    let folder: TemporaryFolder

    init() throws {
        bench = try Bench()
        folder = try TemporaryFolder()
    }

    @Test func `what one client inserts is told to both, entry before outcome`() async throws {
        let server = try bench.server(in: folder)
        let ana = try await bench.client("ana", of: server)
        let bo = try await bench.client("bo", of: server)
        #expect(try await ana.open(create: true).position?.version == .zero)
        #expect(try await bo.open().ids() == [])
        ana.send(submission(1, [try insert("a"), try insert("b", at: .first)]))
        let entries = try await bo.entries(through: 1)
        #expect(entries.map(\.by.text) == ["ana"] && entries[0].operations.count == 2)
        guard case .entries(todo, let own) = try await ana.next() else {
            throw Unexpected("the outcome overtook its entry")
        }
        // Nobody else learns what a client has heard, or the digest of its mutation.
        #expect(own.map(\.operations) == entries.map(\.operations))
        let outcome = try await ana.next()
        let logged = ServerMessage.Answer(.logged(Version(1), skips: []))
        #expect(outcome == .outcome(todo, MutationNumber(1), logged))
        let cleo = try await bench.client("cleo", of: server)
        #expect(try await cleo.open().ids() == ["b", "a"])
    }

    @Test func `a client that comes back gets only the entries it lacks`() async throws {
        let server = try bench.server(in: folder)
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        _ = try await ana.submit(1, [try insert("a")])
        let bo = try await bench.client("bo", of: server)
        let position = try await bo.open().position
        try await bo.leave()
        _ = try await ana.submit(2, [try insert("b")])
        _ = try await ana.submit(
            3, [ListModel.Operation(.delete(try id("a"), unlessEdited: false))])
        let again = try await bench.client("bo", of: server)
        let opened = try await again.open(at: position, editing: [try id("a")])
        #expect(opened.parts.isEmpty && opened.entries.map(\.version.number) == [2, 3])
        guard case .fates(nil, todo, let fates)? = opened.others.first,
            case .deleted(let grave)? = fates.first
        else { throw Unexpected("\(opened.others)") }
        #expect(grave.by.text == "ana" && grave.last.id.text == "a")
    }

    @Test func `a large list comes in bounded parts that fit together`() async throws {
        let server = try bench.server(in: folder)
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        for n in 0..<10 {
            let rows = try (0..<1_000).map { try insert("row-\(n)-\($0)") }
            let outcome = try await ana.submit(UInt64(n) + 1, rows)
            #expect(outcome == .logged(Version(UInt64(n) + 1), skips: []))
        }
        // Nobody reads it now, so that the next one needs the parts made anew.
        try await ana.leave()
        let opened = try await bench.client("bo", of: server).open()
        #expect(opened.parts.count > 5)
        #expect(opened.parts.map(\.index) == Array(0..<opened.parts.count))
        #expect(opened.parts.map(\.isLast).firstIndex(of: true) == opened.parts.count - 1)
        #expect(Set(opened.parts.map(\.position.version.number)) == [10])
        let ids = try opened.ids()
        #expect(ids.count == 10_000 && ids.last == "row-9-999")
    }

    @Test func `a new connection of a client takes the place of its old one`() async throws {
        let server = try bench.server(in: folder)
        let old = try await bench.client("ana", of: server)
        let new = try await bench.client("ana", of: server)
        let (messages, reason) = try await old.end()
        guard case .goodbye(let goodbye)? = messages.last else { throw Unexpected("no goodbye") }
        #expect(goodbye.code == CloseCode.replaced.rawValue && goodbye.retry == nil)
        #expect(reason == .peer(goodbye.code, goodbye.sentence))
        #expect(try await new.open(create: true).ids() == [])
    }

    @Test func `many mutations that wait for the disk at once are all answered`() async throws {
        let gate = Gate()
        let server = try bench.server {
            PassingStorage(InMemoryLogStorage()) { gate.pass() }
        }
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        gate.close()
        let messages = try (1...2_000).map { submission($0, [try insert("row-\($0)")]) }
        ana.send(raw: (messages + [.ping(1, nil)]).map(MessageEncoder.encode))
        _ = try await ana.first { if case .pong = $0 { true } else { nil } }
        gate.open()
        for n in 1...2_000 {
            let answered = try await ana.first { message in
                if case .outcome(_, let n, let answer) = message { return (n, answer.outcome) }
                return nil
            }
            #expect(answered.0.number == UInt64(n))
            #expect(answered.1 == .logged(Version(UInt64(n)), skips: []))
        }
    }
}
