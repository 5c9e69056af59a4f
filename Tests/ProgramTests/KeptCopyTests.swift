import Foundation
import Testing

/// What a shell keeps of a list that the server has no more, after a restart of the shell.
@Suite("A list that the server has no more") struct KeptCopyTests {
    let samelist: SamelistProgram

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
        try samelist("add", "food", "Milk", "--id", "k7")
    }

    private func shell() throws -> SamelistProcess {
        try SamelistProcess(samelist, ["shell", "--as", "ana"])
    }

    /// A shell with a draft, and with another list open before.
    private func drafting() throws -> SamelistProcess {
        let ana = try shell()
        try ana.ask("open food")
        #expect(try ana.ask("edit k7").hasPrefix("ok"))
        #expect(try ana.ask("draft k7 title=mine") == "ok")
        return ana
    }

    @Test func `of lost data the copy is read, with work and drafts`() throws {
        let ana = try drafting()
        #expect(try ana.ask("offline") == "ok")
        #expect(try ana.ask("set k7 a=1") == "ok pending")
        #expect(try ana.end() == 0)
        samelist.server.stop()
        try FileManager.default.removeItem(at: samelist.place.path("data"))
        try samelist.server.start()
        let again = try shell()
        #expect(try again.ask("open food").hasPrefix("error no_such_list the server no longer"))
        #expect(try again.rows(of: "list") == ["k7 a=1 title=\"Milk\"", "ok 1"])
        #expect(try again.rows(of: "pending") == ["1 set k7 a=1", "ok 1"])
        #expect(try again.rows(of: "editors") == ["k7 draft open title=\"mine\"", "ok 1"])
        #expect(try again.ask("sync").hasPrefix("error no_such_list"))
        #expect(try again.ask("discard 1").hasPrefix("ok"))
        #expect(try again.ask("cancel k7") == "ok")
        #expect(try again.rows(of: "editors") == ["ok 0"])
    }

    @Test(arguments: [true, false])
    func `of a deleted list the drafts can be read and dropped`(isOpenThen: Bool) throws {
        let ana = try drafting()
        if !isOpenThen { #expect(try ana.end() == 0) }
        #expect(try samelist("drop", "food", "--force", "--as", "bo").status == 0)
        if isOpenThen {
            #expect(try ana.event() == "* vanished k7 list-deleted by bo")
            #expect(try ana.end() == 0)
        }
        let again = try shell()
        #expect(try again.ask("open food").hasPrefix("error list_deleted the list food was"))
        #expect(try again.rows(of: "list") == ["ok 0"])
        #expect(
            try again.rows(of: "editors").first?.hasPrefix("k7 draft vanished list-deleted") == true
        )
        #expect(try again.rows(of: "pending") == ["ok 0"])
        for command in ["save-new k7", "add title=Tea", "set k7 a=1"] {
            #expect(try again.ask(command).hasPrefix("error list_deleted"), "\(command)")
        }
        #expect(try again.ask("cancel k7") == "ok")
        #expect(try again.rows(of: "editors") == ["ok 0"])
    }
}
