import Foundation
import Testing

@Suite("The full screen: outages and other editors", .enabled(if: hasTmux))
struct FullScreenOutageTests {
    @Test func `the server dies and comes back`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        desk.samelist.server.kill()
        try screen.see("offline since ")
        try screen.see("retry in")
        try screen.type("jd")
        try screen.see("Deleted \"Tea\"; it waits for the server.   u undo")
        try screen.see("1 change waiting")
        try screen.type("e of figs", "Enter")
        try screen.see("2 changes waiting")
        try desk.samelist.server.start()
        try screen.type("R")
        try screen.see("online  version 3")
        try desk.expect(["Milk", "Jam of figs"])
    }

    @Test func `it starts without a server from its own copy`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("q")
        try screen.ended(0)
        desk.samelist.server.kill()
        try desk.open(on: screen, sees: "offline since ")
        try screen.see("> [ ] Milk\n  [ ] Tea\n  [ ] Jam")
        try screen.see("Your own copy, version 1, last changed ")
        try screen.type("d")
        try screen.see("1 change waiting")
        try screen.type("q")
        try screen.see("samelist: 1 change of food waits for the server.")
        try screen.ended(0)
        try desk.samelist.server.start()
        try desk.open(on: screen, sees: "online  version 2")
        try desk.expect(["Tea", "Jam"])
    }

    @Test func `a text half typed survives kill -9`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("je, gre")
        try screen.see("Tea, gre")
        for process in screen.processes(named: "samelist") { kill(process, SIGKILL) }
        try screen.see("ended 137")
        try screen.type("stty sane; tput rmcup; tput sgr0", "Enter")
        try desk.open(on: screen, sees: "Your text for \"Tea\" is kept from last time.")
        try screen.see("your draft")
        try screen.type("een", "Enter")
        try screen.see("Saved \"Tea, green\"")
        try desk.expect(["Milk", "Tea, green", "Jam"])
    }

    @Test func `a new row half typed survives kill -9`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("aBre")
        try screen.see("+  Bre")
        for process in screen.processes(named: "samelist") { kill(process, SIGKILL) }
        try screen.see("ended 137")
        try screen.type("stty sane; tput rmcup; tput sgr0", "Enter")
        try desk.open(on: screen, sees: "A new row that you began is kept from last time.")
        try screen.type("aad", "Enter")
        try desk.expect(["Milk", "Bread", "Tea", "Jam"])
    }

    @Test func `a row deleted while its editor was killed shows its text again`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("e!")
        try screen.see("Milk!")
        for process in screen.processes(named: "samelist") { kill(process, SIGKILL) }
        try screen.see("ended 137")
        try desk.bo("rm", "food", "k7")
        try screen.type("stty sane; tput rmcup; tput sgr0", "Enter")
        try desk.open(on: screen, sees: "! bo deleted \"Milk\"")
        try screen.see("r restore the row with my text")
        try screen.type("r")
        try desk.expect(["Milk!", "Tea", "Jam"])
    }

    /// An editor that appends to the file, and, where it is to wait, ends only when a file is
    /// there.
    private func editor(_ desk: Desk, _ text: String, waits: Bool = false, status: Int = 0) throws
        -> [String: String]
    {
        let file = desk.samelist.place.path("editor")
        let wait =
            waits
            ? "touch $0.up; while [ ! -e $0.go ]; do read -t 0.01 -r x <> $0.fifo; done\n" : ""
        let script = """
            #!/bin/bash
            printf '%s' '\(text)' > "$0.text"
            mkfifo $0.fifo
            \(wait)sed -i "s/^title = .*/&$(cat "$0.text")/" "$1"
            exit \(status)
            """
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: file.path)
        return ["VISUAL": file.path]
    }

    private func edit(_ desk: Desk, _ meanwhile: () throws -> Void) throws -> Screen {
        let screen = try desk.screen(variables: editor(desk, " of figs", waits: true))
        try screen.type("GE")
        let up = desk.samelist.place.path("editor.up")
        let deadline = Date(timeIntervalSinceNow: 20)
        while !FileManager.default.fileExists(atPath: up.path), Date() < deadline {}
        try meanwhile()
        try Data().write(to: desk.samelist.place.path("editor.go"))
        return screen
    }

    private func kept(_ desk: Desk) -> [String] {
        let folder = desk.samelist.place.path("state/samelist/edit")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap {
            let text = try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
            return text?.split(separator: "\n").first.map(String.init)
        }
    }

    @Test func `the user's own editor saves a title, and its file goes`() throws {
        let desk = try Desk()
        let screen = try desk.screen(variables: editor(desk, " of figs"))
        try screen.type("GE")
        try screen.see("Saved \"Jam of figs\" (version 2)")
        try desk.expect(["Milk", "Tea", "Jam of figs"])
        #expect(kept(desk) == [])
    }

    @Test func `a row that vanishes under the user's own editor names the file`() throws {
        let desk = try Desk()
        let screen = try edit(desk) { try desk.bo("rm", "food", "p9") }
        try screen.see("! bo deleted \"Jam\" at")
        try screen.see("Your text is kept:  Jam of figs")
        try screen.see("samelist/edit/food-p9.txt")
        #expect(kept(desk) == ["title = Jam of figs"])
        try screen.see("n save as new row")
        try screen.type("n")
        try desk.expect(["Milk", "Tea", "Jam of figs"])
    }

    @Test func `a conflict under the user's own editor names the file`() throws {
        let desk = try Desk()
        let screen = try edit(desk) { try desk.bo("set", "food", "p9", "title=Honey") }
        try screen.see("   mine    Jam of figs\n   theirs  Honey")
        try screen.see("samelist/edit/food-p9.txt")
        #expect(kept(desk) == ["title = Jam of figs"])
        try screen.type("o")
        try desk.expect(["Milk", "Tea", "Jam of figs"])
    }

    @Test func `an editor that fails changes nothing, and its file stays`() throws {
        let desk = try Desk()
        let screen = try desk.screen(variables: editor(desk, " of figs", status: 1))
        try screen.type("GE")
        try screen.see("Your editor ended with 1. What it wrote is in")
        #expect(kept(desk) == ["title = Jam of figs"])
        try desk.expect(["Milk", "Tea", "Jam"])
    }

    @Test(arguments: [
        ("rm -f", "!Your editor left no file. Nothing was changed."),
        ("/nonexistent", "!Your editor cannot be run: /nonexistent. Nothing was changed."),
        ("printf 'x = \\377' >", "!What your editor wrote is no UTF-8. It is kept in"),
        ("echo none >", "!Line 1 of your text is no NAME = VALUE. E goes on with it; it is in"),
        (": >", " Nothing was changed."), ("kill -9 $$;:", "!Your editor was ended by signal 9."),
    ]) func `whatever the user's own editor does, the row is as it was`(
        command: String, said: String
    ) throws {
        let desk = try Desk()
        let screen = try desk.screen(variables: ["VISUAL": command])
        try screen.type("GE")
        try screen.see(said)
        try screen.see("> [ ] Jam")
        try desk.expect(["Milk", "Tea", "Jam"])
        #expect(try desk.samelist("who", "food").output == "ana\n")
        try screen.type("q")
        try screen.ended(0)
    }

    @Test func `all fields by the user's own editor`() throws {
        let desk = try Desk()
        try desk.bo("set", "food", "p9", "cups=2", "note=\"one\\ntwo\"")
        let script = "sed -i -e 's/^cups = 2/cups = 3/' -e 's/^    two/&\\n    three/'"
        let screen = try desk.screen(variables: ["VISUAL": script])
        try screen.type("GE")
        try screen.see("Saved \"Jam\"")
        let row = try desk.samelist("ls", "food", "--plain").lines.last
        #expect(row == "p9\tfalse\tJam\tcups=3\tnote=\"one\\ntwo\\nthree\"")
    }

    @Test func `ended while the user's own editor is at work, both end and the file is named`()
        throws
    {
        let desk = try Desk()
        let script = "sed -i 's/Jam/Jam of figs/' \"$1\"; sleep 100; : #"
        let screen = try desk.screen(variables: ["VISUAL": script])
        try screen.type("GE")
        let deadline = Date(timeIntervalSinceNow: 20)
        while screen.processes(named: "sleep").isEmpty, Date() < deadline {}
        for process in screen.processes(named: "samelist") { kill(process, SIGTERM) }
        try screen.ended(143)
        while !screen.processes(named: "sleep").isEmpty, Date() < deadline {}
        #expect(screen.processes(named: "sleep").isEmpty)
        #expect(kept(desk) == ["title = Jam of figs"])
        try desk.open(on: screen, sees: "A text of yours that was not saved is kept in")
    }
}
