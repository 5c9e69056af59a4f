import Testing

@testable import ListModel

@Suite("Moving")
struct MoveTests {
    @Test(
        "elements are moved together, in the order given",
        arguments: [
            (["d", "b"], .first, .first, "d b a [g] c [h]"),
            (["a", "c"], .last, .after("h"), "b [g] d [h] a c"),
            (["d"], .after("a"), .after("a"), "a d b [g] c [h]"),
            (["d"], .after("g"), .after("g"), "a b [g] d c [h]"),
            (["d"], .before("c"), .after("g"), "a b [g] d c [h]"),
            (["d"], .before("g"), .after("b"), "a b d [g] c [h]"),
            (["d", "a"], .before("a"), .first, "d a b [g] c [h]"),
            (["b", "a"], .after("b"), .first, "b a [g] c d [h]"),
            (["d", "c", "b"], .after("c"), .after("g"), "a [g] d c b [h]"),
            (["d", "a"], .before("b"), .first, "d a b [g] c [h]"),
            (["c", "b", "c", "c"], .last, .after("h"), "a [g] d [h] c b"),
        ] as [([ElementID], Place, Anchor, String)])
    func together(ids: [ElementID], place: Place, anchor: Anchor, layout: String) {
        var list = makeList("a", "b", "g", "c", "d", "h", graves: ["g", "h"])
        let resolution = list.perform(.move(ids, to: place))
        var named: [ElementID] = []
        for id in ids where !named.contains(id) { named.append(id) }
        #expect(resolution.operations == [.move(named, after: anchor)] && resolution.told.isEmpty)
        #expect(list.layout == layout)
    }

    @Test("a move gives a new place and leaves the content's version and author alone")
    func placed() {
        var list = makeList("a", "b")
        list.perform(.move(["b"], to: .first), by: "bea", at: 9)
        #expect(list["b"]?.placed == Version(2) && list["b"]?.version == Version(1))
        #expect(list["b"]?.by == "ann" && list["a"]?.placed == Version(1))
    }

    @Test("what is in a grave or never existed is skipped, the others move")
    func others() {
        var list = makeList("a", "b", "g", "c", graves: ["g"])
        let resolution = list.perform(.move(["c", "g", "x", "b"], to: .first))
        #expect(resolution.told == ["0 g removed gus", "0 x no_such_element"])
        #expect(list.layout == "c b a [g]")
    }

    @Test("a place beside an ID nobody knows skips every element that would have moved")
    func unknownAnchor() {
        var list = makeList("a", "b", "g", graves: ["g"])
        let before = list.portrait
        let resolution = list.perform(.move(["b", "g", "a"], to: .after("nobody")))
        #expect(
            resolution.told == ["0 g removed gus", "0 b no_such_anchor", "0 a no_such_anchor"])
        #expect(list.portrait == before)
    }

    @Test(
        "a move that leaves the living order as it is is nothing to do, graves or not",
        arguments: [
            (["a"], .first), (["a", "b"], .first), (["d"], .last), (["b"], .after("a")),
            (["b"], .before("c")), (["c"], .after("g")), (["c"], .after("b")),
            (["c"], .before("g")),
            (["b", "c"], .after("g")), (["a", "b", "c", "d"], .after("c")), (["b"], .before("b")),
            ([], .first), (["d"], .after("h")),
        ] as [([ElementID], Place)])
    func noop(ids: [ElementID], place: Place) {
        var list = makeList("a", "b", "g", "c", "d", "h", graves: ["g", "h"])
        let before = list.portrait
        #expect(list.perform(.move(ids, to: place)).isNoop)
        #expect(list.portrait == before)
    }

    @Test("several moves that together change nothing seen are nothing to do")
    func noops() {
        var list = makeList("a", "g", "b", graves: ["g"])
        let before = list.portrait
        #expect(list.perform(.move(["b"], to: .after("a")), .move(["b"], to: .last)).isNoop)
        #expect(list.portrait == before)
    }

    @Test("OR5: moved 40 times by two people, an element stands once, where the last one put it")
    func copies() throws {
        var list = makeList("a", "b", "c", "d")
        for round in 0..<40 {
            list.perform(.move(["a"], to: round % 2 == 0 ? .last : .after("b")), by: "bea")
            #expect(list.count == 4)
            try list.checkInvariants()
        }
        #expect(list.layout == "b a c d")
    }

    @Test("OR10: 5,000 inserts at the head and 5,000 moves into one gap leave the right order")
    func sameGap() throws {
        var list = makeList("a", "b")
        let ids = (0..<5_000).map { ElementID("x\($0)")! }
        for id in ids { list.perform(.insert(id, at: .first, [:])) }
        #expect(list.elements.map(\.id) == ids.reversed() + ["a", "b"])
        for id in ids { list.perform(.move([id], to: .before("b"))) }
        #expect(list.elements.map(\.id) == ["a"] + ids + ["b"])
        for id in ids { list.perform(.move([id], to: .after("a"))) }
        #expect(list.elements.map(\.id) == ["a"] + ids.reversed() + ["b"])
        try list.checkInvariants()
    }

    @Test("OR11: row 90 of 5,000, moved to the top, lands at the real head, before all graves")
    func head() {
        var list = ListState()
        list.perform((0..<5_000).map { .insert(ElementID("x\($0)")!, at: .last, [:]) })
        list.perform(.delete("x0", unlessEdited: false))
        list.perform(.move(["x90"], to: .first))
        #expect(list.index(of: "x90") == 0 && list.orderIndex(of: "x90") == 0)
        #expect(list.orderIndex(of: "x0") == 1)
    }

    @Test("OR9: an element behind IDs on both sides of Z and a lands last; bytes order nothing")
    func bytes() {
        var list = makeList("Z", "a", "B", "_")
        list.perform(.insert("Y", at: .last, [:]))
        #expect(list.layout == "Z a B _ Y")
        let names: [FieldName] = ["a", "Z", "\u{E9}", "e\u{301}", "_"]
        let fields = Fields(Dictionary(uniqueKeysWithValues: names.map { ($0, Value.int(1)) }))
        #expect(fields.names == ["Z", "_", "a", "e\u{301}", "\u{E9}"])
    }
}
