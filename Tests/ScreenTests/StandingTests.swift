import ListModel
import Testing

@testable import Terminal

@Suite("The screen: the server, sizes and texts") struct StandingTests {
    @Test func `how we stand with the server`() throws {
        try Goldens.check(
            "standing",
            [
                Situation("offline", 80) { table in try table.loseServer() },
                Situation("offline, with work", 80) { table in
                    try table.loseServer()
                    try table.type("jd")
                },
                Situation("offline on 40 columns", 40) { table in
                    try table.loseServer()
                    try table.type("j ")
                },
                Situation("back again", 80) { table in
                    try table.loseServer()
                    try table.type("jd")
                    table.world.server.start()
                    try table.settle()
                },
                Situation("started without a server", 80) { table in
                    try table.loseServer()
                    table.ana.kill()
                    table.ana.start()
                    try table.pause(300)
                },
                Situation("started without a server, with a draft", 80) { table in
                    try table.type("je now")
                    try table.loseServer()
                    table.ana.kill()
                    table.ana.start()
                    try table.pause(300)
                },
                Situation("a new row after a crash", 80) { table in
                    try table.type("aCall b")
                    table.ana.kill()
                    table.ana.start()
                    try table.settle()
                    try table.type("ao")
                },
                Situation("no history without a server", 80) { table in
                    try table.loseServer()
                    try table.type("H")
                },
                Situation("this machine's disk is full", 80) { table in
                    table.ana.node.isDiskFull = true
                    for key in [Key.enter, .text("!"), .enter] { table.ana.press(key) }
                    try table.pause(3_000)
                    table.ana.press(.text("j"))
                    try table.pause(100)
                },
                Situation("what a full disk would lose is asked for once more", 80) { table in
                    table.ana.node.isDiskFull = true
                    for key in [Key.enter, .text("!"), .enter] { table.ana.press(key) }
                    try table.pause(3_000)
                    table.ana.press(.text("q"))
                    #expect(table.ana.takeWishes() == [])
                    table.ana.press(.text("q"))
                    #expect(table.ana.takeWishes() == [.quit])
                },
                Situation("the server has lost the list", 80, 12) { table in
                    try table.type("jd")
                    try table.settle()
                    table.world.server.kill()
                    table.world.server.disk.lose(Table.list)
                    table.world.server.start()
                    try table.settle()
                },
                Situation("there is room again", 80) { table in
                    table.ana.node.isDiskFull = true
                    for key in [Key.enter, .text("!"), .enter] { table.ana.press(key) }
                    try table.pause(3_000)
                    table.ana.node.isDiskFull = false
                    try table.pause(10_000)
                },
                Situation("a long title gives way to who is here", 80) { table in
                    let title = "All that has to be done before the new data centre opens in May"
                    table.bo.submit(Operation(.describe(title: title, schema: nil)))
                    try table.settle()
                },
                Situation("the list is deleted", 80) { table in
                    table.bo.dropList()
                    try table.settle()
                    try table.type("d")
                },
                Situation("thrown out by a copy of her own", 80) { table in
                    try table.throwOut()
                    try table.type("H")
                },
                Situation("thrown out, and back", 80) { table in
                    try table.throwOut()
                    try table.type("jdR")
                    try table.settle()
                },
                Situation("another screen of hers keeps work", 100) { table in
                    table.ana.session?.sayKept(
                        elsewhere: "screen-2 keeps 1 unsent change of tools; a second samelist "
                            + "open tools goes on with it")
                },
                Situation("what another of ana's screens does", 80) { table in
                    let other = Seat(table.world, "ana-2", as: "ana")
                    other.start()
                    try table.settle()
                    other.delete("k7")
                    try table.settle()
                },
            ])
    }

    @Test func `every size`() throws {
        let sizes = [(20, 5), (30, 6), (19, 5), (20, 4), (5, 3), (1, 1), (120, 12)]
        try Goldens.check(
            "sizes",
            sizes.map { columns, lines in
                Situation("\(columns) by \(lines)", columns, lines) { table in try table.type("j") }
            } + [
                Situation("a form on 30 by 6", 30, 6) { table in
                    table.bo.set("k7", ["owner": "ana", "cups": 2])
                    try table.settle()
                    try table.press(.enter, .tab, .tab)
                },
                Situation("a question on 20 by 5", 20, 5) { table in
                    try table.type("/a long word of it")
                },
            ])
    }

    @Test func `every text stays in its columns`() throws {
        let texts = [
            "a1=\u{1B}[2J\u{1B}[31mred\u{7}", "a2=turn \u{202E}round\u{2066}", "a3=日本語の買い物リスト",
            "a4=👩‍👩‍👧‍👦 family 👍🏽 🇩🇪 ❤️", "a5=e\u{301}tude Z\u{335}\u{336}\u{337}\u{338}\u{321}algo",

            "a6=שלום עולם", "a7=line\nbreak\ttab", "a8=क्षत्रिय हिन्दी",
            "a9=zero\u{200B}width \u{E000}",
            "b1=" + String(repeating: "long ", count: 40), "b2=한국어 \u{1112}\u{1161}\u{11AB}",
            "b3=" + String(repeating: "宽", count: 40),
        ]
        try Goldens.check(
            "texts",
            [
                Situation("of all kinds", 40, 16, rows: texts) { table in
                    for row in texts {
                        table.bo.set(String(row.prefix(2)), ["x": "\u{1B}c"])
                    }
                    try table.settle()
                    try table.pause(3_000)
                },
                Situation("of all kinds, on 21 columns", 21, 16, rows: texts) { _ in },
                Situation("edited", 30, 6, rows: texts) { table in try table.type("jje!") },
                Situation("deleted", 50, 8, rows: ["a1=\u{1B}[2J\u{202E}x"]) { table in
                    table.bo.delete("a1")
                    try table.settle()
                },
                Situation("kept", 50, 8, rows: ["a1=\u{1B}[2J\u{202E}x"]) { table in
                    try table.type("e日")
                    table.bo.delete("a1")
                    try table.settle()
                    try table.pause()
                },
            ])
    }
}
