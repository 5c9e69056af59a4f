import Testing

@testable import ListModel

@Suite("Deleting, restoring and forgetting")
struct DeleteTests {
    @Test("a deleted element goes into its grave: last fields, place, who, when, version")
    func delete() throws {
        var list = makeList("a", "b", "c")
        let last = try #require(list["b"])
        let resolution = list.perform(.delete("b", unlessEdited: false), by: "gus", at: 8)
        #expect(resolution.operations == [.delete("b")])
        #expect(list.layout == "a [b] c" && list["b"] == nil && list.index(of: "b") == nil)
        guard case .grave(let grave) = list.standing(of: "b") else {
            Issue.record("b is not in a grave")
            return
        }
        let at = Timestamp(milliseconds: 8)
        #expect(grave == Grave(last: last, by: "gus", at: at, version: Version(2)))
        #expect(list.count == 2 && list.graveCount == 1 && list.orderIndex(of: "b") == 1)
    }

    @Test("VA8: deleting a grave is nothing to do, whatever the conditions")
    func deleteGrave() {
        var list = makeList("a", "g", graves: ["g"])
        let before = list.portrait
        #expect(list.perform(.delete("g", unlessEdited: true)).isNoop)
        let stale = Condition(fields: ["title": "other"], version: Version(9))
        #expect(list.perform(.delete("g", unlessEdited: false), if: stale).isNoop)
        #expect(list.portrait == before)
    }

    @Test("deleting or restoring what never existed is skipped")
    func unknown() {
        var list = makeList("a")
        let resolution = list.perform(.delete("x", unlessEdited: false), .restore("x"))
        #expect(resolution.told == ["0 x no_such_element", "1 x no_such_element"])
        #expect(!resolution.isLogged)
    }

    @Test("delete unless edited is skipped while someone edits, and names them")
    func beingEdited() {
        var list = makeList("a", "b")
        let operations = ["a", "b"].map {
            Operation(.delete($0 as ElementID, unlessEdited: $0 == "b"))
        }
        let context = makeContext(editors: ["a": "eve", "b": "eve"])
        let resolution = list.perform(makeMutation(operations), context)
        #expect(resolution.told == ["1 b being_edited eve"])
        #expect(list.layout == "[a] b")
    }

    @Test("restore brings back the same ID with the same fields at its old place")
    func restore() {
        var list = makeList("a", "g", "b", graves: ["g"])
        let resolution = list.perform(.restore("g"), by: "bea", at: 4)
        #expect(resolution.operations == [.restore("g", ["title": "g"])])
        #expect(list.layout == "a g b" && list["g"]?.by == "bea")
        #expect(list["g"]?.version == Version(3) && list["g"]?.placed == Version(3))
        #expect(list.perform(.restore("g")).isNoop && list.perform(.restore("a")).isNoop)
    }

    @Test("a grave keeps its place between neighbours that move and go")
    func oldPlace() {
        var list = makeList("a", "g", "b", "c", graves: ["g"])
        list.perform(.move(["a"], to: .last))
        list.perform(.delete("b", unlessEdited: false))
        list.perform(.insert("x", at: .first, [:]))
        list.perform(.restore("g"))
        #expect(list.layout == "x g [b] c a")
    }

    @Test("deleted and restored in one mutation, or inserted and deleted, is logged as it was")
    func bothWays() {
        var list = makeList("a", "b")
        let resolution = list.perform(
            .delete("a", unlessEdited: false), .restore("a"), .insert("x", at: .first, [:]),
            .delete("x", unlessEdited: false))
        #expect(resolution.operations.count == 4 && list.layout == "[x] a b")
    }

    @Test("a forgotten grave is gone from the order, and its ID unknown")
    func forget() throws {
        var list = makeList("a", "g", "h", "b", graves: ["g", "h"])
        let resolution = list.perform(.forget(["h", "a", "nobody", "h"]))
        #expect(resolution.operations == [.forget(["h"])] && resolution.told.isEmpty)
        #expect(list.layout == "a [g] b")
        guard case .unknown = list.standing(of: "h") else {
            Issue.record("h is still known")
            return
        }
        #expect(list.perform(.set("h", ["title": "x"])).told == ["0 h no_such_element"])
        #expect(list.perform(.insert("x", at: .after("h"), [:])).told == ["0 x no_such_anchor"])
        #expect(list.perform(.forget(["h", "a"])).isNoop)
        try list.checkInvariants()
    }

    @Test("OR7: a thousand removals and a thousand inserts in one mutation are told in log order")
    func bulkReplace() throws {
        var list = ListState()
        let old = (0..<1_000).map { ElementID("old\($0)")! }
        let new = (0..<1_000).map { ElementID("new\($0)")! }
        list.perform(old.map { .insert($0, at: .last, [:]) })
        var copy = list
        let resolution = list.perform(
            old.map { .delete($0, unlessEdited: false) } + new.map { .insert($0, at: .first, [:]) })
        let expected =
            old.map { ResolvedOperation.delete($0) }
            + new.map { .insert($0, after: .first, [:]) }
        #expect(resolution.operations == expected)
        #expect(list.elements.map(\.id) == new.reversed())
        try copy.apply(makeEntry(resolution, of: list))
        #expect(copy.portrait == list.portrait)
    }
}
