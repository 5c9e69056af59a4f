import ListModel
import Testing

@testable import Terminal

@Suite("The screen: deciding") struct DecidingTests {
    private static func vanish(_ table: Table) throws {
        try table.type("GeX")
        table.bo.delete("p9")
        try table.settle()
        try table.pause()
    }

    @Test func `the row vanishes`() throws {
        try Goldens.check(
            "vanished",
            [
                Situation("under the text", 84, 12) { table in try Self.vanish(table) },
                Situation("on 80 columns", 80, 24) { table in try Self.vanish(table) },
                Situation("with a new field half typed", 84, 12) { table in
                    try table.type("Ge")
                    try table.press(.tab)
                    try table.type("owner=an")
                    table.bo.delete("p9")
                    try table.settle()
                    try table.type("a")
                    try table.pause()
                },
                Situation("with a field that has no value yet", 84, 12) { table in
                    try table.type("Ge")
                    try table.press(.tab)
                    try table.type("own")
                    table.bo.delete("p9")
                    try table.settle()
                    try table.pause()
                },
                Situation("keys on their way are text still", 84, 12) { table in
                    try table.type("GeX")
                    table.bo.delete("p9")
                    try table.settle()
                    try table.type("nr")
                },
                Situation("saved as a new row", 84, 12) { table in
                    try Self.vanish(table)
                    try table.type("n")
                },
                Situation("restored with the text", 84, 12) { table in
                    try Self.vanish(table)
                    try table.type("r")
                },
                Situation("copied", 84, 12) { table in
                    try Self.vanish(table)
                    try table.type("c")
                    #expect(table.ana.takeWishes() == [.copy("Order cableX")])
                },
                Situation("copied with further fields", 84, 12) { table in
                    try table.type("GeX")
                    try table.press(.tab)
                    try table.type("owner=ana")
                    table.bo.delete("p9")
                    try table.settle()
                    try table.pause()
                    try table.type("c")
                    #expect(
                        table.ana.takeWishes() == [.copy("title = Order cableX\nowner = ana")])
                },
                Situation("Esc asks", 84, 12) { table in
                    try Self.vanish(table)
                    try table.press(.escape)
                },
                Situation("Esc twice drops the text", 84, 12) { table in
                    try Self.vanish(table)
                    try table.press(.escape, .escape)
                },
                Situation("Esc, another key, Esc drops nothing", 84, 12) { table in
                    try Self.vanish(table)
                    try table.press(.escape, .text("z"), .escape)
                },
                Situation("with nothing typed", 84, 12) { table in
                    try table.type("Ge")
                    table.bo.delete("p9")
                    try table.settle()
                    try table.pause()
                },
                Situation("bo brings it back", 84, 12) { table in
                    try Self.vanish(table)
                    table.bo.restore("p9")
                    try table.settle()
                },
                Situation("the whole list is deleted", 84, 12) { table in
                    try table.type("GeX")
                    table.bo.dropList()
                    try table.settle()
                    try table.pause()
                },
                Situation("n without the list says why not", 84, 12) { table in
                    try table.type("GeX")
                    table.bo.dropList()
                    try table.settle()
                    try table.pause()
                    try table.type("n")
                },
                Situation("on 40 columns", 40, 10) { table in try Self.vanish(table) },
                Situation("on 20 columns and 5 lines", 20, 5) { table in try Self.vanish(table) },
                Situation("undone by its own user", 84, 12) { table in
                    try Self.vanish(table)
                    try table.type("nu")
                },
                Situation("under the user's own editor", 84, 12) { table in
                    try table.type("GE")
                    table.bo.delete("p9")
                    try table.settle()
                    table.ana.endOutside(.text("title = Order 2 cables"), file: "/files/p9.txt")
                    try table.settle()
                },
                Situation("after a crash it is there again", 84, 12) { table in
                    try Self.vanish(table)
                    table.ana.kill()
                    table.ana.start()
                    try table.settle()
                    try table.pause()
                },
            ])
    }

    private static func conflict(_ mine: String, _ theirs: String, _ table: Table) throws {
        try table.press(.enter, .control("u"))
        try table.type(mine)
        table.bo.set("k7", ["title": .text(theirs)])
        try table.settle()
        try table.press(.enter)
    }

    @Test func `others wrote there too`() throws {
        let ours = ("Page on-call now", "Please Page on-call")
        try Goldens.check(
            "conflict",
            [
                Situation("different words", 64, 14) { table in
                    try Self.conflict(ours.0, ours.1, table)
                },
                Situation("the same words", 64, 14) { table in
                    try Self.conflict("Page bo", "Page cy", table)
                },
                Situation("merged", 64, 14) { table in
                    try Self.conflict(ours.0, ours.1, table)
                    try table.type("m")
                },
                Situation("cannot be merged", 64, 14) { table in
                    try Self.conflict("Page bo", "Page cy", table)
                    try table.type("m")
                },
                Situation("overwritten", 64, 14) { table in
                    try Self.conflict("Page bo", "Page cy", table)
                    try table.type("o")
                },
                Situation("theirs is taken", 64, 14) { table in
                    try Self.conflict("Page bo", "Page cy", table)
                    try table.type("t")
                },
                Situation("edited further", 64, 14) { table in
                    try Self.conflict("Page bo", "Page cy", table)
                    try table.press(.escape)
                },
                Situation("the row vanishes then", 64, 14) { table in
                    try Self.conflict("Page bo", "Page cy", table)
                    table.bo.delete("k7")
                    try table.settle()
                    try table.pause()
                },
                Situation("bo takes it back", 64, 14) { table in
                    try Self.conflict("Page bo", "Page cy", table)
                    table.bo.set("k7", ["title": "Page on-call"])
                    try table.settle()
                },
                Situation("of two fields", 64, 18) { table in
                    table.bo.set("k7", ["cups": 1])
                    try table.settle()
                    try table.press(.enter, .text("!"), .tab, .control("u"), .text("3"))
                    table.bo.set("k7", ["cups": 2, "title": "Page cy"])
                    try table.settle()
                    try table.press(.enter)
                },
                Situation("on 20 columns and 5 lines", 20, 5) { table in
                    try Self.conflict("Page bo", "Page cy", table)
                },
                Situation("of work done offline", 64, 14) { table in
                    try table.loseServer()
                    try table.press(.enter, .control("u"))
                    try table.type("Page bo")
                    try table.press(.enter)
                    table.world.server.start()
                    table.bo.set("k7", ["title": "Page cy"])
                    try table.settle()
                    try table.pause()
                },
            ])
    }
}
