import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("Undo takes back one's own work, and no more") struct UndoTests {
    private func undo(_ person: Person) -> MutationNumber? {
        person.node.perform { core, now in core.undo(in: "list", at: now) }
    }

    private func redo(_ person: Person) -> MutationNumber? {
        person.node.perform { core, now in core.redo(in: "list", at: now) }
    }

    @Test func `CO5 others' work stays, however often one undoes`() throws {
        let people = try World().people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        bob.set("a", ["note": "his"])
        ana.add("x")
        ana.set("a", ["title": "hers"])
        try ana.world.runUntilQuiet()
        for _ in 0..<10 {
            _ = undo(ana)
            try ana.world.runUntilQuiet()
        }
        #expect(bob.ids == ["a"] && bob.fields("a") == ["title": "a", "note": "his"])
        #expect(undo(ana) == nil)
    }

    @Test func `any chain of undo and redo comes back to where it was`() throws {
        for seed in UInt64(1)...20 {
            let world = World(seed: seed)
            let ana = try world.people("ana", with: ["a", "b", "c"])[0]
            // Taking back a count leaves 0 where there was nothing.
            for id in ["a", "b", "c"] as [ElementID] { ana.set(id, ["count": 0]) }
            try world.runUntilQuiet()
            var states = [ana.replica?.list.elements.map(\.fields)]
            var orders = [ana.ids]
            for step in 0..<6 {
                let id: ElementID = ["a", "b", "c"][Int(world.random.next() % 3)]
                switch world.random.next() % 6 {
                case 4, 5:
                    let isThere = ana.ids.contains(id.text)
                    ana.submit(
                        Operation(isThere ? .delete(id, unlessEdited: false) : .restore(id)))
                case 0: ana.set(id, ["n": .int(Int64(step))])
                case 1: ana.submit(Operation(.move([id], to: step % 2 == 0 ? .first : .last)))
                case 2: ana.submit(Operation(.count(id, "count", by: 1)))
                default: ana.add(ElementID("x\(step)") ?? "x", at: .before(id))
                }
                try world.runUntilQuiet()
                guard ana.ids != orders.last || ana.now != states.last else { continue }
                states.append(ana.now)
                orders.append(ana.ids)
            }
            for round in 0..<2 {
                for index in states.indices.dropLast().reversed() {
                    _ = undo(ana)
                    try world.runUntilQuiet()
                    #expect(
                        ana.ids == orders[index] && ana.now == states[index], "\(seed) \(round)")
                }
                for index in states.indices.dropFirst() {
                    _ = redo(ana)
                    try world.runUntilQuiet()
                    #expect(
                        ana.ids == orders[index] && ana.now == states[index], "\(seed) \(round)")
                }
            }
        }
    }

    @Test func `moved, deleted, restored, and all of it taken back`() throws {
        let ana = try World().people("ana", with: ["a", "b"])[0]
        ana.submit(Operation(.move(["a"], to: .last)))
        ana.submit(Operation(.delete("a", unlessEdited: false)))
        ana.submit(Operation(.restore("a")))
        try ana.world.runUntilQuiet()
        for _ in 0..<2 {
            for ids in [["b"], ["b", "a"], ["a", "b"]] {
                _ = undo(ana)
                try ana.world.runUntilQuiet()
                #expect(ana.ids == ids)
            }
            for ids in [["b", "a"], ["b"], ["b", "a"]] {
                _ = redo(ana)
                try ana.world.runUntilQuiet()
                #expect(ana.ids == ids)
            }
        }
    }

    @Test func `new work ends what could be done again`() throws {
        let ana = try World().people("ana", with: ["a"])[0]
        ana.set("a", ["n": 1])
        _ = undo(ana)
        ana.set("a", ["n": 2])
        try ana.world.runUntilQuiet()
        #expect(redo(ana) == nil && ana.fields("a")?["n"] == 2)
    }

    @Test func `offline, and before anything is heard`() throws {
        let people = try World().people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        ana.set("a", ["title": "hers"])
        ana.add("x")
        _ = undo(ana)
        _ = undo(ana)
        #expect(ana.ids == ["a"] && ana.fields("a") == ["title": "a"])
        _ = redo(ana)
        #expect(ana.fields("a") == ["title": "hers"])
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(bob.ids == ["a"] && bob.fields("a") == ["title": "hers"])
    }

    @Test func `an insert that others have since worked on stays, though it seemed not logged`()
        throws
    {
        let people = try World().people("bob", "ana")
        let (bob, ana) = (people[0], people[1])
        ana.add("x", ["title": "hers"])
        try ana.world.run(for: 8)
        ana.node.cut()
        ana.goOffline()
        try ana.world.runUntilQuiet()
        #expect(ana.replica?.mayBeLogged(MutationNumber(1)) == true)
        let n = try #require(undo(ana))
        bob.set("x", ["title": "his"])
        try ana.world.runUntilQuiet()
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(bob.fields("x") == ["title": "his"] && ana.ids == ["x"])
        guard case .nothing(let skips) = ana.outcomes[n]?.first?.outcome else {
            Issue.record("\(ana.outcomes)")
            return
        }
        #expect(skips.map(\.code) == [.changedSince])
    }

    @Test func `what was taken back unsent is done again only where nobody wrote since`() throws {
        let people = try World().people("bob", "ana", with: ["a", "b"])
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        ana.set("b", ["title": "hers"])
        _ = undo(ana)
        bob.set("b", ["title": "his"])
        try ana.world.runUntilQuiet()
        ana.goOnline()
        try ana.world.runUntilQuiet()
        let n = try #require(redo(ana))
        try ana.world.runUntilQuiet()
        #expect(bob.fields("b") == ["title": "his"])
        guard case .nothing(let skips)? = ana.outcomes[n]?.first?.outcome else {
            Issue.record("\(ana.outcomes)")
            return
        }
        #expect(skips.map(\.code) == [.changedSince])
    }

    @Test func `what was taken back unsent is told with all that came, as one`() throws {
        let people = try World().people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("a", .live)
        ana.goOffline()
        ana.set("a", ["note": "hers"])
        bob.set("a", ["title": "his"])
        _ = undo(ana)
        _ = ana.takeTold()
        try ana.world.runUntilQuiet()
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(ana.takeTold().count == 1 && ana.editor("a")?.shown == ["title": "his"])
    }

    @Test func `an insert that was taken back unsent leaves its ID to others`() throws {
        let people = try World().people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        ana.add("x", ["title": "hers"])
        try ana.edit("x")
        _ = undo(ana)
        try ana.world.runUntilQuiet()
        ana.goOnline()
        try ana.world.runUntilQuiet()
        bob.add("x", ["title": "his"])
        try ana.world.runUntilQuiet()
        #expect(ana.fields("x") == ["title": "his"])
        #expect(ana.editor("x")?.vanish != nil && ana.editor("x")?.shown == ["title": "hers"])
        #expect(ana.takeTold().count == 1)
    }

    @Test("a crash that brings back what was dropped, by undo or by hand, brings no refusal")
    func dropped() throws {
        for isDiscarded in [true, false] {
            let ana = try World().people("ana", with: ["a", "b"])[0]
            ana.goOffline()
            let n = try #require(ana.set("a", ["title": "hers"]))
            if !isDiscarded { _ = undo(ana) }
            ana.set("b", ["title": "hers"])
            try ana.world.runUntilQuiet()
            ana.world.conditions.save = 500...500
            if isDiscarded {
                _ = ana.node.perform { core, now in core.discard(n, in: "list", at: now) }
            }
            ana.goOnline()
            try ana.world.run(for: 200)
            ana.node.kill()
            ana.world.conditions.save = 1...1
            ana.node.start()
            try ana.world.runUntilQuiet()
            let outcome = try #require(ana.outcomes[n]?.last?.outcome)
            if case .refused(let refusal) = outcome { Issue.record("\(refusal)") }
            #expect(ana.fields("b") == ["title": "hers"])
        }
    }

    @Test func `an insert is not undone where another wrote, though its move was in between`()
        throws
    {
        let people = try World().people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        ana.add("x")
        try ana.world.runUntilQuiet()
        ana.submit(Operation(.move(["x"], to: .first)))
        try ana.world.runUntilQuiet()
        bob.set("x", ["title": "bob's"])
        try ana.world.runUntilQuiet()
        for _ in 1...2 {
            _ = undo(ana)
            try ana.world.runUntilQuiet()
        }
        #expect(ana.ids == ["a", "x"] && bob.fields("x") == ["title": "bob's"])
    }

    @Test func `work that came to nothing is not undone`() throws {
        let ana = try World().people("ana", with: ["a"])[0]
        ana.set("a", ["n": 1])
        ana.set("a", ["n": 1])
        ana.add("a")
        try ana.world.runUntilQuiet()
        _ = undo(ana)
        try ana.world.runUntilQuiet()
        #expect(ana.fields("a") == ["title": "a"])
    }
}

extension Person {
    fileprivate var now: [Fields]? { replica?.list.elements.map(\.fields) }
}
