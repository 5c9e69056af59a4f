import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("A replica that is out of step says so and comes back") struct ResyncTests {
    private func receive(_ message: ServerMessage, _ person: Person) {
        person.node.perform { core, now in core.handle(.received(message), at: now) }
    }

    private func entry(_ version: UInt64, _ operations: [ResolvedOperation]) throws -> Entry {
        Entry(
            version: Version(version), at: .zero, by: "eve", client: try #require(ClientID("eve")),
            n: MutationNumber(version), operations: operations)
    }

    /// Ana with open editors, and what must not be told them.
    private func scene(_ history: [ElementID] = ["a", "b"]) throws -> (ana: Person, bob: Person) {
        let people = try World().people("bob", "ana", with: history)
        try people[1].edit("a", .live)
        try people[1].edit("b")
        try people[1].type(["title": "mine"], into: "b")
        return (people[1], people[0])
    }

    private func isWhole(_ ana: Person, _ bob: Person) throws {
        try ana.world.runUntilQuiet()
        #expect(ana.replica?.isLive == true && ana.takeTold() == [] && ana.failures.isEmpty)
        #expect(ana.replica?.list.elements == bob.replica?.list.elements)
        #expect(ana.editor("b")?.touched == ["title": "mine"])
    }

    @Test func `a gap leads to a resync, and editors hear nothing of it`() throws {
        let (ana, bob) = try scene()
        receive(.entries("list", [try entry(9, [.delete("a")])]), ana)
        #expect(ana.replica?.isLive == false && ana.fields("a") != nil)
        try isWhole(ana, bob)
    }

    @Test func `an entry that does not fit leads to a resync`() throws {
        let (ana, bob) = try scene()
        let head = try #require(ana.replica?.speculation.confirmedHead.number)
        receive(.entries("list", [try entry(head + 1, [.set("nobody", ["n": 1])])]), ana)
        #expect(ana.replica?.isLive == false)
        try isWhole(ana, bob)
    }

    @Test func `a reload while entries are on their way loses none and tells none twice`() throws {
        let (ana, bob) = try scene()
        ana.world.conditions.writeBytes = 1
        for n in 0..<5 { bob.set("a", ["n": .int(Int64(n))]) }
        try ana.world.run(for: 11)
        ana.node.perform { core, now in core.reload("list", at: now) }
        try ana.world.runUntilQuiet()
        let numbers = ana.takeTold().compactMap { told -> Int64? in
            guard case .changed(_, let new, _, _) = told.event, case .int(let n)? = new["n"] else {
                return nil
            }
            return n
        }
        #expect(numbers == Array(Set(numbers)).sorted() && numbers.last == 4)
        try isWhole(ana, bob)
    }

    @Test func `RE9 a snapshot that never fits is asked for thrice more, then said`() throws {
        let (ana, _) = try scene()
        let session = ana.world.server.connectionCount
        ana.set("a", ["title": "kept"])
        ana.goOffline()
        ana.goOnline()
        try ana.world.run(for: 1_000) {
            if case .opening = ana.replica?.sync { true } else { false }
        }
        var asked = 0
        for _ in 0..<8 where ana.failures.isEmpty {
            asked += 1
            let epoch = try #require(Epoch("l.g"))
            let part = SnapshotPart(
                position: Position(epoch: epoch, version: Version(1)), index: 1, isLast: true,
                title: "", schema: nil, rows: [])
            receive(.snapshot("list", part), ana)
            // The server's word that the old subscription is over.
            if case .leaving(let fence?) = ana.replica?.sync {
                receive(.pong(fence, nil, nil), ana)
            }
        }
        #expect(asked == 4 && ana.failures.map(\.code) == [.malformed])
        #expect(ana.fields("a") == ["title": "kept"] && session == 2)
        // A new connection tries again.
        ana.node.cut()
        try ana.world.runUntilQuiet()
        #expect(ana.replica?.isLive == true)
    }

    @Test func `half a snapshot is not the list`() throws {
        let (ana, _) = try scene()
        let replica = try #require(ana.replica)
        replica.open(session: 1)
        let epoch = try #require(Epoch("\(replica.epoch?.list ?? "").other"))
        let position = Position(epoch: epoch, version: Version(5))
        let part = SnapshotPart(
            position: position, index: 0, isLast: false, title: "", schema: nil, rows: [])
        replica.received(part)
        replica.caughtUp(at: position, logged: [], now: .zero)
        #expect(!replica.isLive && replica.tries == 1 && replica.list.count == 2)
        // Nor is another epoch without any snapshot, though its head be the same.
        replica.open(session: 1)
        let same = Position(epoch: epoch, version: replica.speculation.confirmedHead)
        replica.caughtUp(at: same, logged: [], now: .zero)
        #expect(!replica.isLive && replica.tries == 2 && replica.list.count == 2)
        #expect(ana.takeTold() == [])
    }

    @Test func `the position is stored only together with what it stands for`() throws {
        var conditions = Conditions()
        conditions.history = .entries(2)
        // Frames come one by one, with time to die between them.
        conditions.writeBytes = 1
        conditions.writePause = 15
        conditions.latency = 1...9
        for seed in UInt64(1)...40 {
            let world = World(seed: seed, conditions)
            let people = try world.people("bob", "ana", with: ["a", "b", "c"])
            let (bob, ana) = (people[0], people[1])
            ana.goOffline()
            for n in 0..<130 { bob.set("a", ["n": .int(Int64(n))]) }
            bob.delete("b")
            try world.runUntilQuiet()
            ana.goOnline()
            try world.run(for: Int64(seed) * 2)
            ana.node.kill()
            ana.node.start()
            try world.runUntilQuiet()
            #expect(ana.replica?.list.elements == bob.replica?.list.elements, "seed \(seed)")
            #expect(ana.failures.isEmpty)
        }
    }

    @Test func `CL6 a restored backup is the same list, and gets again what it lacks`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "b"])
        let (bob, ana) = (people[0], people[1])
        let backup = try #require(world.server.disk.backup("list"))
        try ana.edit("a", .live)
        bob.set("a", ["title": "lost"])
        bob.delete("b")
        try world.runUntilQuiet()
        _ = ana.takeTold()
        ana.goOffline()
        ana.set("a", ["note": "pending"])
        world.server.kill()
        world.server.disk.restore(backup, as: "list", "again")
        world.server.start()
        ana.goOnline()
        try world.runUntilQuiet()
        let told = ana.takeTold()
        #expect(told.count == 1 && told.first?.id == "a")
        guard case .changed(_, let new, _, _) = told.first?.event else { return }
        #expect(new == ["title": "a"])
        #expect(ana.ids == ["a", "b"] && bob.ids == ["a", "b"])
        #expect(bob.fields("a") == ["title": "a", "note": "pending"])
        // Ana was told so, once; and why her row went back.
        #expect(ana.replacements.map(\.former) == [Version(4)])
        #expect(ana.replacements.map(\.version) == [Version(2)] && bob.replacements.count == 1)
    }

    @Test func `places that were forgotten meanwhile give way to the nearest to the left`() throws {
        var conditions = Conditions()
        conditions.limits.graves = 0
        conditions.history = .entries(1)
        let world = World(conditions)
        let people = try world.people("bob", "ana", with: ["a", "b", "c", "d"])
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        ana.add("x", at: .after("c"))
        ana.add("y", at: .after("x"))
        ana.submit(Operation(.move(["a"], to: .before("c"))))
        try world.runUntilQuiet()
        bob.delete("b")
        try world.runUntilQuiet()
        bob.delete("c")
        try world.runUntilQuiet()
        bob.add("e")
        try world.runUntilQuiet()
        ana.goOnline()
        try world.runUntilQuiet()
        #expect(bob.ids == ana.ids && bob.ids == ["a", "x", "y", "d", "e"])
        #expect(ana.outcomes.values.joined().allSatisfy { $0.outcome.isDone })
    }

    @Test func `what was said of a list that ended does not keep it from being opened anew`()
        throws
    {
        let (ana, bob) = try scene()
        _ = bob.node.perform { core, now in core.ask({ .remove($0, "list") }, at: now) }
        try ana.world.runUntilQuiet()
        #expect(ana.replica?.gone != nil)
        try ana.node.perform { core, now in try core.open("list", create: true, at: now) }
        // Ana said which elements she edits just before she heard of the end.
        receive(.error(nil, "list", Refusal(.notOpen, "not open")), ana)
        try ana.world.runUntilQuiet()
        #expect(ana.replica?.isLive == true && ana.failures.isEmpty)
    }

    @Test func `a list that is closed and opened again goes on counting`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        ana.set("a", ["n": 1])
        try world.runUntilQuiet()
        ana.goOffline()
        ana.set("a", ["n": 2])
        try ana.node.perform { core, now in
            core.close("list", at: now)
            try core.open("list", at: now)
        }
        ana.set("a", ["m": 3])
        ana.goOnline()
        try world.runUntilQuiet()
        #expect(bob.fields("a") == ["title": "a", "n": 2, "m": 3])
        #expect(ana.outcomes.keys.map(\.number).sorted() == [1, 2, 3])
    }
}
