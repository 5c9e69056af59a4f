import Foundation
import ListModel
import ListProtocol
import Storage
import Testing

@testable import ListServer

@Suite("What outlives a server", .timeLimit(.minutes(1))) struct RestartTests {
    let bench: Bench
    let folder: TemporaryFolder

    init() throws {
        bench = try Bench()
        folder = try TemporaryFolder()
    }

    @Test func `a restart keeps rows, epoch, and what was answered`() async throws {
        let before = try bench.server(in: folder)
        let ana = try await bench.client("ana", of: before)
        let position = try #require(try await ana.open(create: true).position)
        _ = try await ana.submit(1, [try insert("a"), try insert("b")])
        before.stop()
        _ = try await ana.end()

        let after = try bench.server(in: folder)
        let again = try await bench.client("ana", of: after)
        let opened = try await again.open(at: position)
        #expect(opened.parts.isEmpty && opened.entries.count == 1)
        #expect(opened.position?.epoch == position.epoch && opened.logged == [MutationNumber(1)])
        // The answer may have been lost with the server: asking again does nothing twice.
        let outcome = try await again.submit(1, [try insert("a"), try insert("b")])
        #expect(outcome == .logged(Version(1), skips: []))
        #expect(try await bench.client("bo", of: after).open().ids() == ["a", "b"])
    }

    @Test func `who deleted a list is known after a restart`() async throws {
        let before = try bench.server(in: folder)
        let ana = try await bench.client("ana", of: before)
        let position = try #require(try await ana.open(create: true).position)
        let bo = try await bench.client("bo", of: before)
        bo.send(.remove(1, todo))
        #expect(try await bo.next() == .done(1, todo))
        guard case .gone(todo, let gone) = try await ana.next() else { throw Unexpected("alive") }
        #expect(gone.by?.text == "bo")
        before.stop()

        let after = try bench.server(in: folder)
        let again = try await bench.client("ana", of: after)
        again.send(.open(ClientMessage.Open(list: todo, position: position)))
        guard case .gone(todo, let still) = try await again.next() else {
            throw Unexpected("alive")
        }
        #expect(still == gone)
        // Another list of that name is another list, and no memory of the first is in it.
        let opened = try await bench.client("cleo", of: after).open(create: true)
        #expect(opened.position?.epoch.list != position.epoch.list)
    }

    @Test func `a long log starts from its snapshot when it was cut`() async throws {
        let keepsFew: (inout ServerOptions) -> Void = { $0.history = .entries(10) }
        let before = try bench.server(in: folder, keepsFew)
        let ana = try await bench.client("ana", of: before)
        let position = try await ana.open(create: true).position
        for n in 1...200 { _ = try await ana.submit(UInt64(n), [try insert("row-\(n)")]) }
        before.stop()

        let after = try bench.server(in: folder, keepsFew)
        let opened = try await bench.client("bo", of: after).open(at: position)
        #expect(!opened.parts.isEmpty)
        #expect(try opened.ids() == (1...200).map { "row-\($0)" })
        let outcome = try await bench.client("ana", of: after).submit(7, [try insert("row-7")])
        #expect(outcome == .logged(Version(7), skips: []))
    }

    @Test func `history is told newest first, by element, in pages`() async throws {
        let server = try bench.server(in: folder)
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        for n in 1...30 {
            let touched = ListModel.Operation(.set(try id("row-1"), titled("Title \(n)")))
            let other = try insert("row-\(n)")
            _ = try await ana.submit(UInt64(n), n % 3 == 0 ? [other, touched] : [other])
        }
        func history(
            of element: String?, before: UInt64?, limit: Int
        ) async throws -> [UInt64] {
            ana.send(
                .history(
                    1, todo, of: try element.map(id), before: before.map { Version($0) },
                    limit: limit))
            return try await ana.first { message in
                if case .error(_, _, let refusal) = message { throw refusal }
                guard case .history(1, todo, let entries) = message else { return nil }
                return entries.map(\.version.number)
            }
        }
        #expect(try await history(of: nil, before: nil, limit: 3) == [30, 29, 28])
        #expect(try await history(of: "row-1", before: nil, limit: 3) == [30, 27, 24])
        #expect(try await history(of: "row-1", before: 7, limit: 100) == [6, 3, 1])
        #expect(try await history(of: "row-1", before: 1, limit: 100) == [])
        #expect(try await history(of: nil, before: 0, limit: 100) == [])
        #expect(try await history(of: nil, before: UInt64(Int64.max), limit: 1) == [30])
        #expect(try await history(of: "never", before: nil, limit: 100) == [])
    }

    @Test func `DB6: a damaged database is refused and left byte for byte`() async throws {
        let before = try bench.server(in: folder)
        let ana = try await bench.client("ana", of: before)
        _ = try await ana.open(create: true)
        for n in 1...50 { _ = try await ana.submit(UInt64(n), [try insert("row-\(n)")]) }
        before.stop()
        let file = URL(fileURLWithPath: folder.path + "/samelist.db")
        var data = try Data(contentsOf: file)
        for at in stride(from: 4_096, to: data.count, by: 97) { data[at] ^= 0xFF }
        try data.write(to: file)
        let contents = try folder.contents()
        do {
            _ = try bench.server(in: folder)
            Issue.record("a damaged database was served")
        } catch let error as ServerError {
            guard case .storage(.damaged) = error else { throw error }
            #expect(error.description.contains("backup"))
        }
        #expect(try folder.contents() == contents)
    }

    @Test func `a folder that another server uses is refused`() throws {
        _ = try bench.server(in: folder)
        do {
            _ = try bench.server(in: folder)
            Issue.record("two servers on one folder")
        } catch let error as ServerError {
            guard case .storage(.inUse) = error else { throw error }
        }
    }
}
