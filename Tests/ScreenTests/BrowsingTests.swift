import ListModel
import Testing

@testable import Terminal

@Suite("The screen: rows") struct BrowsingTests {
    private static let many = (1...40).map { "r\($0)=Row \($0)" }

    @Test func `what is there`() throws {
        try Goldens.check(
            "rows",
            [
                Situation("three rows", 80, 10) { _ in },
                Situation("no rows", rows: []) { _ in },
                Situation("done and further fields", 80, 8) { table in
                    table.bo.set("k7", ["done": true, "owner": "ana", "cups": 2])
                    table.bo.set("m2", ["note": "a long note that does not fit beside the title"])
                    try table.settle()
                    try table.pause(3_000)
                },
                Situation("a list with a title", 80, 8) { table in
                    table.bo.submit(Operation(.describe(title: "db-1 is down", schema: nil)))
                    try table.settle()
                },
                Situation("somebody edits a row") { table in
                    table.bo.edit("m2")
                    try table.settle()
                },
                Situation("a title of another kind") { table in
                    table.bo.set("m2", ["title": 42])
                    try table.settle()
                    try table.pause(3_000)
                },
                Situation("many rows, in the middle", rows: Self.many) { table in
                    try table.type("jjjjjjjjjjjj")
                },
                Situation("the last row", rows: Self.many) { table in try table.press(.text("G")) },
                Situation("the first again", rows: Self.many) { table in try table.type("Gg") },
                Situation("half a page down", rows: Self.many) { table in
                    try table.press(.control("d"), .control("d"), .control("u"))
                },
                Situation("a page down and up", rows: Self.many) { table in
                    try table.press(.pageDown, .pageDown, .pageUp)
                },
                Situation("arrows, home and end", rows: Self.many) { table in
                    try table.press(.end, .up, .home, .down, .down)
                },
                Situation("a key without a meaning") { table in try table.type("x") },
                Situation("a click selects", rows: Self.many) { table in
                    try table.press(.text("M"), .click(4))
                },
                Situation("the mouse goes on and off") { table in try table.type("MM") },
                Situation("pasted text is no command", rows: Self.many) { table in
                    try table.press(.paste("dddd"))
                },
            ])
    }

    @Test func `what one does`() throws {
        try Goldens.check(
            "deeds",
            [
                Situation("done") { table in try table.type("j ") },
                Situation("open again") { table in try table.type("j  ") },
                Situation("deleted") { table in try table.type("jd") },
                Situation("the last one deleted") { table in try table.type("Gd") },
                Situation("the only one deleted", rows: ["k7=Milk"]) { table in try table.type("d")
                },
                Situation("deleted while bo edits it", 80) { table in
                    table.bo.edit("m2")
                    try table.settle()
                    try table.type("jd")
                },
                Situation("deleted and undone") { table in try table.type("jdu") },
                Situation("undone and done again") { table in try table.type("jduU") },
                Situation("nothing to undo") { table in try table.type("u") },
                Situation("undo of what bo changed since", 80) { table in
                    try table.type(" ")
                    table.bo.set("k7", ["done": "later"])
                    try table.settle()
                    try table.type("u")
                },
                Situation("moved down") { table in try table.type("J") },
                Situation("moved up with Alt", rows: Self.many) { table in
                    try table.press(.text("G"), .altUp, .altUp)
                },
                Situation("the first cannot go up") { table in try table.type("K") },
                Situation("two marked") { table in try table.type("vv") },
                Situation("two marked are done") { table in try table.type("vv ") },
                Situation("two marked are moved", rows: Self.many) { table in
                    try table.type("jvjvJ")
                },
                Situation("two marked to be deleted") { table in try table.type("vvd") },
                Situation("two deleted") { table in try table.type("vvdy") },
                Situation("two not deleted after all") { table in try table.type("vvdd") },
                Situation("unmarked") { table in
                    try table.type("vv")
                    try table.press(.escape)
                },
            ])
    }

    @Test func `searching, filtering and reading`() throws {
        try Goldens.check(
            "looking",
            [
                Situation("what is searched for") { table in try table.type("/ca") },
                Situation("found", rows: Self.many) { table in
                    try table.type("/ROW 3")
                    try table.press(.enter)
                },
                Situation("the next one", rows: Self.many) { table in
                    try table.type("/row 3")
                    try table.press(.enter, .text("n"), .text("n"), .text("N"))
                },
                Situation("found from the top again", rows: Self.many) { table in
                    try table.type("G/row 1")
                    try table.press(.enter)
                },
                Situation("not found") { table in
                    try table.type("/beer")
                    try table.press(.enter)
                },
                Situation("nothing was searched for") { table in try table.type("n") },
                Situation("a filter by text", rows: Self.many) { table in
                    try table.type("frow 3")
                    try table.press(.enter)
                },
                Situation("a filter by field") { table in
                    try table.type("j fdone=true")
                    try table.press(.enter)
                },
                Situation("a filter that nothing fits") { table in
                    try table.type("fbeer")
                    try table.press(.enter)
                },
                Situation("the filter taken away") { table in
                    try table.type("fcable")
                    try table.press(.enter, .escape)
                },
                Situation("one's own change leaves the filter") { table in
                    try table.type("fdone=null")
                    try table.press(.enter)
                    try table.type("j ")
                },
                Situation("the keys", 64, 24) { table in try table.type("?") },
                Situation("the keys, further down") { table in try table.type("?jj") },
                Situation("history of a row", 80) { table in
                    table.bo.set("k7", ["cups": 2])
                    try table.settle()
                    try table.type("H")
                },
            ])
    }
}
