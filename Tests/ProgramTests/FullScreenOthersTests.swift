import Foundation
import Testing

@Suite("The full screen: while others work", .enabled(if: hasTmux)) struct FullScreenOthersTests {
    @Test func `what is typed and where stays as it is`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("je, green", "Left", "Left")
        try screen.see("> [ ] Tea, green")
        let before = try screen.state()
        try desk.bo("add", "food", "Bread", "--first")
        try desk.bo("rm", "food", "k7")
        try screen.see("[-] Milk")
        try screen.see("deleted by bo")
        #expect(try screen.state() == before)
        try screen.type("X", "Enter")
        try screen.see("Saved \"Tea, greXen\"")
        try desk.expect(["Bread", "Tea, greXen", "Jam"])
        try screen.see("  [ ] Bread\n> [ ] Tea, greXen\n")
    }

    @Test func `rows inserted above move nothing`() throws {
        let desk = try Desk((1...50).map { ("r\($0)", "Row \($0).") })
        let screen = try desk.screen()
        try screen.type("G", "C-u")
        try screen.see(selected: "Row 40.")
        let before = try screen.text().split(separator: "\n")[1...21]
        try desk.bo("add", "food", "New", "--first")
        try screen.see("bo added \"New\"")
        #expect(try screen.text().split(separator: "\n")[1...21] == before)
    }

    @Test func `what others changed is marked for two seconds`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try desk.bo("set", "food", "m2", "title=Coffee")
        try screen.see(" ~[ ] Coffee")
        try screen.see("\n  [ ] Coffee")
    }

    @Test func `the only row is deleted under the cursor, and any key is harmless`() throws {
        let desk = try Desk([("k7", "Milk")])
        let screen = try desk.screen()
        try desk.bo("rm", "food", "k7")
        try screen.see("[-] Milk")
        try screen.type("d eEJKvjkgGuU", "Up", "Down", "PageUp", "Tab", "Enter")
        try screen.see("Nothing was done.")
        // Until then what follows an Enter is taken for text.
        try screen.type("", "Escape")
        try screen.see(no: "Nothing was done.")
        try screen.type("q")
        try screen.ended(0)
    }

    @Test func `a key on a row that was just deleted is not for its neighbour`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try desk.bo("rm", "food", "k7")
        try screen.see("[-] Milk")
        try screen.type("d")
        try screen.see("bo deleted \"Milk\" at")
        try screen.type("jd")
        try screen.see("Deleted \"Tea\"")
        try desk.expect(["Jam"])
    }

    @Test func `three people see who is here and who edits what`() throws {
        let desk = try Desk()
        let ana = try desk.screen()
        let bo = try desk.screen("bo")
        let cy = try desk.screen("cy")
        try ana.see("ana, bo, cy   online")
        try bo.type("je")
        try cy.type("je")
        try ana.see("bo, cy are editing")
        try bo.see("cy edits this row too.")
        try bo.type("", "Escape")
        try bo.type("q")
        try bo.ended(0)
        try ana.see("cy is editing")
        try ana.see("ana, cy   online")
    }

    @Test func `hostile text stays in its row`() throws {
        let texts = [
            ("a1", "\u{1B}[2J\u{1B}[31mred\u{7}"), ("a2", "\u{202E}turned\u{2066}"),
            ("a3", "日本語の買い物"), ("a4", "👩‍👩‍👧‍👦 👍🏽 🇩🇪 🫠 🫩"),
            ("a5", "Z\u{335}\u{336}\u{337}\u{338}algo"),
            ("a6", "שלום"), ("a7", "line\nbreak\ttab"), ("a8", "क्षत्रिय"),
            ("a9", String(repeating: "宽", count: 90)),
        ]
        let desk = try Desk(texts)
        for (id, _) in texts { try desk.bo("set", "food", id, "x=|") }
        let screen = try desk.screen()
        try screen.see("> [ ] \u{FFFD}[2J\u{FFFD}[31mred\u{FFFD}  x=\"|\"")
        try screen.see("  [ ] \u{FFFD}turned\u{FFFD}  x=\"|\"")
        try screen.see("  [ ] line\u{FFFD}break\u{FFFD}tab  x=\"|\"")
        try screen.see("…  x=\"|\"")
        #expect(try screen.text().components(separatedBy: "x=\"|\"").count == 10)
        try screen.type("GeX", "Enter")
        try screen.see("Saved")
    }
}
