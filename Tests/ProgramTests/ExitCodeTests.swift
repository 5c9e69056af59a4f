import Foundation
import Testing

@Suite("How samelist ends") struct ExitCodeTests {
    let samelist: SamelistProgram

    init() throws { samelist = try SamelistProgram() }

    @Test func `0 where it was done, also with nothing to do`() throws {
        #expect(try samelist().status == 0)
        #expect(try samelist("--version").output.hasPrefix("samelist 0."))
        #expect(try samelist("help", "add").status == 0)
        #expect(try samelist("new", "food").status == 0)
        #expect(try samelist("ls", "food").status == 0)
    }

    @Test(arguments: [
        ["lss"], ["ls"], ["ls", "Food"], ["ls", "a", "--first"], ["ls", "--nope"],
        ["add", "food"], ["set", "food", "a"], ["set", "food", "a", "b"], ["move", "food", "a"],
        ["watch", "food", "--count", "0"], ["lists", "more"], ["--server", "x y", "lists"],
        ["--server", "", "lists"], ["ls", "food", "--json", "--plain"],
        ["--as"], ["--json"], ["export", "food", "--format", "xml"], ["help", "nope"],
    ]) func `2 for a wrong command line, in one line`(words: [String]) throws {
        let plain = try samelist.run(words)
        #expect(plain.status == 2)
        #expect(plain.output.isEmpty)
        #expect(plain.errors.filter { $0 == "\n" }.count == 1)
        let fault = try #require(try samelist.run(words + ["--json"]).faults.first)
        if words.last != "--as", words.last != "--json" {
            #expect(fault["code"] as? String == "usage")
            #expect(fault["exit"] as? Int == 2)
        }
    }

    @Test func `3 where no server answers, at once`() throws {
        samelist.server.stop()
        for words in [
            ["lists"], ["ls", "food"], ["add", "food", "x"], ["watch", "food"], ["who", "food"],
            ["import", "food", "-"], ["new", "food"], ["drop", "food", "-f"],
        ] {
            let gone = try samelist.run(words)
            #expect(gone.status == 3, "\(words)")
            #expect(gone.errors.contains("cannot reach the server at \(samelist.server.url)"))
        }
        try samelist.server.start()
        #expect(try samelist("lists").output.isEmpty, "nothing was kept to be done later")
    }

    @Test func `5 where the list has gone under a watcher`() throws {
        try samelist("new", "food")
        let watcher = try SamelistProcess(samelist, ["watch", "food"])
        #expect(try watcher.line().hasPrefix("Watching food from version"))
        try samelist("drop", "food", "-f")
        #expect(watcher.wait() == 5)
    }

    @Test func `6 where the time was up`() throws {
        try samelist("new", "food")
        let watched = try samelist("watch", "food", "--count", "1", "--for", "0.2")
        #expect(watched.status == 6)
        #expect(try samelist("watch", "food", "--for", "0.2").status == 0)
    }

    @Test func `6 where the server accepts and says nothing`() throws {
        try samelist("new", "food")
        samelist.server.hang()
        let failed = try samelist("ls", "food", "--timeout", "0.5", "--json")
        #expect(failed.status == 6)
        #expect(try failed.faults.first?["code"] as? String == "timed_out")
        let status = try samelist("status", "--timeout", "0.5")
        #expect(status.status == 6)
        #expect(status.lines.first?.hasSuffix(" did not answer in 0.5 s") == true)
        #expect(status.errors.contains(" did not answer in 0.5 s; try --timeout 60."))
        samelist.server.goOn()
        #expect(try samelist("ls", "food").status == 0)
    }

    @Test func `130 for Ctrl-C`() throws {
        try samelist("new", "food")
        let watcher = try SamelistProcess(samelist, ["watch", "food"])
        #expect(try watcher.line().hasPrefix("Watching food from version"))
        watcher.signal(SIGINT)
        #expect(watcher.wait() == 130)
    }

    @Test func `nobody reads any more, and nothing is said of it`() throws {
        try samelist("new", "food")
        let many = (1...5_000).map { "row number \($0)\n" }.joined()
        #expect(try samelist("add", "food", "-", "-q", input: many).status == 0)
        let cut = try samelist.shell("set -o pipefail; samelist ls food | head -n 1 | wc -l")
        #expect(cut.output == "1\n")
        #expect(cut.status == 0)
    }

    @Test func `results that cannot be written are no success`() throws {
        try samelist("new", "food")
        try samelist("add", "food", "Milk", "--id", "k7")
        for words in ["ls food", "export food", "--version", "help", "add food Tea", "shell"] {
            let lost = try samelist.shell(
                "echo 'open food' | samelist \(words) 2>&1 >&-; echo $?")
            #expect(
                lost.output
                    == "samelist: cannot write standard output: Bad file descriptor.\n1\n",
                "\(words)")
        }
        #expect(try samelist.shell("samelist ls nope 2>&-; samelist ls food").lines.count == 2)
        #expect(try samelist.shell("samelist ls nope 2>&-").status == 1)
    }

    @Test func `state that cannot be kept is no fault of the server`() throws {
        let plain = samelist.place.path("plain")
        try Data().write(to: plain)
        let failed = try samelist("lists", variables: ["XDG_STATE_HOME": plain.path])
        #expect(failed.status == 1)
        #expect(failed.errors.contains(plain.path))
        #expect(!failed.errors.contains("server"))
        try samelist("lists")
        let state = samelist.place.path("state")
        let names = FileManager.default.enumerator(atPath: state.path)?.compactMap { $0 as? String }
        let file = try #require(names?.first { $0.hasSuffix("verb-1.db") })
        try Data("nonsense".utf8).write(to: state.appendingPathComponent(file))
        let damaged = try samelist("lists")
        #expect(damaged.status == 1)
        #expect(damaged.errors.contains("verb-1.db"))
        #expect(damaged.errors.contains("Move the file away"))
    }
}
