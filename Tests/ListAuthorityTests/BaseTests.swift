import ListAuthority
import ListModel
import ListProtocol
import Testing

/// Times in snapshots that are counted from a base, for those who read that and for them alone.
struct BaseTests {
    @Test func `who reads a base gets times counted from it, and everybody the same rows`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        stage.pass(70)
        try stage.insert(2, "b", ana)
        let plain = try stage.join("plain")
        let short = try stage.connect("short")
        try stage.open(short, base: true)
        try stage.expectSame([ana, plain, short])
        let parts = [plain, short].map { peer in
            peer.messages.compactMap { message -> SnapshotPart? in
                if case .snapshot(_, let part) = message { return part }
                return nil
            }
        }
        #expect(parts[0].allSatisfy { $0.base == nil } && !parts[0].isEmpty)
        let base = try #require(parts[1].first?.base)
        let frame = try #require(
            short.frames.map { String(decoding: $0, as: UTF8.self) }
                .first { $0.contains("\"snapshot\"") })
        #expect(frame.contains("\"base\":\(base.milliseconds)") && frame.contains(",0,70,{"))
    }
}
