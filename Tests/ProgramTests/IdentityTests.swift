import Foundation
import Testing

/// One user in several shells: several clients, which hear of each other like strangers.
@Suite("Several shells of one user") struct IdentityTests {
    let samelist: SamelistProgram

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
        try samelist("add", "food", "Milk", "--id", "k7")
    }

    private func shell() throws -> SamelistProcess {
        let shell = try SamelistProcess(samelist, ["shell", "--as", "ana"])
        try shell.ask("open food")
        return shell
    }

    @Test func `an own delete in one is told in the other`() throws {
        let (first, second) = (try shell(), try shell())
        try first.ask("edit k7")
        #expect(try first.ask("draft k7 title=mine").hasPrefix("ok"))
        #expect(try second.rows(of: "editors") == ["ok 0"], "drafts are not shared")
        #expect(try second.ask("delete k7").hasPrefix("ok"))
        #expect(try first.event() == "* vanished k7 deleted by ana")
        #expect(try first.ask("save-new k7 --id n").hasPrefix("ok n"))
        #expect(try second.ask("sync").hasPrefix("ok"))
        #expect(try second.rows(of: "list") == ["n title=\"mine\"", "ok 1"])
    }

    @Test func `an own delete by a verb is told in a shell, and its undo`() throws {
        let open = try shell()
        try open.ask("edit k7")
        let deleted = try samelist("rm", "food", "k7", "--as", "ana")
        #expect(deleted.output.contains("ana is editing it and has been told."))
        #expect(try open.event() == "* vanished k7 deleted by ana")
        #expect(try samelist("undo", "food", "--as", "ana").status == 0)
        #expect(try open.event() == "* returned k7 by ana")
    }

    @Test func `each has its own undo`() throws {
        let (first, second) = (try shell(), try shell())
        #expect(try first.ask("set k7 a=1").hasPrefix("ok"))
        #expect(try second.ask("set k7 b=2").hasPrefix("ok"))
        try samelist("set", "food", "k7", "c=3", "--as", "ana")
        #expect(try first.ask("undo").hasPrefix("ok"))
        #expect(try samelist("ls", "food").output == "k7 [ ] Milk   b=2 c=3\n")
        #expect(try samelist("undo", "food", "--as", "ana").status == 0)
        #expect(try samelist("ls", "food").output == "k7 [ ] Milk   b=2\n")
        #expect(try second.ask("undo").hasPrefix("ok"))
        #expect(try samelist("ls", "food").output == "k7 [ ] Milk\n")
        #expect(try first.ask("undo").hasPrefix("error") || first.ask("undo") == "ok noop")
    }

    @Test func `unsent work goes before a draft, and what is left is told`() throws {
        let (first, second) = (try shell(), try shell())
        #expect(try second.ask("offline") == "ok")
        #expect(try second.ask("set k7 a=1") == "ok pending")
        #expect(try second.ask("edit k7").hasPrefix("ok"))
        #expect(try first.ask("edit k7").hasPrefix("ok"))
        #expect(try first.ask("draft k7 title=mine").hasPrefix("ok"))
        for shell in [first, second] { shell.signal(SIGKILL) }
        for shell in [first, second] { _ = shell.wait() }
        let next = try SamelistProcess(samelist, ["shell", "--as", "ana"])
        #expect(
            try next.event()
                == "* kept shell-1 keeps 1 draft of food; a second samelist shell goes on with it")
        try next.ask("open food")
        #expect(try next.ask("sync") == "ok")
        #expect(try samelist("ls", "food").output.hasPrefix("k7 [ ] Milk   a=1"))
        let other = try shell()
        #expect(try other.rows(of: "editors").first == "k7 draft open title=\"mine\"")
        #expect(!other.events.contains { $0.hasPrefix("* kept") })
    }

    @Test func `a screen goes on with the work of its own list first`() throws {
        try samelist("new", "tools")
        let open = { (list: String) in
            try SamelistProcess(self.samelist, ["open", list, "--as", "ana"])
        }
        let first = try open("food")
        #expect(try first.line() == "ok 1")
        #expect(try first.ask("edit k7").hasPrefix("ok"))
        #expect(try first.ask("draft k7 title=mine").hasPrefix("ok"))
        let second = try open("tools")
        #expect(try second.line() == "ok 0")
        #expect(try second.ask("offline") == "ok")
        #expect(try second.ask("add title=Saw --id s") == "ok pending s")
        for screen in [first, second] { screen.signal(SIGKILL) }
        for screen in [first, second] { _ = screen.wait() }
        let again = try open("food")
        #expect(
            try again.event()
                == "* kept screen-2 keeps 1 unsent change of tools; "
                + "a second samelist open tools goes on with it")
        #expect(try again.line() == "ok 1")
        #expect(try again.rows(of: "editors").first == "k7 draft open title=\"mine\"")
        let other = try open("tools")
        #expect(try other.line().hasPrefix("ok"))
        #expect(try other.ask("sync") == "ok")
        #expect(try samelist("ls", "tools").output == "s [ ] Saw\n")
    }

    @Test func `a copy of a client throws it out, which is told, and it comes back`() throws {
        #expect(try shell().end() == 0)
        let copy = samelist.place.path("copy")
        try FileManager.default.copyItem(at: samelist.place.path("state"), to: copy)
        let ana = try shell()
        let other = try SamelistProcess(
            samelist, ["shell", "--as", "ana"], variables: ["XDG_STATE_HOME": copy.path])
        try other.ask("open food")
        let why =
            "not_allowed another program uses a copy of this client's state; "
            + "what is not sent waits here, and online comes back"
        #expect(try ana.event() == "* thrown-out \(why)")
        for question in ["who", "history", "sync", "reload"] {
            #expect(try ana.ask(question) == "error \(why)", "\(question)")
        }
        #expect(try ana.ask("set k7 a=1") == "ok pending")
        #expect(try other.end() == 0)
        #expect(try ana.ask("online") == "ok")
        #expect(try ana.ask("sync") == "ok")
        #expect(try samelist("ls", "food").output == "k7 [ ] Milk   a=1\n")
    }

    @Test func `work of both made offline arrives, and what could not be done is kept`() throws {
        let (first, second) = (try shell(), try shell())
        #expect(try first.ask("offline").hasPrefix("ok"))
        #expect(try first.ask("set k7 a=1").hasPrefix("ok pending"))
        #expect(try first.ask("add title=Tea --id t").hasPrefix("ok pending"))
        #expect(try second.ask("delete k7").hasPrefix("ok"))
        #expect(try first.ask("online").hasPrefix("ok"))
        #expect(try first.ask("sync").hasPrefix("ok"))
        #expect(try samelist("ls", "food").output == "t [ ] Tea\n")
        let status = try samelist("status", "--as", "ana")
        #expect(status.output.contains("skipped food: set k7 a=1   removed by ana"))
        let plain = try samelist("status", "--as", "ana", "--plain").lines
        #expect(plain.contains("\t\tfood\t0\t0\t1\t0"))
        let object = try samelist("status", "--as", "ana", "--json", "--clear").objects.first
        let left = try #require((object?["leftOut"] as? [[String: Any]])?.first)
        #expect(left["code"] as? String == "removed")
        #expect(left["outcome"] as? String == "skipped")
        #expect(!(try samelist("status", "--as", "ana").output.contains("skipped")))
    }
}
