import Foundation
import Testing

@Suite("The verbs of samelist") struct VerbTests {
    let samelist: SamelistProgram

    init() throws { samelist = try SamelistProgram() }

    @Test func `a list begins, is seen, and goes`() throws {
        let made = try samelist("new", "food", "--title", "All food")
        #expect(made.output == "Made the list food.   Undo: samelist drop food\n")
        let again = try samelist("new", "food", "--title", "All food")
        #expect(again.output == "The list food was there already.\n")
        #expect(again.status == 0)
        #expect(try samelist("new", "food", "--title", "Other").status == 1)
        let lists = try samelist("lists")
        #expect(lists.output == "food  0 rows                   All food\n")
        let seen = try #require(try samelist("lists", "--json").objects.first)
        #expect(seen["list"] as? String == "food")
        #expect(seen["title"] as? String == "All food")
        let refused = try samelist("drop", "food")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("--force"))
        #expect(try samelist("drop", "food", "-f").status == 0)
        #expect(try samelist("ls", "food").status == 5)
    }

    @Test func `rows are added in every way`() throws {
        try samelist("new", "food")
        let one = try samelist("add", "food", "Fresh", "Milk", "cups=2", "--id", "k7")
        #expect(
            one.output
                == "Added \"Fresh Milk\" to food (version 1): k7   Undo: samelist rm food k7\n")
        #expect(try samelist("add", "food", "title=Tea", "--id", "t", "--first").status == 0)
        #expect(try samelist("add", "food", "x=y", "--id", "b", "--before", "k7").status == 0)
        #expect(try samelist("add", "food", "z", "--id", "z", "--after", "t").status == 0)
        let piped = try samelist("add", "food", "-", "--json", input: "one\n\n two \n")
        #expect((try piped.objects.first?["ids"] as? [String])?.count == 2)
        let quiet = try samelist("add", "food", "-q", "last", "--id", "l")
        #expect(quiet.output == "l\n")
        let rows = try samelist("ls", "food", "--plain").lines
        #expect(rows.count == 7)
        #expect(
            rows.prefix(4) == [
                "t\tfalse\tTea", "z\tfalse\tz", "b\tfalse\t\tx=\"y\"",
                "k7\tfalse\tFresh Milk\tcups=2",
            ])
        #expect(rows[4].hasSuffix("\tone") && rows[5].hasSuffix("\ttwo"))
        #expect(try samelist("add", "food", "again", "--id", "k7").status == 1)
    }

    @Test func `rows are shown as they are asked for`() throws {
        try samelist("new", "food")
        try samelist("add", "food", "--id", "a", "title=Milk", "done=true", "cups=2")
        try samelist("add", "food", "--id", "b", "Jam")
        #expect(try samelist("ls", "food").output == "a [x] Milk   cups=2\nb [ ] Jam\n")
        #expect(try samelist("ls", "food", "jA").output == "b [ ] Jam\n")
        #expect(try samelist("ls", "food", "done=true").lines.count == 1)
        #expect(try samelist("ls", "food", "--sort", "title").lines.first == "b [ ] Jam")
        #expect(
            try samelist("ls", "food", "--sort", "title", "--descending").lines.last
                == "b [ ] Jam")
        let row = try #require(try samelist("ls", "food", "--json").objects.first)
        #expect(row["id"] as? String == "a")
        #expect((row["fields"] as? [String: Any])?["cups"] as? Int == 2)
        let nothing = try samelist("ls", "food", "xyz")
        #expect(nothing.status == 1)
        #expect(nothing.output.isEmpty)
    }

    @Test func `a change says how to take it back, and that does`() throws {
        try samelist("new", "food")
        for id in ["a", "b", "c"] { try samelist("add", "food", "It's \(id)", "--id", id) }
        let before = try samelist("export", "food").output
        for words in [
            ["set", "food", "a", "title=New $x", "n=1"], ["move", "food", "c", "--first"],
            ["rm", "food", "b"], ["add", "food", "more"], ["rm", "food", "a", "c"],
        ] {
            let done = try samelist.run(words)
            #expect(done.status == 0)
            let undo = try #require(done.output.firstMatch(of: /Undo: (.*)\n/)?.1)
            #expect(try samelist("export", "food").output != before)
            #expect(try samelist.shell(String(undo)).status == 0)
            #expect(try samelist("export", "food").output == before, "\(words)")
        }
    }

    @Test func `what is skipped is said, and what is done all the same`() throws {
        try samelist("new", "food")
        for id in ["a", "ab", "c"] { try samelist("add", "food", id, "--id", id) }
        #expect(try samelist("rm", "food", "a").output.contains("Deleted \"a\" (version 4)."))
        let again = try samelist("set", "food", "a", "x=1", "--as", "bo")
        #expect(again.status == 1)
        #expect(again.errors.contains("a was deleted by"))
        #expect(try samelist("rm", "food", "a").output.contains("Nothing to do"))
        let dry = try samelist("rm", "food", "ab", "c", "--dry-run")
        #expect(dry.lines == ["Would delete ab \"ab\"", "Would delete c \"c\""])
        let unknown = try samelist("rm", "food", "nope")
        #expect(unknown.status == 1)
        #expect(try samelist("restore", "food", "a").output.contains("Restored \"a\""))
        try samelist("add", "food", "abc", "--id", "abc")
        let ambiguous = try samelist("rm", "food", "--json", "ab")
        #expect(ambiguous.status == 0)
        let fault = try samelist("rm", "food", "x", "--json").faults.first
        #expect(fault?["code"] as? String == "no_such_element")
        #expect(fault?["exit"] as? Int == 1)
    }

    @Test func `history and status tell`() throws {
        try samelist("new", "food")
        try samelist("add", "food", "Milk", "--id", "a", "--as", "bo")
        try samelist("set", "food", "a", "done=true", "--as", "ana")
        try samelist("add", "food", "Tea", "--id", "b", "--as", "bo")
        #expect(try samelist("history", "food").lines.count == 3)
        #expect(try samelist("history", "food", "--limit", "1").lines.count == 1)
        let changes = try samelist("history", "food", "a", "--json").objects
        #expect(changes.compactMap { $0["by"] as? String } == ["ana", "bo"])
        #expect(changes.compactMap { $0["op"] as? String } == ["set", "add"])
        let status = try samelist("status", "--json", "--as", "ana")
        #expect(try status.objects.first?["reachable"] as? Bool == true)
        server.stop()
        #expect(try samelist("status").status == 3)
    }

    private var server: TestServer { samelist.server }
}
