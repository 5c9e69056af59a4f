import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

/// Inserts that may be in the log unseen, since the list comes as a snapshot.
@Suite("What became of an insert in doubt is neither guessed nor forgotten")
struct DoubtfulInsertTests {
    private func scene() throws -> (ana: Person, bob: Person) {
        var conditions = Conditions()
        conditions.limits.graves = 0
        conditions.history = .entries(1)
        let people = try World(conditions).people("bob", "ana", with: ["a", "b"])
        return (people[1], people[0])
    }

    private func isSent(_ n: MutationNumber, by person: Person) -> Bool {
        person.node.sent.contains { message in
            if case .submit(let submission) = message { return submission.n == n }
            return false
        }
    }

    @Test func `one that was discarded and is in the log brings its editor back`() throws {
        let (ana, bob) = try scene()
        let n = try #require(ana.add("x"))
        try ana.edit("x")
        try ana.type(["note": "mine"], into: "x")
        try ana.world.run(for: 10_000) { bob.ids.contains("x") }
        ana.goOffline()
        #expect(ana.node.perform { core, now in core.discard(n, in: "list", at: now) })
        #expect(ana.takeTold().map(\.event) == [.vanished(Vanish(.rejected(.noSuchElement)))])
        try ana.world.run(for: 1_000)
        ana.node.kill()
        for n in 0..<400 { bob.set("x", ["title": .int(Int64(n))]) }
        try ana.world.runUntilQuiet()
        ana.node.start()
        try ana.world.runUntilQuiet()
        #expect(ana.fields("x") == ["title": 399])
        guard case .returned? = ana.takeTold().first?.event else {
            Issue.record("its editor stays away")
            return
        }
        #expect(ana.editor("x")?.touched == ["note": "mine"])
    }

    @Test func `one whose ID was taken, and is free again, is not refused beforehand`() throws {
        let (ana, bob) = try scene()
        ana.goOffline()
        let n = try #require(ana.add("x"))
        bob.add("x")
        try ana.world.runUntilQuiet()
        let before = ana.caughtUps
        ana.goOnline()
        try ana.world.run(for: 10_000) { ana.caughtUps > before && isSent(n, by: ana) }
        ana.node.cut()
        ana.goOffline()
        #expect(ana.replica?.rejected[n] == .idTaken)
        bob.delete("x")
        for n in 0..<400 { bob.set("a", ["title": .int(Int64(n))]) }
        try ana.world.runUntilQuiet()
        ana.goOnline()
        try ana.world.run(for: 10_000) { ana.caughtUps > before + 1 }
        try ana.edit("x", .live)
        ana.set("x", ["title": "mine"])
        #expect(ana.takeTold().isEmpty)
        try ana.world.runUntilQuiet()
        #expect(ana.takeTold().isEmpty && ana.editor("x")?.vanish == nil)
        #expect(bob.fields("x") == ["title": "mine"])
    }
}
