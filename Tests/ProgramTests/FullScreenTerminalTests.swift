import Foundation
import Testing

@Suite("The full screen: terminals", .enabled(if: hasTmux)) struct FullScreenTerminalTests {
    @Test(arguments: [(20, 5), (33, 6), (40, 10), (132, 43)])
    func `every size has the rows`(columns: Int, lines: Int) throws {
        let screen = try Desk().screen(columns: columns, lines: lines, sees: "> [ ] Milk")
        try screen.type("j")
        try screen.see("> [ ] Tea")
        #expect(try screen.text().split(separator: "\n").allSatisfy { $0.count <= columns })
    }

    @Test(arguments: [(19, 5), (20, 4), (5, 2), (1, 1)])
    func `below twenty by five it is too small, and nothing breaks`(
        columns: Int, lines: Int
    ) throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("e!")
        try screen.resize(columns, lines)
        try screen.expect { !$0.contains("[ ]") }
        try screen.type("?")
        try screen.resize(80, 24)
        try screen.see("> [ ] Milk!?")
        try screen.type("", "Enter")
        try desk.expect(["Milk!?", "Tea", "Jam"])
    }

    @Test func `it starts in a terminal of one cell`() throws {
        let screen = try Screen(Desk().samelist)
        try screen.type("samelist open food")
        try screen.resize(1, 1)
        try screen.type("", "Enter")
        try screen.expect { _ in (try? screen.state().hasSuffix(" 1")) == true }
        try screen.resize(80, 24)
        try screen.see("> [ ] Milk")
    }

    @Test func `resizing while a row has vanished`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("e!")
        try screen.see("Milk!")
        try desk.bo("rm", "food", "k7")
        try screen.see("n save as new row")
        try screen.resize(20, 5)
        try screen.see("Kept: Milk!")
        try screen.see("n new r restore")
        try screen.type("n")
        try screen.see("> [ ] Milk!")
    }

    @Test func `Ctrl-C ends it at once`() throws {
        let screen = try Desk().screen()
        try screen.type("e half a tex")
        try screen.see("half a tex")
        try screen.type("", "C-c")
        try screen.ended(130)
    }

    @Test func `Ctrl-Z gives the terminal back, and fg takes it again`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("e!", "C-z")
        try screen.see("Stopped")
        try screen.type("clear; stty -a | grep -o ' -*icanon'", "Enter")
        try screen.see(" icanon\n$")
        try desk.bo("rm", "food", "m2")
        try screen.resize(60, 12)
        try screen.type("fg", "Enter")
        try screen.see("> [ ] Milk!")
        try screen.see("[-] Tea")
        try screen.type("", "Enter")
        try desk.expect(["Milk!", "Jam"])
    }

    @Test func `Ctrl-backslash ends it as Ctrl-C does, and what was typed is kept`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        try screen.type("e half a tex")
        try screen.see("half a tex")
        try screen.type("", "C-\\")
        try screen.see("samelist: your text for \"Milk\" is kept: samelist open food goes on")
        try screen.ended(131)
        try desk.open(on: screen, sees: "Your text for \"Milk\" is kept from last time.")
    }

    @Test(arguments: [
        SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
        SIGXCPU, SIGXFSZ, SIGSYS, SIGIO, SIGPWR, SIGSTKFLT,
    ])
    func `a signal or a crash leaves the terminal as it was`(signal: Int32) throws {
        let screen = try Desk().screen()
        for process in screen.processes(named: "samelist") { kill(process, signal) }
        try screen.ended(128 + signal)
    }

    @Test func `NO_COLOR has no colours, and nothing is lost by it`() throws {
        let desk = try Desk()
        try desk.bo("set", "food", "k7", "done=true")
        let plain = try desk.screen(variables: ["NO_COLOR": "1"])
        let coloured = try desk.screen(variables: ["NO_COLOR": ""])
        for screen in [plain, coloured] { try screen.see("> [x] Milk") }
        let colour = /\u{1B}\[[0-9;]*3[1-7]m/
        #expect(try !plain.colours().contains(colour))
        #expect(try coloured.colours().contains(colour))
    }

    @Test func `--color wins over NO_COLOR, and takes only what it knows`() throws {
        let desk = try Desk()
        try desk.bo("set", "food", "k7", "done=true")
        let colour = /\u{1B}\[[0-9;]*3[1-7]m/
        for (choice, variable, isColoured) in [("always", "1", true), ("never", "", false)] {
            let screen = try Screen(desk.samelist, variables: ["NO_COLOR": variable])
            try screen.type("samelist open food --color \(choice)", "Enter")
            try screen.see("> [x] Milk")
            #expect(try screen.colours().contains(colour) == isColoured)
        }
        #expect(try desk.samelist("open", "food", "--color", "blue").status == 2)
    }

    @Test func `a terminal that cannot draw, and --by-line, are the shell`() throws {
        let desk = try Desk()
        let dumb = try desk.screen(variables: ["TERM": "dumb"], sees: "ok 1")
        try dumb.type("list", "Enter")
        try dumb.see("k7 title=\"Milk\"")
        let screen = try Screen(desk.samelist)
        try screen.type("samelist open food --by-line", "Enter")
        try screen.see("ok 1\nfood>")
        let piped = try desk.samelist("open", "food", input: "list\n")
        #expect(
            piped.lines == [
                "ok 1", "k7 title=\"Milk\"", "m2 title=\"Tea\"", "p9 title=\"Jam\"", "ok 3",
            ])
    }

    @Test func `what cannot be opened is said where one was`() throws {
        let desk = try Desk()
        let screen = try Screen(desk.samelist)
        try screen.type("samelist open beer; echo ended $?", "Enter")
        try screen.see("there is no list beer")
        try screen.ended(1)
        desk.samelist.server.kill()
        try screen.type("clear; samelist open food; echo ended $?", "Enter")
        try screen.see("cannot reach the server")
        try screen.ended(3)
    }
}
