import Testing

@testable import ListModel

@Suite("Conditions, atomic mutations and time")
struct ConditionTests {
    @Test("CO7: a write on stale fields is skipped, told with who changed them, again and again")
    func fields() {
        var list = makeList("a")
        list.perform(.set("a", ["title": "hers", "done": .bool(true)]), by: "bea")
        let before = list.portrait
        for _ in 0..<2 {
            let resolution = list.perform(
                .set("a", ["title": "mine"]), if: Condition(fields: ["title": "a"]))
            #expect(resolution.told == ["0 a changed_since bea"] && list.portrait == before)
        }
        let met = Condition(fields: ["title": "hers", "note": nil], version: Version(2))
        #expect(list.perform(.set("a", ["title": "mine"]), if: met).isLogged)
        #expect(
            list.perform(.count("a", "n", by: 1), if: Condition(fields: ["note": "x"])).told
                == ["0 a changed_since ann"])
    }

    @Test("the version of the content and the version of the place are looked at apart")
    func versions() {
        var list = makeList("a", "b")
        list.perform(.move(["b"], to: .first), by: "bea")
        #expect(list.perform(.set("b", ["x": 1]), if: Condition(version: Version(1))).isLogged)
        let moved = list.perform(.move(["b"], to: .last), if: Condition(placed: Version(1)))
        // Nobody knows who moved it: an element remembers who changed its content.
        #expect(moved.told == ["0 b changed_since"])
        let stale = list.perform(
            .delete("b", unlessEdited: false), if: Condition(version: Version(1)))
        #expect(stale.told == ["0 b changed_since ann"])
        let both = Condition(version: Version(3), placed: Version(2))
        #expect(list.perform(.delete("b", unlessEdited: false), if: both).isLogged)
    }

    @Test("of elements moved together, those that changed are skipped")
    func moves() {
        var list = makeList("a", "b", "c")
        list.perform(.set("b", ["x": 1]), by: "bea")
        let resolution = list.perform(
            .move(["c", "b"], to: .first), if: Condition(version: Version(1)))
        #expect(resolution.told == ["0 b changed_since bea"] && list.layout == "c a b")
    }

    @Test("what a mutation did itself is no change since; what others did is")
    func itself() {
        var list = makeList("a", "b")
        func operations(_ version: Version) -> [ListModel.Operation] {
            [
                Operation(.set("a", ["x": .int(Int64(list.head.number))])),
                Operation(.move(["a"], to: .last)),
                Operation(.delete("a", unlessEdited: false), if: Condition(version: version)),
            ]
        }
        let stale = list.perform(makeMutation(operations(Version(9))), makeContext())
        #expect(stale.told == ["2 a changed_since ann"] && stale.operations.count == 2)
        #expect(list.perform(makeMutation(operations(Version(2))), makeContext()).told.isEmpty)
        let fresh = list.perform(
            makeMutation([
                Operation(.insert("x", at: .last, [:])),
                Operation(.set("x", ["y": 1]), if: Condition(version: list.head.next)),
            ]), makeContext())
        #expect(fresh.told == ["1 x changed_since ann"])
    }

    @Test("a grave is restored on the condition that it is that deletion")
    func restore() {
        var list = makeList("a", "g", graves: ["g"])
        #expect(
            list.perform(.restore("g"), if: Condition(version: Version(1))).told
                == ["0 g changed_since gus"])
        #expect(
            list.perform(.restore("g"), if: Condition(fields: ["title": "x"])).told
                == ["0 g changed_since gus"])
        #expect(list.perform(.restore("g"), if: Condition(version: Version(2))).isLogged)
        #expect(list.perform(.restore("g"), if: Condition(version: Version(2))).isNoop)
    }

    @Test("what needs a mutation that was never logged is skipped as if nothing were there")
    func needs() {
        var list = makeList("a", "g", graves: ["g"])
        let needs = Condition(needs: MutationNumber(4))
        let intents: [ListModel.Operation.Intent] = [
            .set("a", ["x": 1]), .count("a", "n", by: 1), .move(["a"], to: .last),
            .delete("a", unlessEdited: false), .restore("g"),
        ]
        let mutation = makeMutation(intents.map { Operation($0, if: needs) })
        let before = list.portrait
        let without = list.perform(mutation, makeContext(isLogged: { $0 != MutationNumber(4) }))
        #expect(without.skips.map(\.code) == Array(repeating: .noSuchElement, count: 5))
        #expect(list.portrait == before)
        let with = list.perform(mutation, makeContext(isLogged: { $0 == MutationNumber(4) }))
        #expect(with.told.isEmpty && list.layout == "g [a]")
    }

    @Test("with atomic the first skip refuses the whole and nothing was done")
    func atomic() {
        var list = makeList("a", "b", "g", graves: ["g"])
        let before = list.portrait
        let resolution = list.perform(
            .insert("x", at: .first, [:]), .delete("a", unlessEdited: false),
            .set("g", ["title": "x"]), .set("nobody", [:]), atomic: true)
        #expect(resolution.refusal?.code == .skippedInAtomic && resolution.refusal?.id == "g")
        #expect(resolution.told == ["2 g removed gus"] && !resolution.isLogged)
        #expect(list.portrait == before)
        // Nothing to do is no skip.
        #expect(
            list.perform(.restore("a"), .delete("b", unlessEdited: false), atomic: true).isLogged)
    }

    @Test("time never goes backwards, whatever the clock says")
    func time() {
        var list = makeList("a")
        list.perform(.set("a", ["x": 1]), at: 50)
        list.perform(.set("a", ["x": 2]), at: 20)
        #expect(list["a"]?.at == Timestamp(milliseconds: 50))
        #expect(list.lastAt == Timestamp(milliseconds: 50))
        list.perform(.delete("a", unlessEdited: false), at: 10)
        if case .grave(let grave) = list.standing(of: "a") {
            #expect(grave?.at == Timestamp(milliseconds: 50))
        }
        // What is not logged moves neither the head nor the time.
        list.perform(.delete("a", unlessEdited: false), at: 90)
        #expect(list.head == Version(4) && list.lastAt == Timestamp(milliseconds: 50))
    }
}
