import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("What was done during an outage arrives once, in order, and nobody is passed over")
struct OutageTests {
    @Test(arguments: 1...8) func `DU4: the network comes and goes, and a hundred are a hundred`(
        seed: Int
    ) throws {
        let world = World()
        let ana = try world.people("ana", with: ["a"])[0]
        ana.goOffline()
        for _ in 1...100 { ana.submit(Operation(.count("a", "n", by: 1))) }
        for toggle in 1...50 {
            ana.goOnline()
            try world.run(for: Int64((toggle * 7 + seed * 3) % 23))
            if toggle % 2 == 0 { ana.node.cut() } else { ana.goOffline() }
        }
        ana.goOnline()
        try world.runUntilQuiet()
        #expect(world.server.disk.list("list")?["a"]?.fields["n"] == 100)
        #expect(ana.fields("a")?["n"] == 100 && ana.replica?.unresolved.isEmpty == true)
        #expect(world.server.disk.entries(of: "list").count == 101)
    }

    @Test(arguments: 1...30) func `GA5 GA10: killed at any moment of a resync, it is whole again`(
        step: Int
    ) throws {
        var conditions = Conditions()
        conditions.writeBytes = 1
        conditions.limits.frameBytes = 40
        conditions.history = .entries(3)
        let world = World(conditions)
        let people = try world.people("bob", "ana", with: ["a", "b", "c", "d", "e", "f"])
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        for n in 0..<120 { bob.set("a", ["n": .int(Int64(n))]) }
        try world.runUntilQuiet()
        ana.goOnline()
        try world.run(for: Int64(step) * 2)
        ana.node.kill(losingSent: true)
        // What is kept is a position with its data, never one without the other.
        let kept = Replica(
            name: "list", client: ana.node.id, user: ana.node.user, limits: Limits())
        try kept.load(ana.node.kept(of: "list"), decoder: MessageDecoder(limits: Limits()))
        #expect([6, 126].contains(kept.speculation.confirmedHead.number))
        #expect(kept.list.count == 6)
        ana.node.start()
        try world.runUntilQuiet()
        #expect(ana.replica?.list.elements == bob.replica?.list.elements && ana.failures.isEmpty)
    }

    @Test func `GA11: what is done the moment it is connected does not overtake what waited`()
        throws
    {
        let world = World()
        let people = try world.people("ana", "bob")
        let (ana, bob) = (people[0], people[1])
        ana.goOffline()
        ana.add("first")
        var isDone = false
        ana.onStep = { _ in
            if case .online = ana.node.core?.link.state, !isDone {
                isDone = true
                ana.add("second")
            }
        }
        ana.goOnline()
        try world.run(for: 100) { ana.node.core?.link.isOnline == true }
        if !isDone { ana.add("second") }
        try world.runUntilQuiet()
        #expect(bob.ids == ["first", "second"])
        #expect(
            world.server.disk.entries(of: "list").map(\.n) == [1, 2].map { MutationNumber($0) })
    }

    @Test func `CO3: an older edit made offline does not overwrite a newer one unheard`() throws {
        let world = World()
        let people = try world.people("ana", "bob", with: ["x"])
        let (ana, bob) = (people[0], people[1])
        bob.goOffline()
        try bob.edit("x")
        try bob.type(["title": "older"], into: "x")
        let n = try #require(try bob.commit("x"))
        try world.run(for: 5_000)
        ana.set("x", ["title": "newer"])
        try world.run(for: 1_000)
        bob.goOnline()
        try world.runUntilQuiet()
        #expect(ana.fields("x") == ["title": "newer"] && bob.fields("x") == ["title": "newer"])
        #expect(bob.outcomes[n]?.last?.outcome.isDone == false)
        #expect(bob.editor("x")?.touched == ["title": "older"] && bob.editor("x")?.commit == nil)
        let conflicts = bob.takeTold().filter {
            if case .conflict = $0.event { return true }
            return false
        }
        #expect(conflicts.count == 1)
    }

    @Test func `a list that the server's disk could not give is asked for again, and told once`()
        throws
    {
        var conditions = Conditions()
        conditions.failedAppends = 1_000
        let world = World(conditions)
        let ana = Person(world, "ana")
        ana.node.start()
        try world.run(for: 60_000)
        #expect(ana.failures.map(\.code) == [.storageFailed])
        let opens = ana.node.sent.count { if case .open = $0 { true } else { false } }
        #expect((4...20).contains(opens))
        world.conditions.failedAppends = 0
        try world.run(for: 20_000)
        #expect(ana.replica?.isLive == true && ana.node.connects == 1)
    }

    @Test func `CL2: what was made earlier and arrives later reaches whoever was in step between`()
        throws
    {
        let world = World()
        let people = try world.people("ana", "bob", with: ["a"])
        let (ana, bob) = (people[0], people[1])
        ana.goOffline()
        ana.add("early")
        try world.run(for: 5_000)
        bob.goOffline()
        bob.goOnline()
        try world.runUntilQuiet(limit: 200_000)
        bob.set("a", ["n": 1])
        try world.run(for: 5_000)
        bob.goOffline()
        ana.goOnline()
        try world.runUntilQuiet()
        bob.goOnline()
        try world.runUntilQuiet()
        #expect(bob.ids == ["a", "early"])
        let times = world.server.disk.entries(of: "list").map(\.at)
        #expect(times == times.sorted())
    }
}
