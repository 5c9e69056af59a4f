import Foundation
import Testing

@Suite("samelist shell between pipes") struct ShellTests {
    let samelist: SamelistProgram

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
        try samelist("add", "food", "Milk", "--id", "k7")
    }

    private func shell(_ name: String, _ flags: String...) throws -> SamelistProcess {
        try SamelistProcess(samelist, ["shell", "--as", name] + flags)
    }

    @Test func `commands are answered a line each`() throws {
        let all = try samelist(
            "shell", "--as", "ana", input: "open food\nadd title=Tea --id t\nlist\nnope\nsync\n")
        #expect(all.status == 2, "as the command that is none")
        #expect(all.lines.count == 7)
        #expect(all.lines[2...3] == ["k7 title=\"Milk\"", "t title=\"Tea\""])
        #expect(all.lines[5].hasPrefix("error usage"))
        let json = try samelist("shell", "--json", input: "open food\nlist\nquit\nlist\n")
        #expect(try json.objects.count == 5)
    }

    @Test(arguments: [
        ("open food\nlist\nsync\n", 0), ("open food\nset k7 x=1\nquit\n", 0), ("", 0),
        ("open food\nset nope x=1\nnope\n", 1), ("nope\nopen beer\n", 2), ("open beer\n", 1),
        ("list\n", 1), ("open food\nedit k7\ndelete k7\ncommit k7\n", 5),
        ("open food\ndelete k7\nset k7 x=1\n", 1), ("open food\noffline\nsync\n", 3),
        ("open food\noffline\nset k7 x=1\nonline\nsync\n", 0),
        ("open food\nedit k7 --snapshot\ndraft k7 x=1\n", 1),
    ]) func `it ends as the first command that failed would have`(
        lines: String, status: Int32
    ) throws {
        let all = try samelist("shell", input: lines)
        #expect(all.status == status, "\(all.output)")
        #expect(all.errors == "")
    }

    @Test(arguments: [["--timeout", "0.5"], []])
    func `without a server it reads its own copy, and without that it is unreachable`(
        flags: [String]
    ) throws {
        let lines = "open food\nlist\nquit\n"
        #expect(try samelist.run(["shell", "--as", "ana"], input: lines).status == 0)
        samelist.server.kill()
        let away = try samelist.run(["shell", "--as", "ana"] + flags, input: lines)
        #expect(away.lines == ["ok offline", "k7 title=\"Milk\"", "ok 1", "ok"])
        #expect(away.status == 0)
        let none = try samelist.run(["shell", "--as", "bo"] + flags, input: lines)
        #expect(none.lines.first?.hasPrefix("error unreachable ") == true)
        #expect(none.status == 3)
    }

    @Test func `a server that hangs is away as well`() throws {
        let lines = "open food\nlist\nquit\n"
        _ = try samelist.run(["shell", "--as", "ana"], input: lines)
        samelist.server.hang()
        let away = try samelist.run(["shell", "--as", "ana", "--timeout", "1"], input: lines)
        #expect(away.lines == ["ok offline", "k7 title=\"Milk\"", "ok 1", "ok"])
    }

    @Test func `a script may take longer than one command`() throws {
        let sets = (1...1_000).map { "set k7 n=\($0)\n" }.joined()
        let all = try samelist.run(
            ["shell", "--timeout", "1"], input: "open food\n" + sets + "sync\n")
        #expect(all.status == 0)
        #expect(all.lines.count == 1_002)
        #expect(all.lines.last == "ok")
    }

    @Test func `where no answer comes it says how many commands were not run`() throws {
        let ana = try SamelistProcess(samelist, ["shell", "--as", "ana", "--timeout", "1"])
        try ana.ask("open food")
        samelist.server.hang()
        try ana.type("set k7 a=1\nset k7 b=2\n\nlist")
        #expect(try ana.end() == 6)
        #expect(
            try ana.line()
                == "error timed_out no answer in 1 s; what was begun goes on; 2 commands behind it "
                + "not run")
    }

    @Test func `discard of what was sent says that it may be in the list`() throws {
        let ana = try SamelistProcess(samelist, ["shell", "--as", "ana", "--timeout", "1"])
        try ana.ask("open food")
        samelist.server.hang()
        try ana.type("set k7 a=1")
        #expect(try ana.end() == 6)
        samelist.server.kill()
        let again = try shell("ana")
        #expect(try again.ask("open food") == "ok offline")
        #expect(
            try again.ask("discard 1")
                == "ok it was sent before: if it arrived it is in the list, and history shows it")
        #expect(try again.rows(of: "pending") == ["ok 0"])
    }

    @Test func `edit of a deleted row says who deleted it, and when`() throws {
        try samelist("rm", "food", "k7", "--as", "bo")
        let ana = try shell("ana")
        try ana.ask("open food")
        let told = try ana.ask("edit k7")
        #expect(told.hasPrefix("error removed k7 was deleted by bo at 2"), "\(told)")
        #expect(told.hasSuffix("Z; restore k7 brings it back"))
        #expect(try ana.rows(of: "editors") == ["ok 0"])
        #expect(try samelist("shell", input: "open food\nedit k7\n").status == 5)
        #expect(try ana.ask("restore k7").hasPrefix("ok"))
        #expect(try samelist("rm", "food", "k7", "--as", "bo").status == 0)
        #expect(try ana.ask("sync") == "ok")
        #expect(try ana.ask("edit k7").hasPrefix("error removed k7 was deleted by bo at "))
    }

    @Test func `edit takes back a commit that was not sent, and refuses one that was`() throws {
        let ana = try shell("ana")
        try ana.ask("open food")
        try ana.ask("offline")
        #expect(try ana.ask("edit k7") == "ok k7 title=\"Milk\"")
        #expect(try ana.ask("draft k7 title=\"Mlik 2\"") == "ok")
        #expect(try ana.ask("commit k7") == "ok pending")
        #expect(try ana.ask("edit k7") == "ok k7 title=\"Mlik 2\"")
        #expect(try ana.rows(of: "pending") == ["ok 0"])
        #expect(try ana.ask("draft k7 title=\"Milk 2\"") == "ok")
        #expect(try ana.ask("commit k7") == "ok pending")
        try ana.ask("online")
        #expect(try ana.ask("sync") == "ok")
        #expect(try samelist("history", "food").lines.count == 2)
        #expect(try samelist("ls", "food").output == "k7 [ ] Milk 2\n")
    }

    @Test func `what was left out is listed with its words, and dropped`() throws {
        let ana = try shell("ana")
        try ana.ask("open food")
        #expect(try ana.ask("offline") == "ok")
        #expect(try ana.ask("set k7 note=\"two words\"") == "ok pending")
        try samelist("rm", "food", "k7", "--as", "bo")
        #expect(try ana.ask("online") == "ok")
        #expect(try ana.event() == "* skipped k7 removed by bo")
        #expect(
            try ana.rows(of: "pending") == [
                "1 set k7 note=\"two words\" skipped removed by bo", "ok 0",
            ])
        let status = try samelist("status", "--as", "ana").lines
        #expect(
            status.contains {
                $0.hasPrefix("skipped food: set k7 note=\"two words\"   removed by bo, ")
                    && $0.hasSuffix("; samelist restore food k7 brings it back")
            }, "\(status)")
        #expect(try ana.ask("discard 1") == "ok")
        #expect(try ana.rows(of: "pending") == ["ok 0"])
        #expect(try ana.ask("discard 1").hasPrefix("error no_such_mutation"))
    }

    @Test func `what was left out is listed after a restart, until it is dropped`() throws {
        let ana = try shell("ana")
        try ana.ask("open food")
        #expect(try ana.ask("offline") == "ok")
        #expect(try ana.ask("set k7 note=\"two words\"") == "ok pending")
        #expect(try ana.ask("set k7 note=more") == "ok pending")
        try samelist("rm", "food", "k7", "--as", "bo")
        #expect(try ana.ask("online") == "ok")
        #expect(try ana.event() == "* skipped k7 removed by bo")
        #expect(try ana.event() == "* skipped k7 removed by bo")
        #expect(try ana.end() == 0)
        let json = try samelist(
            "shell", "--as", "ana", "--json", input: "open food\npending\n")
        let row = try #require(try json.objects.dropFirst().first)
        #expect(row["n"] as? Int == 1)
        #expect(row["id"] as? String == "k7")
        #expect(row["fields"] as? [String: String] == ["note": "two words"])
        #expect(row["code"] as? String == "removed")
        let again = try shell("ana")
        try again.ask("open food")
        let second = "2 set k7 note=\"more\" skipped removed by bo"
        #expect(
            try again.rows(of: "pending") == [
                "1 set k7 note=\"two words\" skipped removed by bo", second, "ok 0",
            ])
        #expect(try again.ask("discard 1") == "ok")
        #expect(try again.rows(of: "pending") == [second, "ok 0"])
        #expect(try again.ask("discard 1").hasPrefix("error no_such_mutation"))
        let status = try samelist("status", "--as", "ana", "--clear").output
        #expect(!status.contains("two words") && status.contains("note=\"more\""))
        #expect(try again.rows(of: "pending") == ["ok 0"])
    }

    @Test func `what waits is told with its words by status, and gone on with`() throws {
        let ana = try SamelistProcess(samelist, ["open", "food", "--as", "ana"])
        #expect(try ana.line() == "ok 1")
        samelist.server.kill()
        #expect(try ana.ask("set k7 note=x") == "ok pending")
        #expect(try ana.ask("edit k7").hasPrefix("ok k7"))
        #expect(try ana.ask("draft k7 title=Oats") == "ok")
        ana.signal(SIGKILL)
        _ = ana.wait()
        let status = try samelist("status", "--as", "ana")
        #expect(status.status == 3)
        #expect(
            status.lines.suffix(3) == [
                "screen-1  food: 1 change waiting, 1 draft   samelist open food goes on with it",
                "    draft k7 title=\"Oats\"", "    1  set k7 note=\"x\"",
            ])
        let again = try SamelistProcess(samelist, ["open", "food", "--as", "ana"])
        #expect(try again.line() == "ok offline")
        #expect(try again.rows(of: "pending") == ["1 set k7 note=\"x\"", "ok 1"])
        #expect(try again.ask("discard 1").hasPrefix("ok"))
        #expect(try again.rows(of: "pending") == ["ok 0"])
        #expect(try again.end() == 0)
    }

    @Test func `a person who edits is told, and the deleter hears of it`() throws {
        let ana = try shell("ana")
        #expect(try ana.ask("open food") == "ok 1")
        #expect(try ana.ask("edit k7").hasPrefix("ok k7"))
        #expect(try ana.ask("draft k7 title=\"2 Milk\"").hasPrefix("ok"))
        #expect(try ana.ask("sync") == "ok")
        #expect(try samelist("who", "food").output == "ana  editing k7\n")
        #expect(try samelist("ls", "food").output == "k7 [ ] Milk   ana is editing\n")
        let spared = try samelist("rm", "food", "k7", "--unless-edited", "--as", "bo")
        #expect(spared.status == 1)
        #expect(spared.errors.contains("is being edited by ana"))
        let deleted = try samelist("rm", "food", "k7", "--as", "bo")
        #expect(deleted.output.contains("ana is editing it and has been told."))
        #expect(try ana.event() == "* vanished k7 deleted by bo")
        #expect(try ana.ask("save-new k7 --id new").hasPrefix("ok new"))
        #expect(try ana.end() == 0)
    }

    @Test func `two at once are two, and a killed one finds its draft again`() throws {
        let first = try shell("ana")
        try first.ask("open food")
        let second = try shell("ana")
        try second.ask("open food")
        try first.ask("edit k7")
        #expect(try first.ask("draft k7 title=mine").hasPrefix("ok"))
        #expect(try second.rows(of: "editors") == ["ok 0"])
        let status = try samelist("status", "--as", "ana").output
        #expect(status.contains("shell-1  food: 0 changes waiting, 1 draft   in use now"))
        #expect(status.contains("shell-2  in use now, nothing waits"))
        first.signal(SIGKILL)
        _ = first.wait()
        let left = try samelist("status", "--as", "ana").output
        #expect(left.contains("shell-1  food: 0 changes waiting, 1 draft"))
        let again = try shell("ana")
        try again.ask("open food")
        #expect(try again.rows(of: "editors").first == "k7 draft open title=\"mine\"")
    }

    @Test func `work goes on without the server and arrives when it is back`() throws {
        let ana = try shell("ana")
        try ana.ask("open food")
        samelist.server.kill()
        #expect(try ana.ask("set k7 done=true").hasPrefix("ok pending"))
        try samelist.server.start()
        #expect(try ana.ask("sync") == "ok")
        #expect(try samelist("ls", "food").output == "k7 [x] Milk\n")
        #expect(try ana.end() == 0)
    }

    @Test func `a watcher survives the server's restart`() throws {
        let watcher = try SamelistProcess(samelist, ["watch", "food", "--as", "bo"])
        #expect(try watcher.line().hasPrefix("Watching food from version"))
        samelist.server.kill()
        try samelist.server.start()
        try samelist("rm", "food", "k7", "--as", "cy")
        var line = ""
        while !line.contains("deleted") { line = try watcher.line() }
        #expect(line.hasSuffix("cy deleted k7 \"Milk\""))
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a signal loses nothing of what was typed`(signal: Int32) throws {
        let ana = try shell("ana")
        #expect(try ana.ask("open food") == "ok 1")
        #expect(try ana.ask("edit k7").hasPrefix("ok k7"))
        for round in 1...200 {
            #expect(try ana.ask("draft k7 title=\"round \(round)\"").hasPrefix("ok"))
        }
        ana.signal(signal)
        #expect(ana.wait() == 128 + signal)
        let again = try shell("ana")
        #expect(try again.ask("open food") == "ok 1")
        #expect(try again.rows(of: "editors").joined().contains("round 200"))
        #expect(try again.end() == 0)
    }

    @Test func `what there is not is said in its own words`() throws {
        let ana = try shell("ana")
        try ana.ask("open food")
        #expect(
            try ana.ask("undo") == "error nothing_to_undo there is nothing of yours to take back")
        #expect(
            try ana.ask("redo") == "error nothing_to_redo there is nothing taken back to do again")
        #expect(try ana.ask("history nobody") == "error no_such_element there is no element nobody")
        #expect(try ana.ask("history k7") == "ok 1")
    }
}
