import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

/// A home folder from a backup, a snapshot of a machine: the numbers of a later life are not used
/// again, and what that life did is not taken for what this one does.
@Suite("A client whose state was set back") struct SetBackTests {
    /// Bob has the list; ana knows it, and her state is copied aside before `later`, which comes
    /// through. Then she starts again from the copy, offline until she says otherwise.
    private func scene(
        before: (Person) throws -> Void = { _ in }, _ later: (Person) throws -> Void
    ) throws -> (ana: Person, bob: Person) {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "b"])
        let (bob, ana) = (people[0], people[1])
        ana.set("b", ["title": "hers"])
        try world.runUntilQuiet()
        try before(ana)
        let copy = ana.node.state
        ana.goOnline()
        try later(ana)
        try world.runUntilQuiet()
        ana.node.kill()
        ana.node.state = copy
        return (ana, bob)
    }

    private func startOffline(_ ana: Person) {
        ana.node.start()
        ana.goOffline()
    }

    private func comeBack(_ ana: Person, _ bob: Person) throws {
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(ana.replica?.unresolved.isEmpty == true && ana.replica?.isLive == true)
        #expect(ana.replica?.list.elements == bob.replica?.list.elements)
        #expect(ana.failures.isEmpty)
    }

    private func count(_ ana: Person) -> MutationNumber? {
        ana.submit(Operation(.count("a", "n", by: 1)))
    }

    @Test func `DU6 the same work under the same number is done again`() throws {
        let (ana, bob) = try scene { _ = count($0) }
        ana.node.start()
        try ana.world.runUntilQuiet()
        let n = try #require(count(ana))
        try ana.world.runUntilQuiet()
        #expect(bob.fields("a")?["n"] == 2 && ana.fields("a")?["n"] == 2)
        #expect(ana.outcomes[n]?.count == 1 && ana.outcomes[n]?.last?.outcome.isDone == true)
    }

    @Test(arguments: [false, true])
    func `DU6 work done offline goes on above the numbers that were used`(
        _ isStartedAgain: Bool
    ) throws {
        let (ana, bob) = try scene { ana in
            _ = count(ana)
            for n in 0..<5 { ana.set("b", ["m": .int(Int64(n))]) }
        }
        startOffline(ana)
        let n = try #require(count(ana))
        ana.add("x", ["title": "X"])
        ana.set("x", ["title": "Y"])
        try ana.world.runUntilQuiet()
        if isStartedAgain {
            ana.node.kill()
            startOffline(ana)
        }
        #expect(ana.fields("x") == ["title": "Y"])
        try comeBack(ana, bob)
        #expect(bob.fields("a")?["n"] == 2 && bob.fields("x") == ["title": "Y"])
        let told = ana.outcomes.values.joined().map(\.outcome)
        let areDone = told.allSatisfy(\.isDone)
        #expect(areDone)
        if !isStartedAgain { #expect(ana.outcomes[n]?.last?.outcome.isDone == true) }
        ana.set("a", ["title": "after"])
        try comeBack(ana, bob)
        #expect(bob.fields("a")?["title"] == "after")
    }

    @Test func `DU6 an editor's commit among them closes its editor when it is done`() throws {
        // The commit's own number was not used: only its new one closes the editor.
        let (ana, bob) = try scene { $0.set("b", ["m": 1]) }
        startOffline(ana)
        ana.add("x", ["title": "X"])
        try ana.edit("x")
        try ana.type(["title": "draft"], into: "x")
        let n = try #require(try ana.commit("x"))
        ana.add("y")
        try comeBack(ana, bob)
        #expect(ana.editor("x") == nil && ana.outcomes[n]?.last?.outcome.isDone == true)
        #expect(bob.fields("x") == ["title": "draft"] && bob.ids == ["a", "b", "x", "y"])
        #expect(ana.takeTold() == [])
    }

    @Test func `DU6 undone offline, neither is sent; undo reaches what was renumbered`() throws {
        let (ana, bob) = try scene { ana in
            for n in 0..<3 { ana.set("b", ["m": .int(Int64(n))]) }
        }
        startOffline(ana)
        _ = count(ana)
        ana.node.perform { core, now in _ = core.undo(in: "list", at: now) }
        ana.set("a", ["title": "again"])
        try comeBack(ana, bob)
        #expect(bob.fields("a") == ["title": "again"])
        ana.node.perform { core, now in _ = core.undo(in: "list", at: now) }
        try comeBack(ana, bob)
        #expect(bob.fields("a") == ["title": "a"])
    }

    @Test func `DU6 work that the copy had sent already is not done twice`() throws {
        let (ana, bob) = try scene(
            before: { ana in
                _ = count(ana)
                try ana.world.run(for: 1_000) { bobHas(ana.world) }
            },
            { ana in
                try ana.world.runUntilQuiet()
                for n in 0..<3 { ana.set("b", ["m": .int(Int64(n))]) }
            })
        ana.node.start()
        try comeBack(ana, bob)
        #expect(bob.fields("a")?["n"] == 1)
    }

    @Test func `DU6 an editor on what it added stays, though a snapshot came with its insert`()
        throws
    {
        let (ana, bob) = try scene(
            before: { ana in
                ana.add("x", ["title": "X"])
                try ana.edit("x")
                try ana.type(["title": "mine"], into: "x")
                try ana.world.run(for: 1_000) { ana.world.server.disk.list("list")?["x"] != nil }
            },
            { ana in
                try ana.world.runUntilQuiet()
                // So many that the snapshot made last is not sent again with the entries since.
                for n in 0..<120 { ana.set("b", ["m": .int(Int64(n))]) }
            })
        ana.node.start()
        ana.node.perform { core, now in core.replicas["list"]?.wantsWhole = true }
        try comeBack(ana, bob)
        #expect(ana.editor("x")?.vanish == nil && ana.editor("x")?.value == ["title": "mine"])
        #expect(ana.takeTold() == [])
    }

    @Test func `DU6 what rests on an insert that a later life heard refused harms nobody`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "b"])
        let (bob, ana) = (people[0], people[1])
        bob.add("x", ["title": "bob's"])
        ana.add("x", ["title": "hers"])
        let last = try #require(ana.delete("x"))
        try world.run(for: 1_000) { ana.replica?.sentThrough == last }
        let copy = ana.node.state
        try world.runUntilQuiet()
        #expect(ana.outcomes[last]?.last?.outcome.isDone == false)
        ana.set("b", ["title": "hers"])
        try world.runUntilQuiet()
        ana.node.kill()
        ana.node.state = copy
        ana.node.start()
        try comeBack(ana, bob)
        #expect(bob.fields("x") == ["title": "bob's"])
    }

    private func bobHas(_ world: World) -> Bool {
        world.server.disk.list("list")?["a"]?.fields["n"] == 1
    }

    @Test func `DU6 a number that another life uses meanwhile is left to it`() throws {
        let (ana, bob) = try scene { _ in }
        ana.node.start()
        try ana.world.runUntilQuiet()
        // A copy of the folder is used elsewhere at the same time.
        let other = try #require(ana.replica?.lastNumber.next)
        let replica = try #require(ana.replica)
        _ = count(ana)
        let reused = ServerMessage.Answer(.refused(Refusal(.numberReused, "another")))
        replica.received(reused, for: other, at: ana.world.now)
        #expect(replica.unresolved.map(\.mutation.n) == [other.next])
        #expect(ana.outcomes[other] == nil && ana.fields("a")?["n"] == 1)
        ana.node.kill()
        ana.node.start()
        try comeBack(ana, bob)
    }
}
