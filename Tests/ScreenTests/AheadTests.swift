import ListModel
import Testing

@testable import Terminal

@Suite("The screen: editing a row again") struct AheadTests {
    private let row = ElementID("k7")!

    /// Ana saved a title, which is at the server or on its way there, and the server is away.
    private static func sent(_ table: Table) throws {
        for key in [Key.enter, .text("!"), .enter] { table.ana.press(key) }
        let replica = table.ana.session?.replica
        while let n = replica?.lastNumber, replica?.mayBeLogged(n) == false {
            try table.pause(1)
        }
        table.world.server.kill()
        try table.pause(200)
    }

    @Test func `again`() throws {
        try Goldens.check(
            "again",
            [
                Situation("offline, a change that waits is taken back", 80) { table in
                    try table.loseServer()
                    try table.type("e first")
                    try table.press(.enter)
                    try table.type("e")
                },
                Situation("and written on", 80) { table in
                    try table.loseServer()
                    try table.type("e first")
                    try table.press(.enter)
                    try table.type("e second")
                    try table.press(.enter)
                },
                Situation("it may be at the server", 80) { table in
                    try Self.sent(table)
                    try table.type("e")
                },
                Situation("typed meanwhile", 80) { table in
                    try Self.sent(table)
                    try table.type("e d q")
                },
                Situation("Enter meanwhile", 80) { table in
                    try Self.sent(table)
                    try table.type("e d")
                    try table.press(.enter)
                },
                Situation("Esc meanwhile asks", 80) { table in
                    try Self.sent(table)
                    try table.type("e d")
                    try table.press(.escape)
                },
                Situation("the outcome opens the editor", 80) { table in
                    try Self.sent(table)
                    try table.type("e d q")
                    table.world.server.start()
                    try table.settle()
                },
                Situation("E meanwhile", 80) { table in
                    try Self.sent(table)
                    table.ana.type("Eoi d")
                },
                Situation("the row is gone by then", 80) { table in
                    try Self.sent(table)
                    try table.type("e d q")
                    table.world.server.start()
                    table.bo.delete("k7")
                    try table.settle()
                },
            ])
    }

    @Test func `labels`() throws {
        try Goldens.check(
            "labels",
            [
                Situation("a conflict of several fields", 84, 16) { table in
                    try table.press(.enter)
                    try table.type(" mine")
                    try table.press(.tab)
                    try table.type("cups=1")
                    table.bo.set("k7", ["title": "His", "cups": 2])
                    try table.settle()
                    try table.press(.enter)
                },
                Situation("another shell of one's own edits it too", 80) { table in
                    let other = Seat(table.world, "ana-2", as: "ana")
                    other.start()
                    try table.settle()
                    other.edit("k7")
                    table.bo.edit("m2")
                    try table.settle()
                },
                Situation("and so does one's own editor", 80) { table in
                    let other = Seat(table.world, "ana-2", as: "ana")
                    other.start()
                    try table.settle()
                    other.edit("k7")
                    try table.settle()
                    try table.type("e")
                },
                Situation("a row added beside the filter", 80) { table in
                    try table.type("fcable")
                    try table.press(.enter)
                    try table.type("aMilk")
                    try table.press(.enter)
                },
            ])
    }

    @Test func `what is typed meanwhile does nothing to the rows, and is saved`() throws {
        let table = try Table()
        try Self.sent(table)
        try table.type("e second")
        #expect(table.ana.session?.rows[row]?.fields == ["title": "Page on-call!"])
        table.world.server.start()
        try table.settle()
        try table.pause()
        try table.press(.enter)
        #expect(table.bo.session?.rows[row]?.fields == ["title": "Page on-call! second"])
        #expect(table.ana.session?.replica?.note == "")
    }

    @Test func `offline, a title can be mended, and is sent once`() throws {
        let table = try Table()
        try table.loseServer()
        try table.type("e frist")
        try table.press(.enter)
        try table.type("e")
        for _ in 0..<5 { try table.press(.backspace) }
        try table.type("first")
        try table.press(.enter)
        #expect(table.ana.session?.replica?.unresolved.count == 1)
        table.world.server.start()
        try table.settle()
        #expect(table.bo.session?.rows[row]?.fields == ["title": "Page on-call first"])
    }

    @Test func `what is typed meanwhile survives a kill as a row begun`() throws {
        let table = try Table()
        try Self.sent(table)
        try table.type("e second")
        table.ana.kill()
        table.ana.start()
        try table.settle()
        #expect(table.ana.session?.replica?.note == "Page on-call! second")
    }

    @Test func `nothing typed leaves no trace`() throws {
        let table = try Table()
        try Self.sent(table)
        try table.type("ea")
        try table.press(.backspace, .escape)
        #expect(table.ana.session?.replica?.note == "")
        guard case .browsing = table.ana.session?.mode else {
            Issue.record("it asks though nothing was typed")
            return
        }
    }

    @Test func `text for a row that is gone does nothing`() throws {
        let table = try Table()
        table.bo.delete("k7")
        try table.settle()
        table.ana.type("e add d")
        try table.settle()
        #expect(table.ana.session?.rows.count == 2)
        guard case .browsing = table.ana.session?.mode else {
            Issue.record("a key that was text was taken for a command")
            return
        }
        table.ana.press(.escape)
        table.ana.type("q")
        #expect(table.ana.takeWishes() == [.quit], "Esc ends it")
    }

    @Test func `what an exit leaves behind is told`() throws {
        let table = try Table()
        try table.loseServer()
        try table.type("jd")
        try table.press(.up)
        try table.type("e now")
        let kept = "is kept: samelist open incident-42 goes on with it."
        #expect(
            table.ana.session?.leftBehind(files: ["/files/k7.txt"]) == [
                "1 change of incident-42 waits for the server.",
                "your text for \"Page on-call\" \(kept)",
                "a text of yours that was not saved is in /files/k7.txt",
            ])
    }
}
