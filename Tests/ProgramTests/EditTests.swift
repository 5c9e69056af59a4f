import Foundation
import Testing

@Suite("samelist edit") struct EditTests {
    let samelist: SamelistProgram

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
        try samelist("add", "food", "Order cable", "cups=2", "--id", "p9")
        try samelist("add", "food", "Tea", "--id", "t")
    }

    private func edit(_ flags: String..., input: String) throws -> SamelistProgram.Result {
        try samelist.run(["edit", "food"] + flags, input: input)
    }

    @Test func `a text from standard input or a file becomes a field`() throws {
        let done = try edit("p9", "--from", "-", input: "Order 2\n")
        #expect(done.output == "Changed \"Order cable\" (version 3).   Undo: samelist undo food\n")
        try Data("a\nb\n\n".utf8).write(to: samelist.place.path("note.txt"))
        #expect(try edit("p", "--field", "note", "--from", "note.txt", input: "").status == 0)
        #expect(
            try samelist("ls", "food", "--plain").lines.first
                == "p9\tfalse\tOrder 2\tcups=2\tnote=\"a\\nb\\n\"")
        let same = try edit("p9", "--from", "-", input: "Order 2")
        #expect(same.output.contains("Nothing to do"))
        #expect(try edit("p9", "--from", "missing", input: "").errors.contains("missing"))
        #expect(try edit("nope", "--from", "-", input: "x").status == 1)
    }

    @Test(arguments: ["", "\n", " \n"]) func `an empty text is refused`(text: String) throws {
        let refused = try edit("p9", "--from", "-", input: text)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("standard input is empty; nothing was written"))
        #expect(try samelist("ls", "food").output.hasPrefix("p9 [ ] Order cable"))
        #expect(try samelist("set", "food", "p9", "title=").status == 0)
    }

    @Test func `lines that are no UTF-8 are not added, and the first of them is named`() throws {
        let refused = try samelist.shell("printf 'a\\nb \\377\\n' | samelist add food -; echo $?")
        #expect(refused.output.contains("line 2 of standard input is no text in UTF-8"))
        #expect(refused.lines.last == "1")
        #expect(try samelist("ls", "food").lines.count == 2)
    }

    @Test func `5 where the row was deleted: by whom, when, and nothing was written`() throws {
        try samelist("rm", "food", "p9", "--as", "bo")
        let gone = try edit("p9", "--from", "-", input: "Order 3\n")
        #expect(gone.status == 5)
        let sentence = #/samelist: row p9 "Order cable" was deleted by bo at \d\d:\d\d:\d\d; /#
        #expect(gone.errors.starts(with: sentence))
        #expect(
            gone.errors.hasSuffix(
                "nothing was written. Use --or-add to add it as a new row.\n"))
        #expect(try samelist("ls", "food").output == "t [ ] Tea\n")
        let fault = try edit("p9", "--from", "-", "--json", input: "x").faults.first
        #expect(fault?["code"] as? String == "removed")
        #expect(fault?["id"] as? String == "p9")
        #expect(fault?["exit"] as? Int == 5)
        let added = try edit("p9", "--from", "-", "--or-add", input: "Order 3\n")
        #expect(added.status == 0)
        let rows = try samelist("ls", "food", "--plain").lines
        #expect(rows.first?.hasSuffix("\tfalse\tOrder 3\tcups=2") == true)
        #expect(rows.count == 2)
    }

    @Test func `5 where it is of another version by now`() throws {
        let changed = try edit("p9", "--from", "-", "--if-version", "7", input: "x")
        #expect(changed.status == 5)
        #expect(try edit("p9", "--from", "-", "--if-version", "1", input: "x").status == 0)
        #expect(try edit("p9", "--from", "-", "--if-version", "-", input: "x").status == 2)
    }

    @Test func `without a terminal it needs a text`() throws {
        #expect(try edit("p9", input: "").status == 2)
        let wrong = try samelist.shell("printf '\\377' | samelist edit food p9 --from -")
        #expect(wrong.status == 1)
        #expect(wrong.output.contains("UTF-8"))
    }

    private func write(editor text: String) throws -> String {
        let script = samelist.place.path("editor")
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: script)
        chmod(script.path, 0o700)
        return script.path
    }

    @Test func `in the user's editor, and others see that`() throws {
        let editor = try write(
            editor: "samelist who food --as bo >&2; echo Changed > \"$1\"")
        let screen = try Screen(samelist, variables: ["EDITOR": editor])
        try screen.type("clear; samelist edit food p9 --as ana; echo ended $?", "Enter")
        try screen.see("ended 0")
        let text = try screen.text()
        #expect(text.contains("ana  editing p9"))
        #expect(try samelist("ls", "food").output.contains("p9 [ ] Changed"))
        #expect(try samelist("who", "food").output.isEmpty)
        let left = try samelist.shell("ls state/samelist/edit")
        #expect(left.output == "")
    }

    @Test func `all fields in the user's editor`() throws {
        let editor = try write(editor: "sed -i 's/^cups = 2/cups = 3/; /^title/d' \"$1\"")
        let screen = try Screen(samelist, variables: ["EDITOR": editor])
        try screen.type("clear; samelist edit food p9 --all; echo ended $?", "Enter")
        try screen.see("ended 0")
        #expect(try samelist("ls", "food", "--plain").lines.contains("p9\tfalse\t\tcups=3"))
        #expect(try edit("p9", "--all", "--from", "-", input: "x").status == 2)
        #expect(try edit("p9", "--all", "--field", "x", input: "").status == 2)
    }

    @Test(arguments: [
        ("rm \"$1\"", "left no file"), ("exit 3", "ended with 3; nothing was written"),
        ("printf 'a = \\377' > \"$1\"", "is no UTF-8. It is kept in"),
        ("echo nope > \"$1\"", "line 1 of the text is no NAME = VALUE"),
        ("kill -9 $$", "was ended by signal 9"),
    ]) func `an editor that fails writes nothing`(script: String, said: String) throws {
        let editor = try write(editor: script)
        let screen = try Screen(samelist, variables: ["EDITOR": editor], columns: 200)
        try screen.type("clear; samelist edit food p9 --all; echo ended $?", "Enter")
        try screen.see("ended 1")
        #expect(try screen.text().contains(said))
        #expect(try samelist("ls", "food").output.contains("p9 [ ] Order cable   cups=2"))
    }

    @Test(arguments: ["rm food p9", "set food p9 title=Other"])
    func `what was typed stays in a file where it was not saved`(words: String) throws {
        let editor = try write(
            editor: "samelist \(words) --as bo >/dev/null; echo mine > \"$1\"")
        let screen = try Screen(samelist, variables: ["EDITOR": editor], columns: 200)
        try screen.type("clear; samelist edit food p9 --as ana; echo ended $?", "Enter")
        try screen.see("ended 5")
        let text = try screen.text()
        #expect(text.contains("by bo"))
        #expect(text.contains("Your text is kept in"))
        #expect(try samelist.shell("cat state/samelist/edit/*").output == "mine\n")
    }

    private func editAsServerGoes(_ script: String, ending status: Int) throws -> String {
        let editor = try write(editor: "\(script)\necho mine > \"$1\"")
        let screen = try Screen(samelist, variables: ["EDITOR": editor], columns: 240)
        try screen.type(
            "clear; samelist edit food p9 --as ana --timeout 1; echo ended $?", "Enter")
        try screen.see("ended \(status)")
        #expect(try samelist.shell("cat state/samelist/edit/*").output == "mine\n")
        return try screen.text()
    }

    @Test func `where the server went meanwhile nothing was written, and the text stays`() throws {
        // Until the client has noticed, which closes its end.
        let port = String(samelist.server.port, radix: 16, uppercase: true)
        let hex = String(repeating: "0", count: max(0, 4 - port.count)) + port
        let text = try editAsServerGoes(
            "kill -9 \(samelist.server.number)\n"
                + "while grep -q '0100007F:\(hex) 0[18] ' /proc/net/tcp; do :; done", ending: 3)
        #expect(text.contains(", so nothing was written: "))
        #expect(text.contains("Your text is kept in \"/"))
        #expect(!text.contains("not known"))
    }

    @Test func `where it is not known whether it was written the text stays as well`() throws {
        let text = try editAsServerGoes("kill -STOP \(samelist.server.number)", ending: 6)
        #expect(text.contains("it is not known whether this was done"))
        #expect(text.contains("Your text is kept in \"/"))
    }

    @Test func `of a list that went meanwhile the text stays`() throws {
        let text = try editAsServerGoes("samelist drop food --force --as bo", ending: 5)
        #expect(text.contains("the list food was deleted by bo. Your text is kept in \"/"))
    }
}
