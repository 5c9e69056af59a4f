import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("A commit that was never sent can be thought over") struct ReconsiderTests {
    private func reconsider(_ id: ElementID, by person: Person) -> Bool {
        person.node.perform { core, now in core.reconsider(id, in: person.list, at: now) }
    }

    private func offline() throws -> (bob: Person, ana: Person) {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a"])
        people[1].goOffline()
        try people[1].edit("a")
        try people[1].type(["title": "first"], into: "a")
        try people[1].commit("a")
        return (people[0], people[1])
    }

    @Test func `it is the editor's draft again, and only what is committed then is sent`() throws {
        let (bob, ana) = try offline()
        #expect(reconsider("a", by: ana))
        #expect(ana.editor("a")?.touched == ["title": "first"])
        #expect(ana.editor("a")?.commit == nil && ana.replica?.unresolved.isEmpty == true)
        try ana.type(["title": "second"], into: "a")
        try ana.commit("a")
        let before = bob.replica?.speculation.confirmedHead.number ?? 0
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(bob.fields("a")?["title"] == "second" && ana.editor("a") == nil)
        #expect(bob.replica?.speculation.confirmedHead.number == before + 1)
    }

    @Test func `after a crash in between the draft is there, and nothing waits`() throws {
        let (bob, ana) = try offline()
        #expect(reconsider("a", by: ana))
        try ana.world.runUntilQuiet()
        ana.node.kill()
        ana.node.start()
        try ana.world.runUntilQuiet()
        #expect(ana.editor("a")?.touched == ["title": "first"])
        #expect(ana.replica?.unresolved.isEmpty == true)
        #expect(bob.fields("a") == ["title": "a"])
    }

    @Test func `what others wrote meanwhile is a conflict`() throws {
        let (bob, ana) = try offline()
        bob.set("a", ["title": "his"])
        #expect(reconsider("a", by: ana))
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(throws: EditorFault.conflict(["title"])) { try ana.commit("a") }
    }

    @Test func `one that may be at the server is not taken back`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a"])
        let ana = people[1]
        try ana.edit("a")
        try ana.type(["title": "first"], into: "a")
        let n = try #require(try ana.commit("a"))
        while ana.replica?.mayBeLogged(n) != true { try world.run(for: 1) }
        world.server.kill()
        try world.run(for: 200)
        #expect(!reconsider("a", by: ana))
        #expect(ana.editor("a")?.commit?.n == n)
        world.server.start()
        try world.runUntilQuiet()
        #expect(people[0].fields("a")?["title"] == "first")
        #expect(!reconsider("a", by: ana), "there is nothing to take back")
    }

    @Test func `an element that it restores stays restored`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("a")
        try ana.type(["title": "first"], into: "a")
        bob.delete("a")
        try world.runUntilQuiet()
        ana.goOffline()
        _ = try ana.node.perform { core, now in
            try core.restoreWithDraft("a", in: ana.list, at: now)
        }
        #expect(reconsider("a", by: ana))
        #expect(ana.editor("a")?.vanish == nil && ana.fields("a") != nil)
        #expect(ana.editor("a")?.touched == ["title": "first"])
        ana.goOnline()
        try world.runUntilQuiet()
        #expect(bob.fields("a") == ["title": "a"])
    }
}

@Suite("A client begins with the copy of another") struct StoredCopyTests {
    @Test func `it reads the list, keeps it as its own, and catches up`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "b"])
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        try ana.edit("a")
        try ana.type(["title": "mine"], into: "a")
        ana.add("mine")
        try world.runUntilQuiet()
        let copy = try #require(StoredCopy(of: "list", in: ana.node.kept(of: "list")))
        #expect(copy.version == ana.replica?.speculation.confirmedHead)
        let second = Replica(
            name: "list", client: bob.node.id, user: ana.node.user, limits: Limits())
        second.begin(with: copy)
        #expect(second.list.elements.map(\.id) == ["a", "b"])
        #expect(second.editors.isEmpty && second.unresolved.isEmpty)
        #expect(second.lastNumber == .zero && second.epoch == ana.replica?.epoch)
        #expect(StoredCopy(of: "list", in: [:]) == nil)
    }

    @Test func `a client with a copy of its own keeps to that`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        let old = try #require(StoredCopy(of: "list", in: ana.node.kept(of: "list")))
        bob.add("b")
        try world.runUntilQuiet()
        ana.replica?.begin(with: old)
        #expect(ana.ids == ["a", "b"])
    }
}
