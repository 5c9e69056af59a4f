import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("What is deleted while it is edited") struct DeletedWhileEditedTests {
    @Test func `VA2 a commit after the delete sends nothing and touches no neighbour`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "b", "c"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("c")
        try ana.type(["title": "mine"], into: "c")
        bob.delete("c")
        try world.runUntilQuiet()
        let before = ana.node.sent.count
        #expect(throws: EditorFault.self) { try ana.commit("c") }
        try world.runUntilQuiet()
        #expect(ana.node.sent.count == before)
        #expect(ana.ids == ["a", "b"] && ana.fields("b") == ["title": "b"])
    }

    @Test func `CO1 a long time's work offline on what was deleted is kept, and told`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "x"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("x")
        ana.goOffline()
        bob.delete("x")
        for hour in 1...24 {
            try ana.type(["title": .text("a day's work, hour \(hour)")], into: "x")
            try world.run(for: 3_600_000)
        }
        ana.node.kill()
        ana.node.start()
        try world.runUntilQuiet()
        guard case .vanished(let vanish)? = ana.takeTold().last?.event else {
            Issue.record("not told")
            return
        }
        #expect(vanish.cause == .deleted && vanish.by == "bob")
        #expect(ana.ids == ["a"] && bob.ids == ["a"])
        let draft: Fields = ["title": "a day's work, hour 24"]
        #expect(ana.editor("x")?.touched == draft)
        try ana.node.perform { core, now in
            _ = try core.saveAsNew("x", as: "y", at: nil, in: "list", at: now)
        }
        try world.runUntilQuiet()
        #expect(bob.fields("y") == draft && bob.fields("x") == nil)
    }

    @Test func `CO6 an old copy that comes back does not bring back what was deleted`() throws {
        let world = World()
        let people = try world.people("ana", "bob", with: ["x", "y"])
        let (ana, bob) = (people[0], people[1])
        bob.goOffline()
        bob.set("y", ["title": "his"])
        bob.submit(Operation(.move(["x", "y"], to: .first)), Operation(.set("x", ["n": 1])))
        ana.delete("x")
        try world.runUntilQuiet()
        bob.node.kill()
        bob.node.start()
        try world.runUntilQuiet()
        for person in people {
            #expect(person.ids == ["y"] && person.fields("y")?["title"] == "his")
        }
        #expect(world.server.disk.list("list")?["x"] == nil)
    }

    @Test func `VA3 a commit on its way when the delete was first`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "x"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("x")
        try ana.type(["title": "mine"], into: "x")
        bob.delete("x")
        let n = try #require(try ana.commit("x"))
        ana.set("a", ["title": "later"])
        try world.runUntilQuiet()
        #expect(ana.takeTold().map(\.id) == ["x"])
        #expect(ana.editor("x")?.touched == ["title": "mine"])
        guard case .nothing(let skips) = ana.outcomes[n]?.first?.outcome else {
            Issue.record("\(ana.outcomes)")
            return
        }
        #expect(skips.map(\.code) == [.removed] && skips.first?.by == "bob")
        #expect(bob.fields("a") == ["title": "later"])
    }

    @Test("an own insert that was to be refused may go through once its ID is forgotten")
    func forgottenID() throws {
        var conditions = Conditions()
        conditions.limits.graves = 0
        conditions.limits.graveAge = 0
        let world = World(conditions)
        let people = try world.people("bob", "ana", with: ["a", "b"])
        let (bob, ana) = (people[0], people[1])
        ana.node.isDiskFull = true
        ana.add("x", ["title": "hers"])
        try ana.edit("x")
        bob.add("x", ["title": "his"])
        try world.run(for: 500)
        #expect(ana.fields("x") == ["title": "his"] && ana.editor("x")?.vanish != nil)
        bob.delete("x")
        try world.run(for: 500)
        bob.delete("b")
        try world.run(for: 500)
        #expect(ana.cancel("x") && ana.fields("x") == ["title": "hers"])
        try ana.edit("x")
        _ = ana.takeTold()
        ana.node.isDiskFull = false
        try world.runUntilQuiet()
        #expect(bob.fields("x") == ["title": "hers"])
        #expect(ana.takeTold() == [] && ana.editor("x")?.vanish == nil)
    }

    @Test func `who keeps an element by editing it did not write what changed meanwhile`() throws {
        let people = try World().people("bob", "ana", "eve", with: ["x"])
        let (bob, ana, eve) = (people[0], people[1], people[2])
        try ana.edit("x", .live)
        try eve.edit("x")
        try ana.world.runUntilQuiet()
        ana.goOffline()
        ana.submit(Operation(.delete("x", unlessEdited: true)))
        bob.set("x", ["title": "his"])
        try ana.world.runUntilQuiet()
        _ = ana.takeTold()
        ana.goOnline()
        try ana.world.runUntilQuiet()
        let told = ana.takeTold().map(\.event)
        guard told.count == 2, case .changed(_, _, let by, _) = told[1] else {
            Issue.record("\(told)")
            return
        }
        #expect(told[0] == .returned(by: "bob") || told[0] == .returned(by: "eve"))
        #expect(by == "bob")
    }

    @Test func `VA4 an editor means its element wherever that stands`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "b", "c"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("b")
        bob.delete("a")
        bob.submit(Operation(.move(["c"], to: .first)))
        try world.runUntilQuiet()
        try ana.type(["title": "B"], into: "b")
        try ana.commit("b")
        try world.runUntilQuiet()
        #expect(bob.ids == ["c", "b"])
        #expect(bob.fields("b") == ["title": "B"] && bob.fields("c") == ["title": "c"])
        #expect(ana.takeTold() == [])
    }

    @Test func `VA8 deleted by two at once, one takes effect`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["x"])
        try people[0].edit("x", .live)
        try people[1].edit("x", .live)
        let first = try #require(people[0].delete("x"))
        let second = try #require(people[1].delete("x"))
        try world.runUntilQuiet()
        for person in people { #expect(person.takeTold().count == 1) }
        let outcomes = [people[0].outcomes[first]?[0], people[1].outcomes[second]?[0]]
        let noops = outcomes.filter { $0?.outcome == .nothing(skips: []) }
        #expect(noops.count == 1)
    }

    @Test func `VA10 VA11 an own delete in another shell of the same user`() throws {
        let world = World()
        let people = [Person(world, "ana1", as: "ana"), Person(world, "ana2", as: "ana")]
        for person in people { person.node.start() }
        try world.runUntilQuiet()
        people[0].add("x")
        try world.runUntilQuiet()
        try people[0].edit("x")
        try people[0].type(["title": "mine"], into: "x")
        people[0].goOffline()
        people[1].delete("x")
        try world.runUntilQuiet()
        let n = try #require(try people[0].commit("x"))
        people[0].goOnline()
        try world.runUntilQuiet()
        let told = people[0].takeTold()
        #expect(told.count == 1)
        guard case .vanished(let vanish) = told.first?.event else { return }
        #expect(vanish.cause == .deleted && vanish.by == "ana")
        #expect(people[0].outcomes[n]?.count == 1)
        #expect(people[0].editor("x")?.touched == ["title": "mine"])
    }

    @Test func `VA13 opened and closed in one breath, a thousand times`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["x"])
        let (bob, ana) = (people[0], people[1])
        for n in 0..<1_000 {
            try ana.edit("x", .live)
            if n % 10 == 0 { bob.set("x", ["n": .int(Int64(n))]) }
            #expect(ana.cancel("x"))
            if n % 50 == 0 { try world.runUntilQuiet() }
        }
        try world.runUntilQuiet()
        #expect(ana.takeTold() == [])
        #expect(ana.replica?.editors.isEmpty == true)
        #expect(bob.replica?.presence.values.allSatisfy { $0.editing.isEmpty } == true)
    }

    @Test func `VA14 a view of the only row survives its delete`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["x"])
        let ana = people[1]
        let replica = try #require(ana.replica)
        replica.show(View(Filter(), sort: Sort("title"), of: replica.list))
        people[0].delete("x")
        try world.runUntilQuiet()
        #expect(replica.view?.count == 0)
        #expect(replica.view?[0] == nil && replica.view?[-1] == nil)
        #expect(replica.view?.index(of: "x") == nil)
        people[0].add("y")
        try world.runUntilQuiet()
        #expect(replica.view?[0]?.id == "y")
    }

    @Test func `VA15 no editor is bound to a missing element by undo and redo`() throws {
        let world = World()
        let ana = try world.people("ana")[0]
        ana.add("x")
        try world.runUntilQuiet()
        try ana.edit("x")
        ana.delete("x")
        for step in 0..<6 {
            try world.runUntilQuiet()
            let isThere = ana.fields("x") != nil
            #expect((ana.editor("x")?.vanish == nil) == isThere, "step \(step)")
            ana.node.perform { core, now in
                _ = step < 3 ? core.undo(in: "list", at: now) : core.redo(in: "list", at: now)
            }
        }
        try world.runUntilQuiet()
        #expect((ana.editor("x")?.vanish == nil) == (ana.fields("x") != nil))
    }

    @Test func `an element that is gone answers with what is known of it`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a"])
        people[0].delete("a")
        try world.runUntilQuiet()
        let fault = #expect(throws: EditorFault.self) { try people[1].edit("a") }
        guard case .vanished(let vanish) = fault else {
            Issue.record("\(fault as Any)")
            return
        }
        #expect(vanish.by == "bob" && vanish.cause == .deleted)
        #expect(throws: EditorFault.noSuchElement) { try people[1].edit("nothing") }
    }
}
