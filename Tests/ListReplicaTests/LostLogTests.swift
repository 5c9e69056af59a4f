import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("A server that lost something it told") struct LostLogTests {
    @Test func `DB4 a log that lost its end gets its pending work again, and nobody is stuck`()
        throws
    {
        let world = World()
        let people = try world.people("ana", "bob", with: ["a", "b"])
        let (ana, bob) = (people[0], people[1])
        let copy = try #require(world.server.disk.backup("list"))
        bob.set("a", ["title": "lost"])
        bob.delete("b")
        try world.runUntilQuiet()
        try ana.edit("a", .live)
        bob.goOffline()
        bob.add("pending")
        world.server.kill()
        let word = copy.epoch.log
        world.server.disk.restore(copy, as: "list", word)
        try world.run(for: 2_000)
        bob.goOnline()
        world.server.start()
        try world.runUntilQuiet()
        for person in people {
            #expect(person.ids == ["a", "b", "pending"] && person.failures.isEmpty)
            #expect(person.replica?.epoch?.log != word)
            #expect(person.replica?.unresolved.isEmpty == true)
            #expect(person.fields("a") == ["title": "a"])
        }
        #expect(ana.takeTold().map(\.id) == ["a"], "back to its old title, once")
        #expect(bob.takeTold() == [])
    }

    @Test func `DB4 work that the lost log held is visible on until it is logged again`() throws {
        let world = World()
        let people = try world.people("ana", "bob", with: ["a"])
        let (ana, bob) = (people[0], people[1])
        let copy = try #require(world.server.disk.backup("list"))
        // Ana sees her own entry and dies before she hears the outcome.
        ana.set("a", ["title": "once"])
        try world.runUntilQuiet()
        bob.submit(Operation(.count("a", "n", by: 1)))
        try world.run(for: 1_000) { bob.fields("a")?["n"] == 1 && bob.replica?.isLive == true }
        bob.node.cut()
        world.server.kill()
        world.server.disk.restore(copy, as: "list", copy.epoch.log)
        world.server.start()
        try world.runUntilQuiet()
        let counted = try #require(world.server.disk.list("list")?["a"]?.fields["n"])
        #expect(counted == 1 && bob.fields("a")?["n"] == 1)
        #expect(ana.fields("a") == bob.fields("a"))
    }

    @Test func `CL4 a server that was reset is told of, and what the client has is kept`() throws {
        let world = World()
        let people = try world.people("ana", "bob", with: ["a"])
        let ana = people[0]
        let copy = try #require(world.server.disk.backup("list"))
        try ana.edit("a")
        try ana.type(["title": "draft"], into: "a")
        ana.goOffline()
        ana.add("mine")
        world.server.kill()
        world.server.disk.lose("list")
        world.server.start()
        ana.goOnline()
        try world.run(for: 60_000)
        #expect(ana.failures.map(\.code) == [.noSuchList])
        #expect(ana.failures.last?.sentence.contains("pending changes and drafts are kept") == true)
        #expect(ana.ids == ["a", "mine"] && ana.editor("a")?.touched == ["title": "draft"])
        #expect(ana.replica?.unresolved.count == 1 && ana.takeTold() == [])
        // The data are found again.
        world.server.kill()
        world.server.disk.restore(copy, as: "list", "word2")
        try world.run(for: 1_000)
        world.server.start()
        try world.runUntilQuiet()
        #expect(people[1].ids == ["a", "mine"] && ana.replica?.unresolved.isEmpty == true)
        #expect(ana.editor("a")?.touched == ["title": "draft"] && ana.takeTold() == [])
    }
}
