import Testing

@testable import ListModel

@Suite("Setting and counting")
struct WriteTests {
    @Test("the last writer in log order wins, field by field")
    func lastWriter() {
        var list = makeList("a")
        list.perform(.set("a", ["title": "one", "note": "n"]), by: "ann", at: 5)
        list.perform(.set("a", ["title": "two"]), by: "bea", at: 6)
        #expect(list["a"]?.fields == ["title": "two", "note": "n"])
        #expect(list["a"]?.by == "bea" && list["a"]?.version == Version(3))
        #expect(list["a"]?.placed == Version(1) && list["a"]?.at == Timestamp(milliseconds: 6))
    }

    @Test("null removes a field, and only what changes is logged")
    func removes() {
        var list = makeList("a")
        list.perform(.set("a", ["note": "n"]))
        let resolution = list.perform(.set("a", ["title": "a", "note": nil, "other": nil]))
        #expect(resolution.operations == [.set("a", ["note": nil])])
        #expect(list["a"]?.fields == ["title": "a"])
    }

    @Test("a set that changes nothing is nothing to do")
    func noop() {
        var list = makeList("a")
        let before = list.portrait
        #expect(list.perform(.set("a", ["title": "a"])).isNoop)
        #expect(list.perform(.set("a", [:])).isNoop)
        #expect(list.perform(.set("a", ["never": nil])).isNoop)
        #expect(list.portrait == before)
    }

    @Test("CO1, CO6: writing to a grave is skipped, told with its deleter, and resurrects nothing")
    func grave() {
        var list = makeList("a", "g", graves: ["g"])
        let before = list.portrait
        let resolution = list.perform(
            .set("g", ["title": "back"]), .count("g", "n", by: 1), by: "bea", at: 9)
        #expect(resolution.told == ["0 g removed gus", "1 g removed gus"])
        #expect(resolution.operations.isEmpty && list.portrait == before)
    }

    @Test("writing to what never existed is skipped")
    func unknown() {
        var list = makeList("a")
        let resolution = list.perform(.set("x", ["title": "x"]), .count("x", "n", by: 1))
        #expect(resolution.told == ["0 x no_such_element", "1 x no_such_element"])
        #expect(list.count == 1)
    }

    @Test(
        "a count adds, from 0 where the field is not there, across whole and broken numbers",
        arguments: [
            (nil, .int(3), .int(3)), (.int(2), .int(-5), .int(-3)),
            (.int(1), .double(0.5), .double(1.5)), (.double(1.5), .double(0.5), .int(2)),
        ] as [(Value?, Value, Value)])
    func count(before: Value?, by: Value, sum: Value) {
        var list = makeList("a")
        list.perform(.set("a", Fields(["n": before ?? .null])))
        let resolution = list.perform(.count("a", "n", by: by))
        #expect(resolution.operations == [.count("a", "n", by: by, is: sum)])
        #expect(list["a"]?.fields["n"] == sum)
    }

    @Test("what is not a number, or leaves the range of numbers, is skipped and told")
    func uncountable() {
        var list = makeList("a")
        list.perform(.set("a", ["big": .int(.max), "huge": .double(1.7e308)]), by: "bea")
        let resolution = list.perform(
            .count("a", "title", by: 1), .count("a", "n", by: "1"), .count("a", "big", by: 1),
            .count("a", "huge", by: .double(1.7e308)))
        #expect(
            resolution.told == [
                "0 a not_a_number bea", "1 a not_a_number bea", "2 a out_of_range bea",
                "3 a out_of_range bea",
            ])
        #expect(list["a"]?.version == Version(2))
    }

    @Test("counts by two people both count")
    func counts() {
        var list = makeList("a")
        list.perform(.count("a", "n", by: 2), by: "ann")
        list.perform(.count("a", "n", by: 3), by: "bea")
        #expect(list["a"]?.fields["n"] == 5)
        #expect(list.perform(.count("a", "n", by: 0)).isNoop)
    }

    @Test("a skipped operation leaves the rest of its mutation standing")
    func rest() {
        var list = makeList("a", "g", graves: ["g"])
        let resolution = list.perform(.set("g", ["title": "x"]), .set("a", ["title": "y"]))
        #expect(resolution.told == ["0 g removed gus"] && resolution.isLogged)
        #expect(list["a"]?.fields == ["title": "y"])
    }

    @Test("texts that differ in their bytes alone are different texts")
    func normalForms() {
        var list = makeList("a")
        list.perform(.set("a", ["title": "\u{E9}"]))
        #expect(list.perform(.set("a", ["title": "e\u{301}"])).isLogged)
    }
}
