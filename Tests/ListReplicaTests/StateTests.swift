import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("What a client keeps is what it was") struct StateTests {
    private func copy(of person: Person) throws -> Replica {
        let copy = Replica(
            name: "list", client: person.node.id, user: person.node.user, limits: Limits())
        try copy.load(person.node.kept(of: "list"), decoder: MessageDecoder(limits: Limits()))
        return copy
    }

    private func expectSame(_ copy: Replica, _ replica: Replica, _ step: String) {
        #expect(copy.list.elements == replica.list.elements, "\(step)")
        #expect(copy.lastNumber == replica.lastNumber, "\(step)")
        #expect(copy.epoch == replica.epoch, "\(step)")
        #expect(copy.unresolved.map(\.mutation) == replica.unresolved.map(\.mutation), "\(step)")
        #expect(copy.heard == replica.heard, "\(step)")
        #expect(
            copy.speculation.pending.map(\.mutation)
                == replica.speculation.pending.map(\.mutation), "\(step)")
        let kept = replica.openEditors.filter(\.hasDraft)
        #expect(
            copy.openEditors.map { $0.value(of: ()) } == kept.map { $0.value(of: ()) }, "\(step)")
    }

    @Test func `loaded after every step, it is the same`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "b", "c"])
        let (bob, ana) = (people[0], people[1])
        let steps: [(String, () throws -> Void)] = [
            ("add", { ana.add("x", ["title": "X", "n": 1]) }),
            ("count", { ana.submit(Operation(.count("x", "n", by: 2))) }),
            (
                "draft",
                {
                    try ana.edit("a")
                    try ana.type(["title": "mine"], into: "a")
                }
            ),
            ("conflict", { bob.set("a", ["title": "his", "n": 4]) }),
            ("offline", { ana.goOffline() }),
            ("pending", { ana.submit(Operation(.count("x", "n", by: 2))) }),
            ("commit", { try ana.commit("a", .overwrite) }),
            ("foreign", { bob.delete("b") }),
            ("online", { ana.goOnline() }),
            (
                "vanish",
                {
                    try ana.edit("c")
                    try ana.type(["n": 1], into: "c")
                    bob.delete("c")
                }
            ),
            ("reload", { ana.node.perform { core, now in core.reload("list", at: now) } }),
            ("long", { for n in 0..<1_100 { bob.set("x", ["n": .int(Int64(n))]) } }),
            ("restore", { bob.restore("c") }),
        ]
        for (name, step) in steps {
            try step()
            try world.run(for: 2)
            #expect(throws: Never.self) { try copy(of: ana) }
            try world.runUntilQuiet()
            expectSame(try copy(of: ana), try #require(ana.replica), name)
        }
    }

    @Test func `a logged mutation whose outcome was not heard is not shown twice`() throws {
        var conditions = Conditions()
        conditions.writeBytes = 1
        conditions.writePause = 50
        let world = World(conditions)
        let ana = try world.people("ana", with: ["a"])[0]
        ana.submit(Operation(.count("a", "n", by: 1)))
        try world.run(for: 60) { ana.replica?.speculation.pending.isEmpty == true }
        #expect(ana.replica?.unresolved.count == 1)
        try world.run(for: 5)
        ana.node.kill(losingSent: true)
        let copy = try copy(of: ana)
        #expect(copy.list["a"]?.fields["n"] == 1 && copy.unresolved.count == 1)
        ana.node.start()
        #expect(ana.fields("a")?["n"] == 1)
        try world.runUntilQuiet()
        #expect(ana.fields("a")?["n"] == 1 && ana.replica?.unresolved.isEmpty == true)
    }

    @Test func `damaged bytes are refused, and nothing is lost`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "b"])
        let ana = people[1]
        ana.node.perform { core, now in core.reload("list", at: now) }
        try world.runUntilQuiet()
        people[0].set("a", ["n": 1])
        try world.runUntilQuiet()
        try ana.edit("a")
        try ana.type(["title": "mine"], into: "a")
        ana.goOffline()
        ana.add("x")
        try world.runUntilQuiet()
        ana.node.kill()
        let whole = ana.node.state
        #expect(whole.count >= 5)
        for (key, bytes) in whole.sorted(by: { $0.key < $1.key }) {
            for damage in [[], Array(bytes.dropLast(3)), [0xFF] + bytes] {
                ana.node.state[key] = damage
                let before = ana.node.state
                let failures = ana.failures.count
                ana.node.start()
                #expect(ana.failures.dropFirst(failures).map(\.code) == [.listUnreadable], "\(key)")
                #expect(ana.replica == nil)
                try world.runUntilQuiet()
                ana.node.kill()
                #expect(ana.node.state == before, "\(key)")
                ana.node.state = whole
            }
        }
        // Found by Tests/Fuzzing: what stands under another's key is damaged too.
        let named = whole.filter { $0.key.split(separator: "/").count >= 4 }
        #expect(named.count >= 4)
        for (key, bytes) in named {
            ana.node.state[key] = nil
            ana.node.state[key.dropLast() + "9"] = bytes
            let failures = ana.failures.count
            ana.node.start()
            #expect(ana.failures.dropFirst(failures).map(\.code) == [.listUnreadable], "\(key)")
            ana.node.kill()
            ana.node.state = whole
        }
        ana.node.start()
        try world.runUntilQuiet()
        #expect(ana.editor("a")?.touched == ["title": "mine"] && people[0].ids == ["a", "b", "x"])
    }

    @Test func `a lost part of the rows is noticed`() throws {
        let world = World()
        let ana = try world.people("ana")[0]
        for n in 0..<1_100 { ana.add(ElementID("e\(n)") ?? "e") }
        try world.runUntilQuiet()
        ana.node.perform { core, now in core.reload("list", at: now) }
        try world.runUntilQuiet()
        let parts = ana.node.state.keys.filter { $0.contains("/c/part/") }.sorted()
        #expect(parts.count == 3)
        for part in parts {
            let bytes = ana.node.state.removeValue(forKey: part)
            #expect(throws: Refusal.self, "\(part)") { try copy(of: ana) }
            ana.node.state[part] = bytes
        }
    }

    @Test func `numbers are never used twice, whenever the program dies`() throws {
        for pause in Int64(0)...30 {
            var conditions = Conditions()
            conditions.save = 3...3
            let world = World(conditions)
            let ana = try world.people("ana", with: ["a"])[0]
            for n in 0..<3 {
                ana.set("a", ["n": .int(Int64(n))])
                try world.run(for: 4)
            }
            try world.run(for: pause)
            ana.node.kill(losingSent: pause % 2 == 0)
            ana.node.start()
            ana.set("a", ["m": .int(pause)])
            try world.runUntilQuiet()
            let refused = ana.outcomes.values.joined().contains {
                if case .refused = $0.outcome { true } else { false }
            }
            #expect(!refused, "\(pause) ms")
            #expect(world.server.disk.list("list")?["a"]?.fields["m"] == .int(pause))
            let sent = ana.node.sent.compactMap { message -> ClientMessage.Submission? in
                if case .submit(let submission) = message { submission } else { nil }
            }
            for (n, same) in Dictionary(grouping: sent, by: \.n) {
                #expect(Set(same.map(\.operations)).count == 1, "\(n) meant two things")
            }
        }
    }

    @Test func `an end of the list leaves no work behind for the next of its name`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        ana.set("a", ["n": 1])
        try world.runUntilQuiet()
        _ = bob.node.perform { core, now in core.ask({ .remove($0, "list") }, at: now) }
        try world.runUntilQuiet()
        ana.goOnline()
        try world.runUntilQuiet()
        #expect(ana.closings.count == 1)
        #expect(!ana.node.state.keys.contains { $0.contains("/pending/") })
        ana.node.kill()
        ana.node.start()
        try world.runUntilQuiet()
        #expect(ana.ids == [] && ana.replica?.isLive == true && ana.failures.isEmpty)
    }
}
