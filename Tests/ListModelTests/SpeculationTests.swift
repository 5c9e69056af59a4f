import Testing

@testable import ListModel

@Suite("Speculation")
struct SpeculationTests {
    private func propose(
        _ intent: ListModel.Operation.Intent, _ n: UInt64, on speculation: inout Speculation
    ) {
        speculation.propose(makeMutation([Operation(intent)], n: n), makeContext())
    }

    @Test("what is proposed is visible at once, and the confirmed head stays")
    func visible() {
        var speculation = Speculation(makeList("a"))
        propose(.insert("x", at: .first, [:]), 1, on: &speculation)
        propose(.set("x", ["title": "x"]), 2, on: &speculation)
        #expect(speculation.list.layout == "x a" && speculation.pending.count == 2)
        #expect(speculation.confirmedHead == Version(1) && speculation.list.head == Version(3))
        #expect(speculation.pending.map(\.headAfter) == [Version(2), Version(3)])
    }

    @Test("what is settled stays as it was performed, and is pending no more")
    func settle() {
        var speculation = Speculation(makeList("a"))
        for n in 1...3 { propose(.count("a", "n", by: 1), UInt64(n), on: &speculation) }
        let before = speculation.list.portrait
        speculation.settle(2)
        #expect(speculation.list.portrait == before && speculation.pending.count == 1)
        #expect(speculation.confirmedHead == Version(3))
        speculation.settle(5)
        #expect(speculation.pending.isEmpty && speculation.confirmedHead == Version(4))
    }

    @Test("a foreign entry goes below the pending work, which is played again upon it")
    func rebase() throws {
        var speculation = Speculation(makeList("a", "b"))
        propose(.insert("x", at: .last, [:]), 1, on: &speculation)
        propose(.set("b", ["title": "mine"]), 2, on: &speculation)
        var confirmed = makeList("a", "b")
        let foreign = confirmed.perform(
            .delete("b", unlessEdited: false), .insert("y", at: .last, [:]), by: "bea")
        let entry = makeEntry(foreign, of: confirmed, by: "bea", client: "c2")
        try speculation.takeIn([entry])
        #expect(speculation.list.layout == "a [b] y x")
        #expect(speculation.pending.last?.resolution.told == ["0 b removed bea"])
        #expect(speculation.confirmedHead == Version(2) && speculation.list.head == Version(3))
    }

    @Test("OP1: what was refused is dropped, and what depended on it is resolved without it")
    func drop() throws {
        var speculation = Speculation(makeList("a"))
        propose(.insert("x", at: .first, [:]), 1, on: &speculation)
        propose(.set("x", ["title": "x"]), 2, on: &speculation)
        propose(.set("a", ["title": "mine"]), 3, on: &speculation)
        try speculation.takeIn([], dropping: { $0.mutation.n == MutationNumber(1) })
        #expect(speculation.list.contents == [["a", "title=text(\"mine\")"]])
        #expect(speculation.pending.map(\.resolution.told) == [["0 x no_such_element"], []])
    }

    @Test("where the change throws, everything is as it was")
    func throwing() {
        var speculation = Speculation(makeList("a"))
        propose(.insert("x", at: .first, [:]), 1, on: &speculation)
        let before = speculation.list.portrait
        let gap = Entry(
            version: Version(9), at: .zero, by: "bea", client: "c2", n: MutationNumber(1),
            operations: [])
        #expect(throws: Inapplicable.self) {
            try speculation.takeIn([gap], dropping: { _ in true })
        }
        #expect(speculation.list.portrait == before && speculation.pending.count == 1)
    }
}
