import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("Undo that outlives its program") struct KeptStepTests {
    private func settled(_ person: Person) throws { try person.world.runUntilQuiet() }

    @Test func `steps are the same when they are read again`() throws {
        let ana = try World().people("ana", with: ["a", "b"])[0]
        ana.set("a", ["title": "tab\tline\nend"])
        ana.submit(Operation(.move(["b"], to: .first)))
        ana.submit(Operation(.delete("a", unlessEdited: false)))
        try settled(ana)
        let steps = try #require(ana.replica?.keptSteps)
        let client = try #require(ana.node.core?.client)
        #expect(steps.count >= 3)
        for step in steps {
            let bytes = step.encoded(by: client)
            #expect(!bytes.contains(UInt8(ascii: "\n")))
            #expect(KeptStep(encoded: bytes) == step)
            for end in 0..<bytes.count { #expect(KeptStep(encoded: Array(bytes[..<end])) == nil) }
        }
    }

    @Test func `another client of the same list takes them back`() throws {
        let people = try World().people("ana", "bob", with: ["a", "b"])
        let (ana, bob) = (people[0], people[1])
        let before = ana.rows
        let known = ana.replica?.keptSteps.count ?? 0
        ana.set("a", ["title": "new"])
        ana.submit(Operation(.delete("a", unlessEdited: false)))
        try settled(ana)
        bob.replica?.recall(Array(ana.replica?.keptSteps.dropFirst(known) ?? []))
        for _ in 0..<2 {
            _ = bob.node.perform { core, now in core.undo(in: "list", at: now) }
            try settled(ana)
        }
        #expect(ana.rows == before && bob.rows == before)
        #expect(bob.replica?.keptSteps.filter(\.isRedo).count == 2)
        for _ in 0..<2 {
            _ = bob.node.perform { core, now in core.redo(in: "list", at: now) }
            try settled(ana)
        }
        #expect(bob.ids == ["b"])
    }

    @Test func `joined, the last is taken back first`() throws {
        let people = try World().people("ana", "bob", with: ["a"])
        let (ana, bob) = (people[0], people[1])
        let before = ana.rows
        let known = ana.replica?.keptSteps.count ?? 0
        ana.set("a", ["title": "one"])
        ana.set("a", ["title": "two"])
        try settled(ana)
        let steps = Array(ana.replica?.keptSteps.dropFirst(known) ?? [])
        let joined = try #require(KeptStep(joining: steps))
        #expect(joined.operations.count == 2)
        bob.replica?.recall([joined])
        _ = bob.node.perform { core, now in core.undo(in: "list", at: now) }
        try settled(ana)
        #expect(ana.rows == before)
        #expect(KeptStep(joining: []) == nil)
    }

    @Test func `steps of another log mean nothing`() throws {
        let people = try World().people("ana", "bob", with: ["a"])
        let step = try #require(people[0].replica?.keptSteps.last)
        let client = try #require(people[0].node.core?.client)
        let line = String(decoding: step.encoded(by: client), as: UTF8.self)
        let other = line.replacing(step.epoch.description, with: "other.log")
        people[1].replica?.recall([try #require(KeptStep(encoded: Array(other.utf8)))])
        #expect(people[1].replica?.canUndo == false)
    }
}

extension Person {
    fileprivate var rows: [Fields] { replica?.list.elements.map(\.fields) ?? [] }
}
