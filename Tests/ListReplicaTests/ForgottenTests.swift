import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("A client that the list has forgotten") struct ForgottenTests {
    /// Clients are forgotten after a second, and a stored snapshot comes with every few entries.
    private func world(_ history: Int) -> World {
        var conditions = Conditions()
        conditions.limits.clientAge = 1_000
        conditions.history = .entries(history)
        return World(conditions)
    }

    /// Ana's mutation reaches the log, its outcome does not reach her, and she is forgotten.
    private func scene(
        _ history: Int, _ doing: (Person) -> Void
    ) throws -> (ana: Person, bob: Person) {
        let world = world(history)
        let people = try world.people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        let head = try #require(world.server.disk.list("list")).head
        doing(ana)
        try world.run(for: 1_000) { world.server.disk.list("list")?.head != head }
        ana.node.kill(losingSent: true)
        try world.run(for: 5_000)
        for n in 0..<400 { bob.set("a", ["n": .int(Int64(n))]) }
        try world.runUntilQuiet()
        #expect(world.server.disk.logs["list"]?.first != Version(1))
        return (ana, bob)
    }

    private func comeBack(_ ana: Person) throws {
        ana.node.start()
        try ana.world.runUntilQuiet()
        #expect(ana.replica?.unresolved.isEmpty == true && ana.replica?.isLive == true)
    }

    @Test func `DU6 is told so, and what may be in the log unseen is not done twice`() throws {
        let (ana, bob) = try scene(2) { $0.submit(Operation(.count("a", "cups", by: 1))) }
        try comeBack(ana)
        let told = ana.outcomes.values.joined().map(\.outcome)
        guard case .refused(let refusal) = told.last else {
            Issue.record("\(told)")
            return
        }
        #expect(refusal.code == .forgotten && told.count == 1)
        #expect(bob.fields("a")?["cups"] == 1 && ana.fields("a") == bob.fields("a"))
    }

    @Test func `goes on with inserts, whose IDs say whether they were logged`() throws {
        let (ana, bob) = try scene(2) { ana in
            ana.add("x")
            ana.set("x", ["title": "named"])
        }
        try comeBack(ana)
        #expect(bob.ids == ["a", "x"] && ana.ids == bob.ids)
        let before = try #require(ana.replica?.lastNumber)
        ana.set("a", ["title": "after"])
        try ana.world.runUntilQuiet()
        #expect(bob.fields("a")?["title"] == "after")
        #expect(ana.replica?.lastNumber == before.next)
    }
}
