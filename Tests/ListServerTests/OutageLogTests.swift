import ListModel
import ListProtocol
import Testing
import Threads

@testable import ListServer
@testable import Storage

@Suite("What a server logs of failing storage", .timeLimit(.minutes(5))) struct OutageLogTests {
    private let bench: Bench
    private let faults = StorageFaults()
    private let lines = Locked<[String]>([])

    init() throws { bench = try Bench() }

    /// A server that logs into `lines`.
    private func server() throws -> Server {
        let (faults, lines) = (faults, lines)
        return try bench.server {
            $0.log = Log(.info) { line in lines.withLock { $0.append(line) } }
        } open: {
            InMemoryLogStorage(faults: faults)
        }
    }

    private var told: [String] {
        lines.withLock { $0.filter { $0.contains("event=storage-") } }
    }

    @Test func `DB5: an outage is logged once, and once that it is over`() async throws {
        let ana = try await bench.client("ana", of: server())
        _ = try await ana.open(create: true)
        #expect(told == [])
        faults.fail(.writes, times: 1_000_000)
        for n in UInt64(1)...50 { _ = try await ana.submit(n, [try insert("r\(n)")]) }
        #expect(told.count == 1)
        let line = try #require(told.first)
        #expect(line.contains("level=error event=storage-failed reason=\"The disk is full"))
        faults.heal()
        for n in UInt64(1)...3 { _ = try await ana.submit(n, [try insert("r\(n)")]) }
        #expect(told.count == 2)
        #expect(told.last?.hasSuffix("level=warning event=storage-works") == true)
    }

    @Test func `a disk that takes every other write does not fill the log`() async throws {
        let begun = ContinuousClock.now
        let ana = try await bench.client("ana", of: server())
        _ = try await ana.open(create: true)
        for n in UInt64(1)...20 {
            faults.fail(.writes, times: 1)
            _ = try await ana.submit(n, [try insert("r\(n)")])
            _ = try await ana.submit(n, [try insert("r\(n)")])
        }
        // One every ten seconds, with its end; the machine may be slow.
        let most = 4 + 2 * Int((ContinuousClock.now - begun) / .seconds(10))
        #expect(told.count <= most, "\(told)")
    }

    @Test func `a list that cannot be made or deleted is logged, too`() async throws {
        let ana = try await bench.client("ana", of: server())
        _ = try await ana.open(create: true)
        faults.fail(.writes, times: 2)
        ana.send(.create(1, name("other"), title: nil, schema: nil))
        _ = try await ana.next()
        ana.send(.remove(2, todo))
        _ = try await ana.next()
        #expect(told.count == 1)
        #expect(told.first?.contains("event=storage-failed reason=") == true)
    }
}
