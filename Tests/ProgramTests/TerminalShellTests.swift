import Foundation
import Testing

@Suite("samelist on a terminal", .enabled(if: access("/usr/bin/tmux", X_OK) == 0))
struct TerminalShellTests {
    let samelist: SamelistProgram

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
        try samelist("add", "food", "Milk", "--id", "k7")
    }

    private func openShell(_ variables: [String: String] = [:]) throws -> Screen {
        let screen = try Screen(samelist, variables: variables)
        try screen.type("samelist shell --as ana", "Enter")
        try screen.expect(last: "samelist>")
        try screen.type("open food", "Enter")
        try screen.expect(last: "ok 1", "food>")
        return screen
    }

    @Test func `a line is edited, kept in history and completed`() throws {
        let screen = try openShell()
        try screen.type("add title=Tea --id tz", "BSpace", "Enter")
        try screen.expect(last: "ok t", "food>")
        try screen.type("", "Up", "Up")
        try screen.expect(last: "food> open food")
        try screen.type("", "Down", "BSpace")
        try screen.type("ea")
        try screen.expect(last: "food> add title=Tea --id ea")
        try screen.type("", "C-u")
        try screen.type("uns", "Tab")
        try screen.type(" k", "Tab")
        try screen.expect(last: "food> unset  k7")
        try screen.type("", "C-u")
        try screen.type("e", "Tab", "Tab")
        try screen.expect { $0.contains("edit  editors\nfood> edit") }
        try screen.type(" käse", "Left", "Left", "BSpace", "Home")
        try screen.expect(last: "food> edit kse")
        let history = samelist.place.path("state/samelist/history")
        let attributes = try FileManager.default.attributesOfItem(atPath: history.path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
    }

    @Test(arguments: [SIGTERM, SIGQUIT, SIGUSR1, SIGALRM, SIGABRT])
    func `a signal leaves the terminal as it was`(signal: Int32) throws {
        let screen = try Screen(samelist)
        try screen.type("samelist shell --as ana; echo ended $?", "Enter")
        try screen.expect(last: "samelist>")
        try screen.type("half a line")
        try screen.see("samelist> half a line")
        for process in screen.processes(named: "samelist") { kill(process, signal) }
        try screen.ended(128 + signal)
    }

    @Test func `what happens meanwhile stands above what is being typed`() throws {
        let screen = try openShell()
        try screen.type("edit k7", "Enter")
        try screen.expect(last: "ok k7 title=\"Milk\"", "food>")
        try screen.type("draft k7 title=\"half a", "Left", "Left")
        try screen.expect(last: "food> draft k7 title=\"half a")
        try samelist("set", "food", "k7", "cups=2", "--as", "bo")
        try screen.expect(last: "* changed k7 cups=2 by bo", "food> draft k7 title=\"half a")
        try screen.type("x", "End")
        try screen.expect(last: "food> draft k7 title=\"halfx a")
        let long = String(repeating: "0123456789", count: 10)
        try screen.type(long)
        try samelist("set", "food", "k7", "cups=3", "--as", "bo")
        try screen.expect {
            $0.contains("* changed k7 cups=3 by bo\nfood> draft k7 title=\"halfx a0123")
        }
        try screen.type("\"", "Enter")
        try screen.expect(last: "ok", "food>")
        try samelist("rm", "food", "k7", "--as", "bo")
        try screen.expect(last: "* vanished k7 deleted by bo", "food>")
    }

    @Test func `Ctrl-C drops the line, Ctrl-D ends, and the terminal is as it was`() throws {
        let screen = try openShell()
        try screen.type("some words", "C-c")
        try screen.expect(last: "food> some words^C", "food>")
        try screen.type("offline", "Enter")
        try screen.expect(last: "ok", "food>")
        try screen.type("", "C-z")
        try screen.expect { $0.contains("Stopped") && $0.hasSuffix("\n$") }
        try screen.type("fg", "Enter")
        try screen.expect(last: "food>")
        try screen.type("pending", "Enter")
        try screen.expect(last: "food> pending", "ok 0", "food>")
        try screen.type("", "C-d")
        try screen.expect { $0.hasSuffix("\n$") }
        try screen.type("echo $?; stty -a | grep -o ' -*icanon'", "Enter")
        try screen.expect(last: "0", " icanon", "$")
    }

    @Test func `Ctrl-C waits no longer for what does not come`() throws {
        let screen = try openShell()
        samelist.server.kill()
        try screen.type("set k7 a=1", "Enter")
        try screen.expect(last: "ok pending", "food>")
        try screen.type("sync", "Enter")
        try screen.expect(last: "food> sync", "food>")
        try screen.type("", "C-c")
        try screen.expect { $0.contains("error interrupted") && $0.hasSuffix("\nfood>") }
        try screen.type("pending", "Enter")
        try screen.expect(last: "1 set k7 a=1", "ok 1", "food>")
    }

    @Test func `a terminal that cannot move its cursor gets plain lines`() throws {
        let screen = try Screen(samelist, variables: ["TERM": "dumb"])
        try screen.type("samelist shell", "Enter")
        try screen.type("open food", "Enter")
        try screen.expect(last: "$ samelist shell", "open food", "ok 1")
        try screen.type("", "C-d")
        try screen.expect(last: "ok 1", "$")
    }

    @Test func `dangerous verbs ask`() throws {
        try samelist("add", "food", "Tea", "--id", "t")
        let screen = try Screen(samelist)
        try screen.type("samelist rm food k7 t; echo $?", "Enter")
        try screen.expect { $0.hasSuffix("Delete 2 rows of food? [y/N]") }
        try screen.type("n", "Enter")
        try screen.expect(last: "samelist: nothing was done.", "1", "$")
        try screen.type("clear; samelist rm food k7 t --no-input; echo $?", "Enter")
        try screen.expect(last: "2", "$")
        try screen.type("clear; samelist drop food; echo $?", "Enter")
        try screen.expect { $0.hasSuffix("Type its name to go on:") }
        try screen.type("foo", "Enter")
        try screen.expect(last: "samelist: nothing was done.", "1", "$")
        try screen.type("clear; samelist drop food", "Enter")
        try screen.expect { $0.hasSuffix("Type its name to go on:") }
        try screen.type("food", "Enter")
        try screen.expect { $0.contains("Deleted the list food.") }
    }

    @Test func `nobody's text steers the terminal`() throws {
        try samelist("add", "food", "title=\u{1B}[2J\u{1B}[31mred\u{7}\u{202E}x", "--id", "evil")
        let screen = try Screen(samelist)
        try screen.type("samelist ls food; samelist export food --format csv", "Enter")
        try screen.expect { $0.contains("evil [ ] \u{FFFD}[2J\u{FFFD}[31mred\u{FFFD}\u{FFFD}x\n") }
        try screen.expect { $0.contains("evil,\u{FFFD}[2J") && $0.contains("$ samelist ls") }
    }

    @Test func `nothing of a test runs on after it`() throws {
        do {
            let screen = try openShell()
            try screen.type("", "C-z")
            try screen.expect { $0.contains("Stopped") && $0.hasSuffix("\n$") }
            try screen.type("samelist shell", "Enter")
            try screen.expect(last: "samelist>")
            #expect(try Screen.leftovers(of: samelist.place).count >= 4)
        }
        let deadline = Date(timeIntervalSinceNow: 10)
        while try !Screen.leftovers(of: samelist.place).isEmpty, Date() < deadline {}
        #expect(try Screen.leftovers(of: samelist.place) == [])
    }
}
