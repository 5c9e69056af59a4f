import Testing

@testable import ListModel

@Suite("Lists from rows")
struct RowsTests {
    /// The list as a snapshot would put it together; graves by their places alone unless `knowing`.
    private func copy(_ list: ListState, knowing: Bool = true) -> ListState {
        var copy = ListState(
            head: list.head, lastAt: list.lastAt, title: list.title, schema: list.schema)
        list.visit { element, grave in
            switch grave {
            case .none:
                let isNew = copy.append(element)
                #expect(isNew)
            case .some(let grave):
                let isNew = copy.append(graveOf: element.id, knowing ? grave : nil)
                #expect(isNew)
            }
        }
        return copy
    }

    @Test("a list put together from the rows of another is the same", arguments: seeds(4))
    func same(seed: UInt64) throws {
        var source = RandomMutations(seed: seed)
        var list = ListState()
        for _ in 0..<60 {
            _ = list.perform(makeMutation(source.operations(list)), makeContext())
        }
        let other = copy(list)
        #expect(other.portrait == list.portrait, "\(replay(seed, step: 60))")
        try other.checkInvariants()
    }

    @Test("an ID is appended once")
    func twice() throws {
        var list = makeList("a", "g", graves: ["g"])
        let element = try #require(list["a"])
        let isNew = [
            list.append(element), list.append(graveOf: "g", nil), list.append(graveOf: "a", nil),
        ]
        #expect(isNew == [false, false, false] && list.layout == "a [g]")
    }

    @Test("the times of graves count for the last time of the list")
    func lastAt() {
        let list = makeList("g", graves: ["g"])
        var copy = ListState(head: list.head, title: "", schema: nil)
        if case .grave(let grave) = list.standing(of: "g") { _ = copy.append(graveOf: "g", grave) }
        #expect(copy.lastAt == Timestamp(milliseconds: 1))
    }

    @Test(
        "entries land alike where a replica knows no more than the places of graves",
        arguments: seeds(4))
    func places(seed: UInt64) throws {
        var source = RandomMutations(seed: seed)
        var list = ListState()
        for _ in 0..<40 {
            _ = list.perform(makeMutation(source.operations(list)), makeContext())
        }
        var replica = copy(list, knowing: false)
        for step in 0..<100 {
            let resolution = list.perform(makeMutation(source.operations(list)), makeContext())
            guard resolution.isLogged else { continue }
            try replica.apply(makeEntry(resolution, of: list))
            try #require(replica.layout == list.layout, "\(replay(seed, step: step))")
            try #require(replica.elements == list.elements, "\(replay(seed, step: step))")
        }
    }

    @Test("of a grave known by its place, restoring is left to the authority until it is learnt")
    func learn() throws {
        let full = makeList("a", "g", "b", graves: ["g"])
        var list = copy(full, knowing: false)
        #expect(list.perform(.restore("g")).isNoop)
        #expect(list.perform(.set("g", ["x": 1])).told == ["0 g removed"])
        guard case .grave(let known?) = full.standing(of: "g") else {
            Issue.record("g is no grave")
            return
        }
        list.learn(known)
        #expect(list.portrait == full.portrait)
        #expect(list.perform(.restore("g")).isLogged && list.layout == "a g b")
        list.learn(known)
        #expect(list.layout == "a g b")
    }

    @Test("the graves to forget are the oldest ones: too many, or too old")
    func gravesToForget() {
        var list = makeList("a", "b", "c", "d", "e")
        for (index, id) in (["d", "a", "c", "b"] as [ElementID]).enumerated() {
            list.perform(.delete(id, unlessEdited: false), at: Int64(10 * (index + 1)))
        }
        #expect(list.gravesToForget(most: 9, oldest: .zero).isEmpty)
        #expect(list.gravesToForget(most: 2, oldest: .zero) == ["d", "a"])
        #expect(list.gravesToForget(most: 9, oldest: Timestamp(milliseconds: 30)) == ["d", "a"])
        #expect(list.gravesToForget(most: 1, oldest: Timestamp(milliseconds: 20)).count == 3)
    }

    @Test("an ID that was forgotten and inserted anew is no grave to forget")
    func forgottenAndNew() {
        var list = makeList("a", "g", "h", graves: ["g", "h"])
        list.perform(.forget(["g", "h"]))
        list.perform(.insert("x", at: .last, [:]), .insert("g", at: .last, [:]))
        list.perform(.insert("h", at: .last, [:]))
        #expect(list.gravesToForget(most: 0, oldest: Timestamp(milliseconds: 99)).isEmpty)
    }

    @Test("an entry that leaves a gap, or names what nobody knows, does not fit")
    func unfit() {
        let list = makeList("a", "g", graves: ["g"])
        let unfit: [ResolvedOperation] = [
            .insert("a", after: .first, [:]), .insert("g", after: .first, [:]),
            .insert("x", after: .after("nobody"), [:]), .set("g", ["x": 1]), .set("x", ["x": 1]),
            .count("g", "n", by: 1, is: 1), .move(["g"], after: .first),
            .move(["a"], after: .after("a")), .move(["a"], after: .after("x")), .delete("g"),
            .delete("x"), .restore("a", [:]), .restore("x", [:]),
        ]
        for operation in unfit {
            var copy = list
            let entry = Entry(
                version: Version(3), at: .zero, by: "bea", client: "c1", n: MutationNumber(1),
                operations: [.set("a", ["x": 1]), operation])
            #expect(throws: Inapplicable.self, "\(operation)") { try copy.apply(entry) }
            #expect(copy.portrait == list.portrait)
        }
        for version in [1, 2, 4] {
            var copy = list
            let entry = Entry(
                version: Version(UInt64(version)), at: .zero, by: "bea", client: "c1",
                n: MutationNumber(1), operations: [])
            #expect(throws: Inapplicable.self) { try copy.apply(entry) }
        }
    }
}
