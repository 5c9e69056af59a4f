import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("A commit writes what was touched, or says why not") struct CommitTests {
    private func pair(_ fields: Fields = ["title": "one two three", "n": 1]) throws -> (
        bob: Person, ana: Person
    ) {
        let people = try World().people("bob", "ana")
        people[0].add("x", fields)
        try people[0].world.runUntilQuiet()
        return (people[0], people[1])
    }

    /// Bob writes while Ana's commit is on its way, so that only the authority can know.
    private func race(
        _ mine: Fields, _ theirs: Fields, _ mode: Editor.Commit.Mode
    ) throws -> (told: [Person.Told], ana: Person, truth: Fields?, outcomes: [Outcome]) {
        let (bob, ana) = try pair()
        try ana.edit("x")
        try ana.type(mine, into: "x")
        bob.set("x", theirs)
        let n = try #require(try ana.commit("x", mode))
        try ana.world.runUntilQuiet()
        return (
            ana.takeTold(), ana, bob.fields("x"), ana.outcomes[n]?.map(\.outcome) ?? []
        )
    }

    @Test func `only touched fields are written`() throws {
        let (told, ana, truth, outcomes) = try race(["title": "mine"], ["n": 2], .ifUnchanged)
        #expect(truth == ["title": "mine", "n": 2])
        #expect(told.count == 1 && ana.editor("x") == nil)
        #expect(outcomes.count == 1 && outcomes[0].isDone)
    }

    @Test func `the authority refuses what the client could not know`() throws {
        let (told, ana, truth, outcomes) = try race(
            ["title": "mine"], ["title": "his"], .ifUnchanged)
        #expect(truth?["title"] == "his")
        #expect(
            told.map(\.event) == [
                .conflict("title", base: "one two three", mine: "mine", theirs: "his", by: "bob")
            ])
        #expect(ana.editor("x")?.touched == ["title": "mine"] && ana.editor("x")?.commit == nil)
        #expect(outcomes.count == 1)
        #expect(throws: EditorFault.conflict(["title"])) { try ana.commit("x") }
    }

    @Test func `overwriting wins`() throws {
        let (_, ana, truth, _) = try race(["title": "mine"], ["title": "his"], .overwrite)
        #expect(truth?["title"] == "mine" && ana.editor("x") == nil)
    }

    @Test func `a merge that was too early is proposed again and reported once`() throws {
        let (_, ana, truth, outcomes) = try race(
            ["title": "one two three four"], ["title": "zero one two three"], .merge)
        #expect(truth?["title"] == "zero one two three four" && ana.editor("x") == nil)
        #expect(outcomes.count == 1 && outcomes[0].isDone)
    }

    @Test func `a merge of the same words is a conflict`() throws {
        let (_, ana, truth, outcomes) = try race(
            ["title": "one mine three"], ["title": "one his three"], .merge)
        #expect(truth?["title"] == "one his three" && ana.editor("x")?.hasDraft == true)
        #expect(outcomes.count == 1 && outcomes[0].isDone == false)
    }

    @Test func `theirs equals mine, and nothing is left to write`() throws {
        let (told, ana, truth, outcomes) = try race(
            ["title": "same"], ["title": "same"], .ifUnchanged)
        #expect(truth?["title"] == "same" && ana.editor("x") == nil)
        #expect(outcomes == [.nothing(skips: [])])
        #expect(told.count == 1)
        guard case .changed = told.first?.event else {
            Issue.record("\(told)")
            return
        }
    }

    @Test func `retries end`() throws {
        let (bob, ana) = try pair()
        try ana.edit("x")
        try ana.type(["title": "one two three four"], into: "x")
        var n: MutationNumber?
        for round in 0..<8 {
            bob.set("x", ["title": .text("\(round) one two three")])
            if round == 0 { n = try ana.commit("x", .merge) }
            try ana.world.run(for: 14)
        }
        try ana.world.runUntilQuiet()
        #expect(n.flatMap { ana.outcomes[$0] }?.count == 1)
        let submissions = ana.node.sent.count { if case .submit = $0 { true } else { false } }
        #expect(submissions <= 4)
    }

    @Test func `what comes after the commit's own entry is not told to its editor`() throws {
        let (bob, ana) = try pair()
        try ana.edit("x")
        try ana.type(["title": "mine"], into: "x")
        // While Ana's connection is busy both are logged, and then both come before the outcome.
        ana.world.conditions.writePause = 200
        bob.add("y")
        try ana.world.run(for: 13)
        try ana.commit("x")
        try ana.world.run(for: 20)
        bob.set("x", ["title": "his, later"])
        try ana.world.runUntilQuiet()
        #expect(ana.takeTold() == [] && ana.editor("x") == nil)
        #expect(ana.fields("x")?["title"] == "his, later")
    }

    @Test func `a commit with nothing to write closes the editor`() throws {
        let (_, ana) = try pair()
        try ana.edit("x")
        #expect(try ana.commit("x") == nil && ana.editor("x") == nil)
        try ana.edit("x", .snapshot)
        #expect(throws: EditorFault.readOnly) { try ana.commit("x") }
        #expect(throws: EditorFault.readOnly) { try ana.type(["n": 1], into: "x") }
        #expect(throws: EditorFault.alreadyOpen) { try ana.edit("x") }
        #expect(throws: EditorFault.notOpen) { try ana.commit("y") }
    }

    @Test func `CO2 typing is never overwritten`() throws {
        let (bob, ana) = try pair()
        try ana.edit("x")
        try ana.type(["title": "half"], into: "x")
        for n in 0..<5 {
            bob.set("x", ["title": .text("his \(n)"), "n": .int(Int64(n + 5))])
            try ana.world.runUntilQuiet()
            #expect(ana.editor("x")?.value["title"] == "half")
            #expect(ana.editor("x")?.value["n"] == .int(Int64(n + 5)))
            let told = ana.takeTold().map(\.event)
            #expect(
                told.contains {
                    if case .conflict(_, _, _, _, let by) = $0 { by == "bob" } else { false }
                })
            #expect(
                told.contains {
                    if case .changed(_, _, let by, _) = $0 { by == "bob" } else { false }
                })
        }
        // The rule: not over what was not seen, unless that is asked for.
        #expect(throws: EditorFault.self) { try ana.commit("x") }
        try ana.world.runUntilQuiet()
        #expect(bob.fields("x")?["title"] == "his 4" && ana.editor("x")?.value["title"] == "half")
        try ana.commit("x", .overwrite)
        try ana.world.runUntilQuiet()
        #expect(bob.fields("x")?["title"] == "half" && bob.fields("x")?["n"] == 9)
    }

    @Test func `a commit is written across the death of its program, once`() throws {
        for pause in Int64(0)...40 {
            let (bob, ana) = try pair()
            try ana.edit("x")
            try ana.type(["title": "mine"], into: "x")
            try ana.world.run(for: 5)
            try ana.commit("x")
            try ana.world.run(for: pause)
            ana.node.kill(losingSent: pause % 2 == 0)
            try ana.world.runUntilQuiet()
            ana.node.start()
            try ana.world.runUntilQuiet()
            let isSaved = bob.fields("x")?["title"] == "mine"
            // Either it was durable and is saved, or the draft is as it was.
            #expect((ana.editor("x")?.touched == ["title": "mine"]) != isSaved, "\(pause) ms")
            let own = ana.world.server.disk.entries(of: "list").count { $0.client == ana.node.id }
            #expect(own == (isSaved ? 1 : 0), "\(pause) ms")
        }
    }
}
