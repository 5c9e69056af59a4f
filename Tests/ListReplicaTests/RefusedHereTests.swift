import ListModel
import ListProtocol
import ListReplica
import PairHarness
import Testing

@Suite("Work that could never be sent")
struct RefusedHereTests {
    @Test("what is larger than any server takes is refused at once, and nothing waits behind it")
    func tooLarge() throws {
        let names = ["l", "c", "ana"]
        let list = try #require(ListName(names[0]))
        let client = try #require(ClientID(names[1]))
        let user = try #require(UserName(names[2]))
        let ids = ["a", "b"].compactMap { ElementID($0) }
        let core = ClientCore(client: client, user: user, jitter: { 0 })
        try core.open(list, at: .zero)
        let big = Fields([.title: .text(String(repeating: "x", count: 70_000))])
        let refused = core.submit([Operation(.insert(ids[0], at: .last, big))], to: list, at: .zero)
        let kept = core.submit([Operation(.insert(ids[1], at: .last, [:]))], to: list, at: .zero)
        let outcomes = core.takeNews().compactMap { news -> (MutationNumber, Outcome)? in
            guard case .outcome(_, let n, let report) = news else { return nil }
            return (n, report.answer.outcome)
        }
        #expect(outcomes.map(\.0) == [refused])
        guard case .refused(let refusal) = outcomes.first?.1 else {
            Issue.record("it was not refused")
            return
        }
        #expect(refusal.code == .tooLarge && refusal.id == ids[0])
        let replica = try #require(core.replicas[list])
        #expect(replica.unresolved.map(\.mutation.n) == [kept])
        #expect(replica.list.elements.map(\.id) == [ids[1]])
    }

    @Test("the server's bounds are the client's, once it has told them")
    func followed() throws {
        var conditions = Conditions()
        conditions.limits.elementBytes = 100_000
        conditions.limits.fields = 2
        let world = World(conditions)
        let people = try world.people("ana", "bob", with: ["a"])
        let large = String(repeating: "x", count: 80_000)
        people[0].set("a", ["title": .text(large)])
        try world.runUntilQuiet()
        #expect(people[1].fields("a")?["title"] == .text(large))
        #expect(people[0].replica?.limits.fields == 2 && people[0].failures.isEmpty)
    }
}
