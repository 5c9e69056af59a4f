import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("A client's disk that fails") struct SavingTests {
    @Test func `what failed goes out by itself once there is room, in order, and is kept`() throws {
        let people = try World().people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        ana.node.isDiskFull = true
        ana.set("a", ["note": "1"])
        try ana.world.run(for: 300)
        bob.set("a", ["title": "his"])
        ana.set("a", ["more": "2"])
        try ana.world.run(for: 5_000)
        #expect(bob.fields("a") == ["title": "his"], "what no disk has is not sent")
        #expect(ana.failedSaves == 1, "said once")
        ana.node.isDiskFull = false
        try ana.world.runUntilQuiet()
        let all: Fields = ["title": "his", "note": "1", "more": "2"]
        #expect(bob.fields("a") == all)
        ana.goOffline()
        ana.node.kill()
        ana.node.start()
        #expect(ana.failures.isEmpty && ana.fields("a") == all)
    }

    @Test func `a crash while nothing can be kept leaves what was kept before`() throws {
        let people = try World().people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        ana.node.isDiskFull = true
        bob.set("a", ["title": "his"])
        ana.add("x")
        try ana.world.run(for: 300)
        ana.node.isDiskFull = false
        ana.node.kill()
        ana.node.start()
        try ana.world.runUntilQuiet()
        #expect(ana.failures.isEmpty && ana.ids == ["a"] && bob.ids == ["a"])
        #expect(ana.fields("a") == ["title": "his"])
    }

    @Test("what a crash would bring back rests on an outcome that is not confirmed before")
    func rests() throws {
        let ana = try World().people("ana", with: ["a"])[0]
        ana.goOffline()
        let insert = try #require(ana.add("x"))
        let delete = try #require(ana.delete("x"))
        let replica = try #require(ana.replica)
        func answer(_ outcome: Outcome, _ n: MutationNumber) {
            ana.node.perform { core, now in
                replica.received(ServerMessage.Answer(outcome), for: n, at: now)
                core.goOffline(at: now)
            }
        }
        answer(.refused(Refusal(.idTaken, "it is taken")), insert)
        try ana.world.run(for: 100)
        #expect(replica.heard < insert, "the deletion waits, and rests on it")
        ana.node.isDiskFull = true
        answer(.nothing(skips: []), delete)
        #expect(replica.heard < insert)
        ana.node.isDiskFull = false
        try ana.world.run(for: 3_000)
        #expect(replica.heard == delete)
    }

    @Test func `what waits is condensed to what it comes to`() {
        let writes: [StateWrite] = [
            .put("c/1", [1]), .put("p", [1]), .removePrefix("c/"), .put("c/2", [2]),
            .put("p", [3]), .remove("q"), .removePrefix("c/"), .put("c/2", [4]),
        ]
        var (one, other): ([String: [UInt8]], [String: [UInt8]]) = (["c/0": [], "q": []], [:])
        other = one
        for write in writes { one.apply(write) }
        let condensed = Saving.condense(writes)
        for write in condensed { other.apply(write) }
        #expect(one == other && condensed.count == 4)
    }

    @Test func `a program that ends hands over what is under way and what is not`() throws {
        let client = try #require(ClientID("c"))
        let core = ClientCore(client: client, user: "ana", jitter: { 0 })
        try core.open("list", at: .zero)
        _ = core.submit([Operation(.insert("a", at: .last, [:]))], to: "list", at: .zero)
        let first = try #require(core.takeWrites())
        _ = core.submit([Operation(.insert("b", at: .last, [:]))], to: "list", at: .zero)
        #expect(core.takeWrites() == nil, "one at a time")
        let all = core.takeLastWrites().count
        #expect(all > first.writes.count)
    }
}
