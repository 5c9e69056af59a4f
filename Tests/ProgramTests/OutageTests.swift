import Foundation
import Testing

@Suite("samelist while the server dies") struct OutageTests {
    let samelist: SamelistProgram
    private let rows = (1...20_000).map { "{\"id\":\"r\($0)\",\"fields\":{\"n\":\($0)}}\n" }

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
        try Data(rows.joined().utf8).write(to: samelist.place.path("rows.jsonl"))
    }

    /// An import of which the server has taken something.
    private func begun(_ flags: String...) throws -> SamelistProcess {
        let file = samelist.place.path("rows.jsonl").path
        let running = try SamelistProcess(samelist, ["import", "food", file] + flags)
        let deadline = Date(timeIntervalSinceNow: 30)
        while try samelist("lists").output.contains(" 0 rows") {
            guard Date() < deadline else { throw Unexpected("nothing was imported") }
        }
        return running
    }

    @Test func `a server that comes back gets every row once`() throws {
        let running = try begun("--timeout", "30")
        samelist.server.kill()
        try samelist.server.start()
        #expect(try running.line().hasPrefix("Imported 20000 rows into food"))
        #expect(running.wait() == 0)
        #expect(try samelist("export", "food").output == rows.joined())
    }

    @Test func `of a server that stays away it is said that nothing is known`() throws {
        let running = try begun("--timeout", "0.5")
        samelist.server.kill()
        let sentence = try running.line()
        // The oldest part that had no answer was on its way, or was not sent yet.
        let wasSent = sentence.contains("it is not known whether this was done")
        #expect(wasSent || sentence.contains("so the rest was not written"), "\(sentence)")
        #expect(sentence.hasSuffix("rows were imported."))
        #expect(running.wait() == (wasSent ? 6 : 3))
        try samelist.server.start()
        let kept = try samelist("export", "food").output
        #expect(kept == rows.prefix(kept.filter { $0 == "\n" }.count).joined())
        #expect(try samelist("export", "food").output == kept, "nothing comes later")
    }

    @Test func `Ctrl-C says how far an import was`() throws {
        let running = try begun()
        running.signal(SIGINT)
        #expect(try running.line().contains("of 20000 rows are imported"))
        #expect(running.wait() == 130)
    }
}
