import Foundation
import Testing

@Suite("samelist undo and redo") struct UndoTests {
    let samelist: SamelistProgram

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
    }

    private func rows() throws -> String { try samelist("export", "food").output }

    @Test func `every change is taken back in turn, and done again`() throws {
        var states = [try rows()]
        for words in [
            ["add", "food", "Milk", "--id", "k7"], ["add", "food", "-"],
            ["set", "food", "k7", "title=Oat", "cups=2"], ["move", "food", "k7", "--last"],
            ["rm", "food", "k7"], ["restore", "food", "k7"],
            ["edit", "food", "k7", "--from", "-"],
        ] {
            #expect(try samelist.run(words, input: "a\nb\n").status == 0, "\(words)")
            states.append(try rows())
        }
        for state in states.dropLast().reversed() {
            let undone = try samelist("undo", "food")
            #expect(undone.output.hasPrefix("Taken back: "))
            #expect(try rows() == state)
        }
        let nothing = try samelist("undo", "food", "--json")
        #expect(nothing.status == 1)
        #expect(try nothing.faults.first?["code"] as? String == "nothing_to_undo")
        for state in states.dropFirst() {
            let redone = try samelist("redo", "food")
            #expect(redone.output.hasPrefix("Done again: "))
            #expect(try rows() == state)
        }
        #expect(try samelist("redo", "food").errors.contains("nothing that samelist can redo"))
    }

    @Test func `what somebody else changed since stays, and is said`() throws {
        try samelist("add", "food", "Milk", "--id", "k7")
        try samelist("set", "food", "k7", "title=Oat")
        try samelist("set", "food", "k7", "title=Soy", "--as", "bo")
        let skipped = try samelist("undo", "food")
        #expect(skipped.status == 5)
        #expect(skipped.errors.contains("bo"))
        #expect(try samelist("ls", "food").output == "k7 [ ] Soy\n")
        // The one before it: bo's row now, which an undo must not delete.
        #expect(try samelist("undo", "food").status == 5)
        #expect(try samelist("ls", "food").output == "k7 [ ] Soy\n")
        #expect(try samelist("undo", "food", "--as", "bo").status == 0)
        #expect(try samelist("ls", "food").output == "k7 [ ] Oat\n")
    }

    @Test func `each user, list and server has its own`() throws {
        try samelist("add", "food", "Milk", "--id", "k7")
        try samelist("new", "fun")
        #expect(try samelist("undo", "fun").status == 1)
        #expect(try samelist("undo", "food", "--as", "bo").status == 1)
        #expect(try samelist("undo", "food").status == 0)
        #expect(try samelist("undo", "nope").status == 1)
    }

    @Test func `a new change ends what could be done again`() throws {
        try samelist("add", "food", "Milk", "--id", "k7")
        try samelist("undo", "food")
        try samelist("add", "food", "Tea", "--id", "t")
        #expect(try samelist("redo", "food").status == 1)
        #expect(try samelist("undo", "food").output.contains("deleted \"Tea\""))
        #expect(try samelist("undo", "food").status == 1)
    }

    @Test func `of many rows all are taken back at once, or none`() throws {
        let many = (1...900).map { "row \($0)\n" }.joined()
        let added = try samelist("add", "food", "-", input: many)
        #expect(added.output.hasSuffix("Undo: samelist undo food\n"))
        #expect(try samelist("undo", "food").output.contains("deleted 900 rows"))
        #expect(try samelist("export", "food").output.isEmpty)
        try samelist("add", "food", "Milk", "--id", "k7")
        let more = (1...3_000).map { "row \($0)\n" }.joined()
        #expect(!(try samelist("add", "food", "-", input: more)).output.contains("Undo"))
        #expect(try samelist("undo", "food").status == 1)
        #expect(try samelist("export", "food").lines.count == 3_001)
    }

    @Test func `many at once each take back one change`() throws {
        try samelist("add", "food", "-", input: "")
        for number in 1...6 { try samelist("add", "food", "x", "--id", "r\(number)") }
        let all = try samelist.shell(
            "for i in 1 2 3 4 5 6; do samelist undo food >/dev/null || echo failed & done; wait")
        #expect(all.output == "")
        #expect(try samelist("export", "food").output.isEmpty)
    }

    @Test func `a list made anew has nothing of the old one`() throws {
        try samelist("add", "food", "Milk", "--id", "k7")
        try samelist("drop", "food", "-f")
        try samelist("new", "food")
        try samelist("add", "food", "Milk", "--id", "k7", "--as", "bo")
        #expect(try samelist("undo", "food").status == 1)
        #expect(try samelist("ls", "food").output == "k7 [ ] Milk\n")
    }
}
