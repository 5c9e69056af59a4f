import Foundation
import Testing

@Suite("samelistd top and explain beside clients", .timeLimit(.minutes(5))) struct TopTests {
    private let desk: Desk
    private var data: String { desk.samelist.place.path("data").path }

    init() throws { desk = try Desk() }

    @Test func `the table is drawn on a screen of its own, cut to the window, until q`() throws {
        let screen = try Screen(desk.samelist, columns: 80, lines: 24)
        let ana = try SamelistProcess(desk.samelist, ["shell", "--as", "ana"])
        #expect(try ana.ask("open food").hasPrefix("ok"))
        try screen.type("clear; samelistd top --data '\(data)'; echo ended $?", "Enter")
        try screen.expect { $0.contains("LIST  ROWS  OPEN") && $0.contains("food     3     1") }
        #expect(try screen.state().hasSuffix(" 1"))

        // Others' work is seen without being asked for.
        #expect(try ana.ask("add title=Salt").hasPrefix("ok"))
        try screen.expect { $0.contains("food     4     1") }

        try screen.resize(30, 7)
        try screen.expect { text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.count <= 7 && lines.allSatisfy { $0.count <= 30 }
                && text.contains("food     4     1")
        }
        try screen.resize(20, 3)
        try screen.expect { $0.hasPrefix("samelistd") && $0.contains("… 5 more") }
        try screen.resize(80, 24)
        try screen.expect { $0.contains("LIST  ROWS  OPEN") }
        try screen.type("q")
        try screen.expect { $0.hasSuffix("ended 0\n$") }
        #expect(try screen.state().hasSuffix(" 0"))
        // The terminal echoes again.
        try screen.type("echo again", "Enter")
        try screen.expect { $0.contains("$ echo again\nagain") }
    }

    @Test func `Ctrl-C and the server's end give the terminal back`() throws {
        let screen = try Screen(desk.samelist)
        let line = "clear; samelistd top --data '\(data)'; echo ended $?"
        try screen.type(line, "Enter")
        try screen.expect { $0.contains("LIST") }
        try screen.type("", "C-c")
        try screen.expect { $0.hasSuffix("ended 130\n$") }
        try screen.type(line, "Enter")
        try screen.expect { $0.contains("LIST") }
        desk.samelist.server.stop()
        try screen.expect { $0.contains("no server runs in") && $0.hasSuffix("ended 1\n$") }
        #expect(try screen.state().hasSuffix(" 0"))
    }

    @Test func `explain tells who has the list, and up to which version`() throws {
        let ana = try SamelistProcess(desk.samelist, ["shell", "--as", "ana"])
        #expect(try ana.ask("open food").hasPrefix("ok"))
        try desk.bo("set", "food", "k7", "title=Oat milk")
        #expect(try ana.ask("sync").hasPrefix("ok"))
        let said = try desk.samelist.shell("samelistd explain food k7 --data '\(data)'")
        #expect(said.status == 0)
        #expect(said.output.contains(#"title: was "Milk", is "Oat milk""#))
        let last = try #require(said.output.matches(of: #/\nversion (\d+) /#).last).1
        let reader = #/\n    ana \(client [a-z0-9]+, connection \d+\): version (\d+)\n/#
        let readers = try #require(said.output.firstMatch(of: reader))
        #expect(readers.1 == last)
        #expect(said.output.hasSuffix("the server does not keep.\n"))
    }
}
