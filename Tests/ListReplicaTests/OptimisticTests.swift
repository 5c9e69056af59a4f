import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("What is done is seen at once, and never flickers") struct OptimisticTests {
    @Test func `OP1 a refused insert leaves with its reason`() throws {
        let people = try World().people("bob", "ana")
        let (bob, ana) = (people[0], people[1])
        bob.add("x", ["title": "his"])
        let n = try #require(ana.add("x", ["title": "mine"]))
        #expect(ana.fields("x") == ["title": "mine"])
        try ana.world.runUntilQuiet()
        #expect(ana.fields("x") == ["title": "his"])
        guard case .refused(let refusal) = ana.outcomes[n]?.first?.outcome else {
            Issue.record("\(ana.outcomes)")
            return
        }
        #expect(refusal.code == .idTaken && refusal.id == "x")
    }

    @Test(arguments: [1, 64 << 10])
    func `OP3 OP4 no look ever shows the old value again`(_ writeBytes: Int) throws {
        var conditions = Conditions()
        conditions.latency = 3...30
        conditions.writeBytes = writeBytes
        let people = try World(seed: 5, conditions).people("bob", "ana", with: ["x", "y"])
        let (bob, ana) = (people[0], people[1])
        var seen: [Value?] = []
        ana.onStep = { _ in seen.append(ana.fields("x")?["title"]) }
        for n in 0..<10 {
            ana.set("x", ["title": .int(Int64(n))])
            bob.set("y", ["title": .int(Int64(n))])
            if n == 5 { ana.node.cut(notice: 10) }
            try ana.world.run(for: 20)
        }
        try ana.world.runUntilQuiet()
        let numbers = seen.compactMap { value -> Int64? in
            if case .int(let number)? = value { number } else { nil }
        }
        #expect(numbers == numbers.sorted() && numbers.last == 9)
    }

    @Test func `OR4 fast moves never go back`() throws {
        var conditions = Conditions()
        conditions.latency = 100...100
        let people = try World(conditions).people("bob", "ana", with: ["x", "a", "b", "c", "d"])
        let (bob, ana) = (people[0], people[1])
        var seen: [Int] = []
        ana.onStep = { _ in seen.append(ana.ids.firstIndex(of: "x") ?? -1) }
        for anchor in ["a", "b", "c", "d"] as [ElementID] {
            ana.submit(Operation(.move(["x"], to: .after(anchor))))
            bob.set("a", ["title": .text("after \(anchor)")])
            try ana.world.run(for: 50)
        }
        try ana.world.runUntilQuiet()
        #expect(seen == seen.sorted() && seen.last == 4 && bob.ids == ana.ids)
    }

    @Test func `OP5 edits between open and caught up stand on top of the snapshot`() throws {
        var conditions = Conditions()
        conditions.latency = 40...40
        conditions.writeBytes = 1
        conditions.writePause = 10
        let world = World(conditions)
        let bob = try world.people("bob", with: ["a", "b"])[0]
        let ana = Person(world, "ana")
        ana.node.start()
        try world.run(for: 170)
        #expect(ana.replica?.isLive == false)
        ana.set("a", ["title": "early"])
        ana.add("c", ["title": "early"], at: .before("b"))
        try world.runUntilQuiet()
        // Nothing of the list was here yet, but the server knew what was meant.
        #expect(bob.ids == ["a", "c", "b"] && bob.fields("a") == ["title": "early"])
        #expect(ana.ids == bob.ids && ana.replica?.unresolved.isEmpty == true)
        ana.goOffline()
        ana.set("a", ["title": "offline"])
        ana.goOnline()
        try world.run(for: 90)
        ana.set("b", ["title": "early"])
        try world.runUntilQuiet()
        #expect(bob.fields("a") == ["title": "offline"] && bob.fields("b") == ["title": "early"])
    }

    @Test func `OP6 every offline change shows, in order`() throws {
        let people = try World().people("bob", "ana", with: ["a", "b", "c"])
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        ana.set("a", ["title": "1"])
        ana.submit(Operation(.move(["a"], to: .last)))
        ana.set("a", ["title": "2"])
        ana.delete("b")
        #expect(ana.ids == ["c", "a"] && ana.fields("a") == ["title": "2"])
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(bob.ids == ["c", "a"] && bob.fields("a") == ["title": "2"])
    }

    @Test func `OP7 insert, edit and delete before anything is heard leave no ghost`() throws {
        let people = try World().people("bob", "ana")
        let (bob, ana) = (people[0], people[1])
        ana.add("x")
        ana.set("x", ["title": "1"])
        ana.delete("x")
        try ana.world.runUntilQuiet()
        #expect(ana.ids == [] && bob.ids == [])
        #expect(ana.replica?.unresolved.isEmpty == true && ana.replica?.rejected.isEmpty == true)
    }

    @Test func `OP8 what others did while one's own work was on its way is there with it`() throws {
        let people = try World().people("bob", "ana", with: ["a", "b"])
        let (bob, ana) = (people[0], people[1])
        ana.set("a", ["title": "mine"])
        bob.set("b", ["title": "his"])
        try ana.world.run(for: 40)
        #expect(ana.fields("b") == ["title": "his"] && bob.fields("a") == ["title": "mine"])
        #expect(ana.replica?.unresolved.isEmpty == true)
    }

    @Test func `work on a refused insert never falls on another's, nor seems to`() throws {
        let people = try World().people("bob", "ana")
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        ana.add("x", ["title": "mine"])
        ana.set("x", ["title": "mine, better"])
        ana.delete("x")
        bob.add("x", ["title": "his"])
        try ana.world.runUntilQuiet()
        var seen: Set<Value?> = []
        ana.onStep = { _ in seen.insert(ana.fields("x")?["title"]) }
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(bob.fields("x") == ["title": "his"] && ana.fields("x") == ["title": "his"])
        #expect(seen.isSubset(of: [nil, "his"]), "\(seen)")
    }

    @Test func `an insert whose entry came before its outcome is not taken for another's`() throws {
        var conditions = Conditions()
        conditions.writeBytes = 1
        conditions.writePause = 50
        let world = World(conditions)
        let ana = try world.people("ana")[0]
        var seen: [Value?] = []
        ana.onStep = { _ in if ana.fields("x") != nil { seen.append(ana.fields("x")?["title"]) } }
        ana.add("x", ["title": "1"])
        ana.set("x", ["title": "2"])
        try world.runUntilQuiet()
        #expect(seen.drop { $0 != "2" }.allSatisfy { $0 == "2" }, "\(seen)")
        #expect(ana.replica?.rejected.isEmpty == true)
    }

    @Test func `presence on an element outlives its deletion and restoration between two looks`()
        throws
    {
        let people = try World().people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("a", .live)
        try ana.world.runUntilQuiet()
        // While Ana's connection is busy, so that both come at once.
        ana.world.conditions.writePause = 200
        bob.set("a", ["n": 1])
        try ana.world.run(for: 13)
        bob.delete("a")
        bob.restore("a")
        try ana.world.runUntilQuiet()
        let n = try #require(bob.submit(Operation(.delete("a", unlessEdited: true))))
        try ana.world.runUntilQuiet()
        guard case .nothing(let skips) = bob.outcomes[n]?.first?.outcome else {
            Issue.record("\(bob.outcomes)")
            return
        }
        #expect(skips.map(\.code) == [.beingEdited])
    }
}
