import Testing

@testable import ListModel

@Suite("Inserting")
struct InsertTests {
    @Test("an ID that never existed is inserted, with its fields, by its author, at its time")
    func new() {
        var list = makeList("a")
        let resolution = list.perform(.insert("b", at: .last, ["title": "Milk"]), by: "bea", at: 7)
        #expect(resolution.operations == [.insert("b", after: .after("a"), ["title": "Milk"])])
        #expect(
            list["b"]
                == Element(
                    id: "b", fields: ["title": "Milk"], version: Version(2), placed: Version(2),
                    by: "bea", at: Timestamp(milliseconds: 7)))
        #expect(list.head == Version(2) && list.index(of: "b") == 1)
    }

    @Test(
        "an ID that is alive or in a grave is refused id_taken, and its mutation reverted whole",
        arguments: ["b", "g"] as [ElementID])
    func taken(id: ElementID) {
        var list = makeList("a", "b", "g", "c", graves: ["g"])
        let before = list.portrait
        let resolution = list.perform(
            .insert("x", at: .first, ["title": "x"]), .set("a", ["title": "new", "note": 1]),
            .count("a", "n", by: 2), .move(["c", "a"], to: .after("g")),
            .delete("b", unlessEdited: false), .restore("g"), .insert(id, at: .last, [:]))
        #expect(resolution.refusal?.code == .idTaken && resolution.refusal?.id == id)
        #expect(resolution.operations.isEmpty && list.portrait == before)
    }

    @Test("an ID taken by an earlier operation of the same mutation is taken, dead or alive")
    func takenByItself() {
        var list = makeList("a")
        let before = list.portrait
        let twice = list.perform(.insert("x", at: .first, [:]), .insert("x", at: .last, [:]))
        #expect(twice.refusal?.code == .idTaken && list.portrait == before)
        let again = list.perform(
            .insert("x", at: .first, [:]), .delete("x", unlessEdited: false),
            .insert("x", at: .last, [:]))
        #expect(again.refusal?.code == .idTaken && list.portrait == before)
    }

    @Test("equal texts under different IDs are different elements")
    func equalTexts() {
        var list = makeList()
        list.perform(["a", "b", "c"].map { .insert($0, at: .last, ["title": "Milk"]) })
        list.perform(.delete("b", unlessEdited: false))
        list.perform(.set("c", ["title": "Tea"]))
        #expect(list.contents == [["a", "title=text(\"Milk\")"], ["c", "title=text(\"Tea\")"]])
    }

    @Test("a null field of an insert is not there")
    func nullField() {
        var list = makeList()
        let resolution = list.perform(.insert("a", at: .first, ["title": "A", "note": nil]))
        #expect(resolution.operations == [.insert("a", after: .first, ["title": "A"])])
        #expect(list["a"]?.fields == ["title": "A"])
    }

    @Test(
        "a place is resolved to the front or to what stands on its left, graves included",
        arguments: [
            (.first, .first, "x [g] a [h] b [i]"), (.last, .after("i"), "[g] a [h] b [i] x"),
            (.after("a"), .after("a"), "[g] a x [h] b [i]"),
            (.after("h"), .after("h"), "[g] a [h] x b [i]"),
            (.before("b"), .after("h"), "[g] a [h] x b [i]"),
            (.before("a"), .after("g"), "[g] x a [h] b [i]"),
            (.before("h"), .after("a"), "[g] a x [h] b [i]"),
            (.before("g"), .first, "x [g] a [h] b [i]"),
        ] as [(Place, Anchor, String)])
    func places(place: Place, anchor: Anchor, layout: String) {
        var list = makeList("g", "a", "h", "b", "i", graves: ["g", "h", "i"])
        let resolution = list.perform(.insert("x", at: place, [:]))
        #expect(resolution.operations == [.insert("x", after: anchor, [:])])
        #expect(list.layout == layout)
    }

    @Test("OR11: into an empty list every place but one beside an element is the head")
    func emptyList() {
        var list = makeList()
        #expect(list.perform(.insert("a", at: .last, [:])).operations.count == 1)
        var other = makeList()
        #expect(other.perform(.insert("a", at: .first, [:])).operations.count == 1)
        var third = makeList()
        let resolution = third.perform(.insert("a", at: .after("b"), [:]))
        #expect(resolution.told == ["0 a no_such_anchor"] && third.count == 0)
        #expect(third.head == .zero)
    }

    @Test("a place beside an ID nobody knows is skipped, the rest of the mutation stands")
    func unknownAnchor() {
        var list = makeList("a")
        let resolution = list.perform(
            .insert("x", at: .before("nobody"), [:]), .insert("y", at: .after("x"), [:]),
            .insert("z", at: .after("a"), [:]))
        #expect(resolution.told == ["0 x no_such_anchor", "1 y no_such_anchor"])
        #expect(list.layout == "a z")
    }

    @Test("OR2: two appends at once stand at the end, in log order")
    func appends() {
        var list = makeList("a")
        list.perform(.insert("x", at: .last, [:]), by: "ann")
        list.perform(.insert("y", at: .last, [:]), by: "bea")
        #expect(list.layout == "a x y")
    }

    @Test("OR8: 50 inserts into one gap have one order, and the gaps between them still take more")
    func sameGap() {
        var list = makeList("a", "b")
        for number in 0..<50 {
            list.perform(.insert(ElementID("x\(number)")!, at: .after("a"), [:]))
        }
        #expect(list.element(at: 1)?.id == "x49" && list.element(at: 50)?.id == "x0")
        list.perform(.insert("y", at: .before("x20"), [:]))
        #expect(list.index(of: "y") == list.index(of: "x21").map { $0 + 1 })
        #expect(list.id(before: "x20") == "y" && list.count == 53)
    }
}
