import Testing

@testable import ListModel

@Suite("Undo by inverse")
struct InverseTests {
    /// Performs, then performs the inverse; answers the list in between and after.
    private func undone(
        _ intents: [ListModel.Operation.Intent], on list: inout ListState,
        meanwhile: (inout ListState) -> Void = { _ in }
    ) -> Resolution {
        let resolution = list.perform(intents)
        let inverse = list.inverse(of: resolution, at: list.head)
        meanwhile(&list)
        return list.perform(makeMutation(inverse), makeContext())
    }

    @Test(
        "the undo of every kind brings back the order and the fields",
        arguments: [
            [.insert("x", at: .first, ["title": "x"])], [.set("a", ["title": "new", "note": 1])],
            [.set("b", ["title": nil])], [.count("b", "n", by: 3)],
            [.count("b", "n", by: .double(0.5))], [.move(["b"], to: .first)],
            [.move(["d", "a", "b"], to: .after("c"))], [.move(["a", "c", "d"], to: .last)],
            [.delete("b", unlessEdited: false)], [.restore("g")],
            [.insert("x", at: .first, [:]), .set("x", ["title": "x"]), .move(["x"], to: .last)],
            [.restore("g"), .set("g", ["title": "back"]), .delete("a", unlessEdited: false)],
            [.move(["a"], to: .last), .move(["a"], to: .after("b")), .move(["b"], to: .last)],
            [.set("a", ["title": "1"]), .set("a", ["title": "2"]), .count("b", "n", by: 1)],
            [.delete("a", unlessEdited: false), .restore("a"), .delete("a", unlessEdited: false)],
        ] as [[ListModel.Operation.Intent]])
    func everyKind(intents: [ListModel.Operation.Intent]) {
        var list = makeList("a", "g", "b", "c", "d", graves: ["g"])
        list.perform(.set("b", ["n": 2]))
        let before = list.contents
        let resolution = undone(intents, on: &list)
        #expect(resolution.told.isEmpty && resolution.refusal == nil)
        #expect(list.contents == before)
    }

    @Test("the inverse that applying an entry answers is that of performing it")
    func applied() throws {
        var list = makeList("a", "b", "g", graves: ["g"])
        var copy = list
        let resolution = list.perform(
            .insert("x", at: .first, [:]), .move(["b", "a"], to: .first), .restore("g"),
            .count("a", "n", by: 1), .describe(title: "new", schema: nil))
        let inverse = try copy.apply(makeEntry(resolution, of: list), wantInverse: true)
        #expect(inverse == list.inverse(of: resolution, at: list.head))
        #expect(try copy.apply(emptyEntry(after: copy)).isEmpty)
    }

    @Test("CO5: undo leaves alone what somebody else changed since, and says so")
    func conditional() {
        let cases: [(ListModel.Operation.Intent, ListModel.Operation.Intent)] = [
            (.set("a", ["title": "mine"]), .set("a", ["title": "hers"])),
            (.move(["a"], to: .last), .move(["a"], to: .after("b"))),
            (.insert("x", at: .first, [:]), .set("x", ["title": "hers"])),
            (.insert("x", at: .first, [:]), .move(["x"], to: .last)),
            (.restore("g"), .set("g", ["title": "hers"])),
        ]
        for (mine, hers) in cases {
            var list = makeList("a", "b", "g", "c", graves: ["g"])
            var seen: [[String]] = []
            let resolution = undone([mine], on: &list) {
                $0.perform(hers, by: "bea")
                seen = $0.contents
            }
            #expect(resolution.skips.map(\.code) == [.changedSince], "\(mine)")
            #expect(list.contents == seen)
        }
    }

    @Test("CO5: the undo of a deletion does not undo a later one by somebody else")
    func laterDeletion() {
        var list = makeList("a", "b")
        let resolution = undone([.delete("a", unlessEdited: false)], on: &list) {
            $0.perform(.restore("a"), by: "bea")
            $0.perform(.delete("a", unlessEdited: false), by: "bea")
        }
        #expect(resolution.told == ["0 a changed_since bea"] && list.layout == "[a] b")
    }

    @Test("what others did elsewhere stays, and counts by others still count")
    func elsewhere() {
        var list = makeList("a", "b", "c")
        list.perform(.set("a", ["n": 1]))
        let resolution = undone([.count("a", "n", by: 2), .set("a", ["title": "mine"])], on: &list)
        {
            $0.perform(.count("a", "n", by: 10), .set("a", ["note": "hers"]), by: "bea")
        }
        #expect(resolution.told.isEmpty)
        #expect(list["a"]?.fields == ["n": 11, "note": "hers", "title": "a"])
    }

    @Test("the undo of a move of several is right where a grave stands between")
    func pastGraves() {
        var list = makeList("g", "c", "d", "a", graves: ["g"])
        let resolution = undone([.move(["a", "c", "d"], to: .first)], on: &list)
        #expect(resolution.told.isEmpty && list.layout == "[g] c d a")
    }

    @Test("two undos in a row bring a deleted element back to its old place")
    func twoUndos() {
        var list = makeList("x", "a", "b", "c")
        let deletion = list.perform(.delete("x", unlessEdited: false))
        let undoDeletion = list.inverse(of: deletion, at: list.head)
        _ = undone([.move(["a", "c"], to: .first)], on: &list)
        _ = list.perform(makeMutation(undoDeletion), makeContext())
        #expect(list.layout == "x a b c")
    }

    @Test("the undo of a new title leaves the schema alone")
    func title() {
        var list = makeList("a")
        _ = undone([.describe(title: "new", schema: nil)], on: &list) {
            $0.perform(.describe(title: nil, schema: Schema(["n": .number])), by: "bea")
        }
        #expect(list.title == "" && list.schema == Schema(["n": .number]))
        _ = undone([.describe(title: nil, schema: Schema())], on: &list)
        #expect(list.schema == Schema(["n": .number]))
    }

    @Test("a random mutation undone, redone and undone gives the list back", arguments: seeds(8))
    func random(seed: UInt64) throws {
        var source = RandomMutations(seed: seed)
        source.isReversible = true
        var list = ListState()
        for step in 0..<200 {
            let before = list.contents
            var last = list.perform(makeMutation(source.operations(list)), makeContext())
            let after = list.contents
            guard last.isLogged, step % 3 > 0 else { continue }
            for expected in [before, after, before] {
                let inverse = list.inverse(of: last, at: list.head)
                last = list.perform(makeMutation(inverse), makeContext())
                try #require(last.told.isEmpty, "\(replay(seed, step: step))")
                try #require(list.contents == expected, "\(replay(seed, step: step))")
            }
        }
    }

    @Test(
        "random mutations undone newest first give the list back, graves and all",
        arguments: seeds(8))
    func stack(seed: UInt64) throws {
        var source = RandomMutations(seed: seed)
        source.isReversible = true
        var list = ListState()
        for step in 0..<60 {
            var done: [(before: [[String]], inverse: [ListModel.Operation])] = []
            for _ in 0..<5 {
                let before = list.contents
                let resolution = list.perform(makeMutation(source.operations(list)), makeContext())
                // Without versions: those that the undos make are the undo stack's affair.
                done.append((before, list.inverse(of: resolution, at: nil)))
            }
            for (before, inverse) in done.reversed() where step % 3 > 0 {
                let undo = list.perform(makeMutation(inverse), makeContext())
                try #require(undo.told.isEmpty, "\(replay(seed, step: step))")
                try #require(list.contents == before, "\(replay(seed, step: step))")
            }
        }
    }

    private func emptyEntry(after list: ListState) -> Entry {
        Entry(
            version: list.head.next, at: list.lastAt, by: "ann", client: "c1",
            n: MutationNumber(2), operations: [])
    }
}
