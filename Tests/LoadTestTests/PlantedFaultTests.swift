import Foundation
import Testing

@testable import LoadTest

@Suite("A frame that is harmed on its way fails the run", .serialized)
struct PlantedFaultTests {
    /// A server with a proxy in front, which does this to one frame after so many.
    private func run(_ fault: FaultyProxy.Fault) throws -> LoadResult {
        let server = try OwnServer(folder: nil)
        defer { server.stop() }
        try server.start()
        let proxy = try FaultyProxy(to: server.port, fault, after: 40)
        defer { proxy.stop() }
        // The list is filled by one frame; from the second edit on all twenty-one get one each.
        return try LoadResult(
            "fan-out --clients 20 --seconds 1 --rate 20 --rows 5", server: proxy.port)
    }

    @Test func `none: the proxy itself does no harm`() throws {
        let result = try run(.none)
        #expect(result.program.code == 0 && result.isProved, "\(result.program.output)")
    }

    @Test func `dropped: a gap`() throws {
        let result = try run(.drops)
        #expect(result.program.code == 1 && !result.isProved && result["gaps"] >= 1)
        #expect(result.flaws.count == 1)
    }

    @Test func `doubled`() throws {
        let result = try run(.doubles)
        #expect(result.program.code == 1 && !result.isProved && result["doubled"] == 1)
    }

    @Test func `altered: diverged`() throws {
        let result = try run(.alters)
        #expect(result.program.code == 1 && !result.isProved && result["diverged"] >= 1)
    }
}
