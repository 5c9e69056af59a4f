import Foundation
import Testing

@Suite("samelist when its server's data went back") struct RestoredBackupTests {
    let samelist: SamelistProgram

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
        try samelist("add", "food", "Milk", "--id", "k7")
    }

    private func daemon(_ words: String...) throws {
        let process = Process()
        process.executableURL = Place.program("samelistd")
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Unexpected("\(words) failed") }
    }

    @Test func `CL6: a restored backup is told in a shell and by watch, each once`() throws {
        let (data, copy) = (samelist.place.path("data").path, samelist.place.path("copy.db").path)
        try daemon("backup", "--data", data, "--to", copy)
        try samelist("set", "food", "k7", "a=1")
        let shell = try SamelistProcess(samelist, ["shell", "--as", "ana"])
        try shell.ask("open food")
        let watch = try SamelistProcess(samelist, ["watch", "food"])
        #expect(try watch.line() == "Watching food from version 2. Ctrl-C ends it.")
        #expect(try shell.ask("edit k7 --live").hasPrefix("ok"))
        samelist.server.stop()
        #expect(try shell.ask("set k7 b=2") == "ok pending")
        try daemon("restore", "--data", data, "--from", copy, "--force")
        try samelist.server.start()
        let words =
            "he list goes on from another log, at version 1 (here it was at 2): a backup was "
            + "restored, or the server lost what came last; what is pending here is proposed again"
        #expect(try shell.event() == "* log-replaced food t" + words)
        #expect(try shell.event() == "* changed k7 a=null by root")
        #expect(try shell.ask("sync") == "ok")
        #expect(try samelist("ls", "food").output.hasPrefix("k7 [ ] Milk   b=2"))
        #expect(try watch.line() == "The server is away; trying again.")
        #expect(try watch.line() == "The server is back.")
        #expect(try watch.line() == "T" + words + ".")
        #expect(try watch.line().hasPrefix("resynced"))
    }

    @Test func `of a list that the server lost, what waits here is told, and no other name`()
        throws
    {
        let shell = try SamelistProcess(samelist, ["shell", "--as", "ana"])
        try shell.ask("open food")
        #expect(try shell.end() == 0)
        samelist.server.stop()
        try FileManager.default.removeItem(at: samelist.place.path("data"))
        try samelist.server.start()
        let again = try SamelistProcess(samelist, ["shell", "--as", "ana"])
        let answer = try again.ask("open food")
        #expect(answer.hasPrefix("error no_such_list the server no longer knows the list food"))
        #expect(answer.contains("a list made anew under this name is another one"))
        #expect(!answer.contains("did you mean"))
        #expect(try again.ask("set k7 b=2") == "ok pending")
        _ = try again.end()
        let told = try samelist("ls", "food", "--as", "ana")
        #expect(told.status == 1 && told.errors.contains("work waits for it on this machine"))
        #expect(try samelist("ls", "food", "--as", "bob").errors.contains("Make it with"))
    }
}
