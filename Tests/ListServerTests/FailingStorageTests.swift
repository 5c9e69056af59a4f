import ListModel
import ListProtocol
import Testing
import WebSockets

@testable import ListServer
@testable import Storage

@Suite("A server whose storage fails", .timeLimit(.minutes(1))) struct FailingStorageTests {
    let bench: Bench
    let faults = StorageFaults()

    init() throws { bench = try Bench() }

    private func code(_ outcome: Outcome) -> Code? {
        if case .refused(let refusal) = outcome { refusal.code } else { nil }
    }

    @Test func `a full disk refuses writes, reads go on, and writes resume`() async throws {
        let server = try bench.server(faults)
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        _ = try await ana.submit(1, [try insert("a")])
        faults.fail(.writes, times: 1_000)
        let refused = try await ana.submit(2, [try insert("b")])
        #expect(code(refused) == .storageFailed)
        #expect(try await bench.client("bo", of: server).open().ids() == ["a"])
        faults.heal()
        #expect(try await ana.submit(2, [try insert("b")]) == .logged(Version(2), skips: []))
    }

    @Test
    func `DB5: while it fails nothing is acknowledged, probes see it, and it drains once healed`()
        async throws
    {
        let server = try bench.server(faults)
        func ready() -> String {
            server.loop.perform { [service = server.service] in
                let request = HTTPRequest(method: "GET", path: "/readyz", port: 0)
                let response = service.respond(to: request)
                return "\(response.status) " + String(decoding: response.body, as: UTF8.self)
            }
        }
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        #expect(ready() == "200 ready\n")
        faults.fail(.writes, times: 1_000_000)
        for round in 1...20 {
            for n in UInt64(1)...30 {
                #expect(code(try await ana.submit(n, [try insert("r\(n)")])) == .storageFailed)
            }
            #expect(ready() == "503 storage failing\n", "round \(round)")
        }
        #expect(try await bench.client("bo", of: server).open().ids() == [])
        faults.heal()
        for n in UInt64(1)...30 {
            let outcome = try await ana.submit(n, [try insert("r\(n)")])
            #expect(outcome == .logged(Version(n), skips: []))
        }
        #expect(ready() == "200 ready\n")
        #expect(try await bench.client("cid", of: server).open().ids().count == 30)
    }

    @Test func `a lost answer of the storage does nothing twice`() async throws {
        let server = try bench.server(faults)
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        faults.fail(.answers)
        // The log is read before anything is said: nobody is told no of what is there.
        #expect(try await ana.submit(1, [try insert("a")]) == .logged(Version(1), skips: []))
        // A retry finds its entry in the log, and so does another's work find its place.
        #expect(try await ana.submit(1, [try insert("a")]) == .logged(Version(1), skips: []))
        let bo = try await bench.client("bo", of: server)
        #expect(try await bo.submit(1, [try insert("b")]) == .logged(Version(2), skips: []))
        #expect(try await bo.open().ids() == ["a", "b"])
    }

    @Test func `creating and deleting fail as a whole, and work later`() async throws {
        let server = try bench.server(faults)
        let ana = try await bench.client("ana", of: server)
        for kind in [StorageFaults.Kind.writes, .answers] {
            let list = name("list-\(kind)")
            faults.fail(kind)
            ana.send(.create(1, list, title: nil, schema: nil))
            guard case .error(1, list, let refusal) = try await ana.next() else {
                throw Unexpected("created")
            }
            #expect(refusal.code == .storageFailed)
            ana.send(.create(2, list, title: nil, schema: nil))
            #expect(try await ana.next() == .done(2, list))
            _ = try await ana.submit(1, [try insert("a")], to: list)
            faults.fail(kind)
            ana.send(.remove(3, list))
            guard case .error(3, list, let kept) = try await ana.next() else {
                throw Unexpected("removed")
            }
            #expect(kept.code == .storageFailed)
            ana.send(.remove(4, list))
            #expect(try await ana.next() == .done(4, list))
            #expect(try await ana.open(list, create: true).ids() == [])
        }
    }

    @Test func `a list that cannot be read is not served, and others are`() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try SQLiteLogStorage.open(folder: folder.path)
            try store.create("todo", epoch: "one.two")
            try store.append([[9, 9, 9]], to: "todo", after: 0)
            store.close()
        }
        let server = try bench.server(in: folder)
        let ana = try await bench.client("ana", of: server)
        do {
            _ = try await ana.open()
            Issue.record("nonsense was served")
        } catch let refusal as Refusal {
            #expect(refusal.code == .listUnreadable)
        }
        #expect(try await ana.open(name("other"), create: true).ids() == [])
    }

    @Test func `a real database that may not grow refuses, then goes on`() async throws {
        let folder = try TemporaryFolder()
        let disk = FullDisk()
        let server = try bench.server { () throws(StorageError) in
            try disk.storage(in: folder.path)
        }
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        disk.isFull = true
        let text = String(repeating: "x", count: 20_000)
        let big = ListModel.Operation(.insert(try id("a"), at: .last, titled(text)))
        #expect(code(try await ana.submit(1, [big])) == .storageFailed)
        disk.isFull = false
        #expect(try await ana.submit(1, [big]) == .logged(Version(1), skips: []))
    }
}
