import ListModel
import Testing

@testable import Terminal

@Suite("The screen: editing") struct EditingTests {
    @Test func `writing`() throws {
        try Goldens.check(
            "writing",
            [
                Situation("a title in its row") { table in
                    try table.type("je")
                    try table.type(" now")
                },
                Situation("the cursor in the middle") { table in
                    try table.press(.enter, .home, .right, .text("X"))
                },
                Situation("a title longer than the screen", 30) { table in
                    try table.type("e and a lot more that does not fit")
                },
                Situation("saved") { table in
                    try table.type("je now")
                    try table.press(.enter)
                },
                Situation("saved without a change") { table in try table.press(.enter, .enter) },
                Situation("Esc with nothing typed") { table in try table.press(.enter, .escape) },
                Situation("Esc with text asks") { table in
                    try table.type("ex")
                    try table.press(.escape)
                },
                Situation("Esc twice drops it") { table in
                    try table.type("ex")
                    try table.press(.escape, .escape)
                },
                Situation("all fields", 64, 14) { table in
                    table.bo.set("k7", ["owner": "ana", "cups": 2])
                    try table.settle()
                    try table.press(.enter, .tab, .tab, .text("!"))
                },
                Situation("a new field", 64, 14) { table in
                    try table.press(.enter, .tab, .text("p"), .text("="), .text("1"))
                },
                Situation("fields saved", 64, 14) { table in
                    try table.press(.enter, .tab, .text("p"), .text("="), .text("1"), .enter)
                },
                Situation("a new field that is none", 64, 14) { table in
                    try table.press(.enter, .tab, .text("p"), .enter)
                },
                Situation("a new row") { table in try table.type("aCall bo") },
                Situation("a new row added") { table in
                    try table.type("aCall bo")
                    try table.press(.enter)
                },
                Situation("a new row in an empty list", rows: []) { table in
                    try table.type("aCall bo")
                    try table.press(.enter)
                },
                Situation("a new row with Esc") { table in
                    try table.type("aCall bo")
                    try table.press(.escape)
                },
                Situation("bo edits it too") { table in
                    table.bo.edit("k7")
                    try table.settle()
                    try table.type("e")
                },
                Situation("bo writes while the user's editor is at work", 64, 14) { table in
                    try table.type("E")
                    table.bo.set("k7", ["title": "Page cy"])
                    try table.settle()
                    table.ana.endOutside(.text("title = Page bo"), file: "/files/k7.txt")
                    try table.settle()
                },
                Situation("the editor of the user is at work") { table in try table.type("jE") },
            ] + Self.outside)
    }

    /// What comes back from the user's own editor.
    private static var outside: [Situation] {
        [
            ("fields by the user's editor", .text("title = Page cy\nnote =\n    one\n    two")),
            ("the user's editor changed nothing", .text("title = Page on-call\ncups = 2\n")),
            ("an empty file changes nothing", .text("")),
            ("a file with a line that is none", .text("title = Page cy\ncups 3\n")),
            ("the user's editor fails", .failed("ended with 1", wrote: true)),
            ("the user's editor cannot be run", .failed("cannot be run: nope", wrote: false)),
            ("the user's editor removes the file", .noFile),
            ("the user's editor writes no UTF-8", .notText),
            ("no room for the editor's file", .notBegun("No space left on device")),
        ].map { (name: String, outcome: OutsideEditor.Outcome) in
            Situation(name, 80, 8) { table in
                table.bo.set("k7", ["cups": 2])
                try table.settle()
                try table.pause(3_000)
                try table.type("E")
                table.ana.endOutside(outcome, file: "/files/k7.txt")
                try table.settle()
                #expect(table.bo.session?.replica?.othersEditing(ElementID("k7")!) == [])
            }
        }
    }

    @Test func `a new field is kept with each key, and renamed with its name`() throws {
        let table = try Table()
        try table.press(.enter, .tab)
        try table.type("ow")
        let draft = { table.ana.session?.editor(ElementID("k7")!)?.touched }
        #expect(draft() == [:])
        try table.type("=1")
        #expect(draft() == ["ow": 1])
        try table.press(.left, .left, .text("n"))
        #expect(draft() == ["own": 1])
        table.bo.set("k7", ["cups": 2])
        try table.settle()
        #expect(draft() == ["own": 1])
        try table.press(.control("k"))
        #expect(draft() == [:])
        try table.type("er=ana")
        table.ana.kill()
        table.ana.start()
        try table.settle()
        #expect(draft() == ["owner": "ana"])
    }

    @Test func `a file that could not be read is gone on with, and both files go in the end`()
        throws
    {
        let table = try Table()
        try table.type("E")
        table.ana.endOutside(.text("title = Page cy\ncups 3\n"), file: "one")
        try table.settle()
        _ = table.ana.takeWishes()
        try table.type("E")
        let id = ElementID("k7")!
        #expect(table.ana.takeWishes() == [.edit(id, text: "title = Page cy\ncups 3\n")])
        table.ana.endOutside(.text("title = Page cy\ncups = 3\n"), file: "two")
        try table.settle()
        #expect(table.ana.takeWishes() == [.remove(file: "one"), .remove(file: "two")])
        #expect(table.bo.session?.rows[id]?.fields == ["title": "Page cy", "cups": 3])
    }

    @Test func `the file of a text that met a conflict goes once it is saved`() throws {
        let table = try Table()
        try table.type("E")
        table.bo.set("k7", ["title": "Page cy"])
        try table.settle()
        table.ana.endOutside(.text("title = Page bo"), file: "one")
        try table.settle()
        #expect(table.ana.takeWishes().filter { $0 == .remove(file: "one") } == [])
        try table.type("o")
        #expect(table.ana.takeWishes() == [.remove(file: "one")])
    }

    @Test func `while others work`() throws {
        try Goldens.check(
            "meanwhile",
            [
                Situation("bo's change of another field flows in", 64, 14) { table in
                    try table.press(.enter, .tab)
                    table.bo.set("k7", ["owner": "cy"])
                    try table.settle()
                },
                Situation("bo's change of an untouched title flows in") { table in
                    try table.type("e")
                    table.bo.set("k7", ["title": "Page everybody"])
                    try table.settle()
                },
                Situation("bo's change of a touched title is told") { table in
                    try table.type("e now")
                    table.bo.set("k7", ["title": "Page everybody"])
                    try table.settle()
                    try table.type("!")
                },
                Situation("rows stand still while one types") { table in
                    try table.type("je now")
                    table.bo.add("n1", ["title": "Another"], at: .first)
                    table.bo.delete("k7")
                    table.bo.move("p9", .first)
                    try table.settle()
                },
                Situation("and move when it is done") { table in
                    try table.type("je now")
                    table.bo.add("n1", ["title": "Another"], at: .first)
                    table.bo.delete("k7")
                    try table.settle()
                    try table.press(.enter)
                },
                Situation("what bo changed is marked") { table in
                    table.bo.set("m2", ["title": "Fail over db-2"])
                    try table.settle()
                },
                Situation("for two seconds") { table in
                    table.bo.set("m2", ["title": "Fail over db-2"])
                    try table.settle()
                    try table.pause(2_100)
                },
                Situation("bo inserts above, nothing moves", rows: Self.many) { table in
                    try table.type("jjjjjjjjjj")
                    _ = table.ana.frame(64, 10)
                    for number in 1...5 {
                        table.bo.add("n\(number)", ["title": "New"], at: .first)
                    }
                    try table.settle()
                },
                Situation("bo moves the selected row a little", rows: Self.many) { table in
                    try table.type("jjj")
                    _ = table.ana.frame(64, 10)
                    table.bo.move("r4", .after(ElementID("r5")!))
                    try table.settle()
                },
                Situation("bo moves the selected row far away", rows: Self.many) { table in
                    try table.type("jjj")
                    _ = table.ana.frame(64, 10)
                    table.bo.move("r4", .last)
                    try table.settle()
                },
                Situation("bo deletes the selected row") { table in
                    try table.type("j")
                    table.bo.delete("m2")
                    try table.settle()
                },
                Situation("a key on it is harmless") { table in
                    try table.type("j")
                    table.bo.delete("m2")
                    try table.settle()
                    try table.type("d")
                },
                Situation("and moving on leaves it") { table in
                    try table.type("j")
                    table.bo.delete("m2")
                    try table.settle()
                    try table.type("j")
                },
                Situation("bo deletes the only row", rows: ["k7=Milk"]) { table in
                    table.bo.delete("k7")
                    try table.settle()
                },
                Situation("and any key is harmless", rows: ["k7=Milk"]) { table in
                    table.bo.delete("k7")
                    try table.settle()
                    try table.type("d eE")
                    try table.pause()
                    try table.type("jkKJvvgGHu")
                },
                Situation("bo's change leaves the filter") { table in
                    try table.type("fcable")
                    try table.press(.enter)
                    table.bo.set("p9", ["title": "Order tea"])
                    try table.settle()
                },
                Situation("bo restores it") { table in
                    try table.type("j")
                    table.bo.delete("m2")
                    try table.settle()
                    table.bo.restore("m2")
                    try table.settle()
                },
            ])
    }

    private static let many = (1...40).map { "r\($0)=Row \($0)" }
}
