import ListModel
import Storage
import Testing
import Threads

@testable import ListServer

@Suite("The server's log") struct LogTests {
    @Test func `names the connection and the question or mutation that was refused`() async throws {
        let bench = try Bench()
        let lines = Locked<[String]>([])
        let server = try bench.server {
            $0.log = Log(.debug) { line in lines.withLock { $0.append(line) } }
        } open: {
            InMemoryLogStorage()
        }
        let ana = try await bench.client("ana", of: server)
        ana.send(.who(41, try #require(ListName("nowhere"))))
        _ = try await ana.next()
        _ = try await ana.open(create: true)
        _ = try await ana.submit(1, [try insert("a")])
        _ = try await ana.submit(2, [try insert("a")])
        ana.send(raw: [Array(#"{"t":"history","r":42,"list":"todo","limit":"secret"}"#.utf8)])
        _ = try await ana.next()
        let refused = lines.withLock { $0.filter { $0.contains("event=refused") } }
        let ends = [
            "code=no_such_list request=41 list=nowhere", "code=id_taken list=todo mutation=2",
            "code=malformed request=42 list=todo",
        ]
        #expect(refused.count == 3)
        for (line, end) in zip(refused, ends) {
            #expect(line.hasSuffix("event=refused connection=1 " + end), "\(line)")
        }
    }
}
