import ListAuthority
import ListModel
import ListProtocol
import Testing

@Suite("How far clients are") struct StandingTests {
    @Test func `lag is what the one furthest behind was not given, and since when`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", ana)
        var standing = try #require(stage.authority.standings.first)
        #expect(standing.name == stage.list && standing.version == Version(1))
        #expect(standing.open == 2 && standing.behind == 0 && standing.count == 1)
        #expect(standing.lag == 0 && standing.since == nil && standing.waiting == 0)

        bob.isStalled = true
        stage.now = stage.now.adding(milliseconds: 500)
        let since = stage.now
        for n in 2...4 {
            try stage.insert(UInt64(n), "e\(n)", ana)
            stage.now = stage.now.adding(milliseconds: 500)
        }
        standing = try #require(stage.authority.standings.first)
        #expect(standing.behind == 1 && standing.lag == 3 && standing.since == since)
        let readers = stage.authority.readers(of: stage.list)
        #expect(readers.map(\.name.text) == ["ana", "bob"])
        #expect(readers.map(\.version) == [Version(4), Version(1)])
        #expect(readers.map(\.client) == [ana.client, bob.client])
    }

    @Test func `who is given the whole list has no version yet`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        let bob = try stage.connect("bob")
        bob.isStalled = true
        stage.say(.open(.init(list: stage.list)), bob)
        #expect(stage.authority.readers(of: stage.list).map(\.version) == [Version(1), nil])
        #expect(stage.authority.standings.first?.behind == 1)
    }

    @Test func `a list that is not in memory has nobody`() throws {
        let stage = Stage()
        #expect(stage.authority.standings.isEmpty)
        #expect(stage.authority.readers(of: stage.list).isEmpty)
    }
}
