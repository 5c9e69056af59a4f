import Foundation
import Testing

let hasTmux = access("/usr/bin/tmux", X_OK) == 0

@Suite("The full screen: rows and keys", .enabled(if: hasTmux)) struct FullScreenRowsTests {
    @Test func `rows, who is here, and the keys`() throws {
        let screen = try Desk().screen()
        try screen.see("> [ ] Milk\n  [ ] Tea\n  [ ] Jam\n")
        try screen.see(" food   3 open")
        try screen.see("ana   online  version 1")
        #expect(try screen.state() == "1,0 1", "the terminal's cursor stands on the row")
        try screen.type("?")
        try screen.see("Alt-arrows")
        try screen.type("", "Escape")
        try screen.see(selected: "Milk")
        try screen.type("q")
        try screen.ended(0)
    }

    @Test func `the selection goes up and down`() throws {
        let screen = try Desk((1...50).map { ("r\($0)", "Row \($0).") }).screen()
        try screen.type("jj")
        try screen.see(selected: "Row 3.")
        try screen.type("", "Up")
        try screen.see(selected: "Row 2.")
        try screen.type("G")
        try screen.see(selected: "Row 50.")
        try screen.type("g")
        try screen.see(selected: "Row 1.")
        try screen.type("", "C-d")
        try screen.see(selected: "Row 11.")
        try screen.type("", "C-u", "Down", "PageDown")
        try screen.see(selected: "Row 22.")
    }

    @Test func `a row is done, deleted, restored and deleted again`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("j ")
        try screen.see("> [x] Tea")
        try screen.see("Done: \"Tea\" (version 2).   u undo")
        try screen.type("d")
        try screen.see("Deleted \"Tea\" (version 3).   u undo")
        try desk.expect(["Milk", "Jam"])
        try screen.type("u")
        try screen.see("Restored \"Tea\" (version 4).   U redo")
        try desk.expect(["Milk", "Tea", "Jam"])
        try screen.type("U")
        try screen.see("Deleted \"Tea\" again (version 5)")
        try desk.expect(["Milk", "Jam"])
    }

    @Test func `a row is added below the selected one`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("aBread and käse", "Enter")
        try screen.see(selected: "Bread and käse")
        try desk.expect(["Milk", "Bread and käse", "Tea", "Jam"])
    }

    @Test func `the first row of an empty list`() throws {
        let desk = try Desk([])
        let screen = try desk.screen()
        try screen.see("No rows. a adds one.")
        try screen.type("aMilk", "Enter")
        try screen.see("> [ ] Milk")
        try desk.expect(["Milk"])
    }

    @Test func `a title is edited in its row`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("je", "Home")
        try screen.type("Green ", "End", "BSpace", "BSpace")
        try screen.type("ea", "Enter")
        try screen.see("Saved \"Green Tea\" (version 2)")
        try desk.expect(["Milk", "Green Tea", "Jam"])
    }

    @Test func `all fields are edited in a form`() throws {
        let desk = try Desk()
        try desk.bo("set", "food", "k7", "cups=2")
        let screen = try desk.screen()
        try screen.see("Milk  cups=2")
        try screen.type("", "Enter", "Tab")
        try screen.see("> cups       2")
        try screen.type("", "BSpace")
        try screen.type("3", "Tab")
        try screen.type("owner=ana", "Enter")
        try screen.see("Milk  cups=3 owner=\"ana\"")
    }

    @Test func `rows are moved`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("J")
        try screen.see("  [ ] Tea\n> [ ] Milk\n")
        try screen.type("", "M-Down")
        try desk.expect(["Tea", "Jam", "Milk"])
        try screen.type("K", "M-Up")
        try desk.expect(["Milk", "Tea", "Jam"])
        try screen.see("> [ ] Milk\n")
    }

    @Test func `several rows are deleted by another key than the one that asked`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("vvd")
        try screen.see("Delete 2 rows? y deletes, other keys do not")
        try screen.type("d")
        try screen.see("Nothing was deleted.")
        try screen.type("dy")
        try screen.see("Deleted 2 rows (version 2).   u undo")
        try desk.expect(["Jam"])
    }

    @Test func `rows are searched for`() throws {
        let screen = try Desk((1...50).map { ("r\($0)", "Row \($0).") }).screen()
        try screen.type("/ROW 4", "Enter")
        try screen.see(selected: "Row 4.")
        try screen.type("n")
        try screen.see(selected: "Row 40.")
        try screen.type("nNN")
        try screen.see(selected: "Row 4.")
    }

    @Test func `rows are filtered`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("fea", "Enter")
        try screen.see("filter ea: 1 of 3")
        try screen.see(no: "Milk")
        try desk.bo("add", "food", "Peas")
        try screen.see("filter ea: 2 of 4")
        try screen.type("", "Escape")
        try screen.see("Milk")
    }

    @Test func `the history of a row`() throws {
        let desk = try Desk()
        try desk.bo("set", "food", "k7", "cups=2")
        let screen = try desk.screen()
        try screen.see("cups=2")
        try screen.type("H")
        try screen.see("History of \"Milk\", k7")
        try screen.see("bo set k7 cups=2")
    }

    @Test func `pasted text is typed, and is no command`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.paste("dd\nq")
        try screen.see("Pasted text goes into a row")
        try screen.type("a")
        try screen.see("Enter add")
        try screen.paste("two\nlines")
        try screen.see("two lines")
        try screen.type("", "Enter")
        try desk.expect(["Milk", "two lines", "Tea", "Jam"])
    }

    @Test func `x does nothing, and the mouse selects only when asked to`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("x")
        try screen.see("x has no meaning here")
        try screen.type("M")
        try screen.see("The mouse is on; M turns it off.")
        // A press of the first button in column 9, line 3, as X10 terminals tell it.
        try screen.type("\u{1B}[M )#")
        try screen.see(selected: "Tea")
        try desk.expect(["Milk", "Tea", "Jam"])
    }
}
