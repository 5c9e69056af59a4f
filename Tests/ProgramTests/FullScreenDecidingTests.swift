import Foundation
import Testing

@Suite("The full screen: rows that vanish or conflict", .enabled(if: hasTmux))
struct FullScreenDecidingTests {
    /// Ana has typed into Jam, and bo has deleted it.
    private func vanished(_ desk: Desk) throws -> Screen {
        let screen = try desk.screen()
        try screen.type("Ge of figs")
        try screen.see("Jam of figs")
        try desk.bo("rm", "food", "p9")
        try screen.see("! bo deleted \"Jam\" at")
        try screen.see("while you were editing it.")
        try screen.see("Your text is kept:  Jam of figs")
        try screen.see("n save as new row  r restore the row with my text  c copy  Esc Esc drop")
        return screen
    }

    @Test func `the text is saved as a new row`() throws {
        let desk = try Desk()
        let screen = try vanished(desk)
        try screen.type("n")
        try screen.see("at the same place (version 3).   u undo")
        try screen.see(selected: "Jam of figs")
        try desk.expect(["Milk", "Tea", "Jam of figs"])
        #expect(try desk.samelist("ls", "food", "--plain").lines.allSatisfy { !$0.hasPrefix("p9") })
    }

    @Test func `the row is restored with the text`() throws {
        let desk = try Desk()
        let screen = try vanished(desk)
        try screen.type("r")
        try screen.see("Restored the row with your text (version 3)")
        #expect(try desk.samelist("ls", "food", "--plain").lines.last == "p9\tfalse\tJam of figs")
    }

    @Test func `the text is copied when asked for`() throws {
        let desk = try Desk()
        let screen = try vanished(desk)
        try screen.letProgramsCopy()
        #expect(try screen.clipboard() == "")
        try screen.type("c")
        try screen.see("Handed to the terminal's clipboard.")
        var copied = ""
        for _ in 0..<200 where copied.isEmpty { copied = try screen.clipboard() }
        #expect(copied == "Jam of figs")
    }

    @Test func `the text is dropped by Esc twice`() throws {
        let desk = try Desk()
        let screen = try vanished(desk)
        try screen.type("", "Escape")
        try screen.see("Esc again drops your text.")
        try screen.type("", "Escape")
        try screen.see("Your text was dropped.")
        try screen.type("jk")
        try screen.see(no: "Jam")
        try desk.expect(["Milk", "Tea"])
    }

    @Test func `keys that were on their way stay text`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("Ge ")
        try desk.bo("rm", "food", "p9")
        try screen.see("! bo deleted")
        try screen.type("no, r")
        try screen.see("Your text is kept:  Jam")
        try screen.see("n save as new row")
        let text = try screen.text()
        // Whatever came too late to be text was heard as a choice, never both.
        if text.contains("Your text is kept:") { try screen.type("n") }
        try screen.see("Saved as new row")
        #expect(try desk.titles().count == 3)
    }

    @Test func `what bo undoes is brought back under the text`() throws {
        let desk = try Desk()
        let screen = try vanished(desk)
        try desk.bo("restore", "food", "p9")
        try screen.see("bo brought the row back; your text goes on in it.")
        try screen.type("", "Enter")
        try screen.see("Enter save")
    }

    @Test func `the whole list is dropped`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("Ge of figs")
        try screen.see("Jam of figs")
        try desk.bo("drop", "food", "--force")
        try screen.see("! bo deleted the whole list at")
        try screen.see("c copy   Esc Esc drop my text")
        try screen.see(no: "n save")
        try screen.type("q")
        try screen.ended(0)
    }

    /// Both have written a title; ana asks to save hers.
    private func conflict(_ desk: Desk, _ mine: String, _ theirs: String) throws -> Screen {
        let screen = try desk.screen()
        try screen.type("e", "C-u")
        try screen.type(mine)
        try screen.see("> [ ] \(mine)")
        try desk.bo("set", "food", "k7", "title=\(theirs)")
        try screen.see("bo changed title meanwhile to \"\(theirs)\". Enter asks.")
        try screen.see("> [ ] \(mine)")
        try screen.type("", "Enter")
        try screen.see("   base    Milk\n   mine    \(mine)\n   theirs  \(theirs)")
        return screen
    }

    @Test func `a conflict is merged`() throws {
        let desk = try Desk()
        let screen = try conflict(desk, "Fresh Milk", "Milk 2 l")
        try screen.see("merged  Fresh Milk 2 l")
        try screen.type("m")
        try desk.expect(["Fresh Milk 2 l", "Tea", "Jam"])
    }

    @Test func `a conflict is overwritten`() throws {
        let desk = try Desk()
        let screen = try conflict(desk, "Oats", "Rice")
        try screen.type("o")
        try screen.see("Saved over what others wrote")
        try desk.expect(["Oats", "Tea", "Jam"])
    }

    @Test func `theirs is taken`() throws {
        let desk = try Desk()
        let screen = try conflict(desk, "Oats", "Rice")
        try screen.see(no: "m merge")
        try screen.type("t")
        try screen.see("Theirs stays; your text was dropped.")
        try desk.expect(["Rice", "Tea", "Jam"])
    }

    @Test func `who deletes what somebody edits is told, and who was told`() throws {
        let desk = try Desk()
        let ana = try desk.screen()
        let bo = try desk.screen("bo")
        try ana.type("e!")
        try bo.see("Milk")
        try bo.see("ana is editing")
        try bo.type("d")
        try bo.see("Deleted \"Milk\" (version 2). ana is editing it and has been told.")
        try ana.see("! bo deleted \"Milk\"")
    }

    @Test func `one's own delete on another screen is told`() throws {
        let desk = try Desk()
        let one = try desk.screen()
        let other = try desk.screen()
        try one.type("e!")
        try other.see("you in another shell")
        try other.type("d")
        try one.see("! ana deleted \"Milk\" at")
    }
}
