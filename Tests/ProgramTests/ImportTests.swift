import Foundation
import Testing

@Suite("samelistd import under people's eyes", .timeLimit(.minutes(5))) struct ImportTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `who has the list open hears the difference, and goes on working`() throws {
        let ana = try SamelistProcess(desk.samelist, ["shell", "--as", "ana"])
        #expect(try ana.ask("open food").hasPrefix("ok"))
        #expect(try ana.ask("edit k7").hasPrefix("ok"))
        #expect(try ana.ask("edit m2").hasPrefix("ok"))
        let data = desk.samelist.place.path("data").path
        desk.samelist.server.stop()
        let done = try desk.samelist.shell(
            """
            samelistd export --data '\(data)' --to - 2>&1 >out | cat
            sed -i 's/"Milk"/"Oat milk"/; /"id":"m2"/d; s/"elements":3/"elements":2/' out
            samelistd import --data '\(data)' --from out --force
            samelistd check --data '\(data)'
            """)
        #expect(done.output.contains("1 list, 2 elements and 0 deleted are imported into"))
        #expect(done.output.contains("nothing is wrong"))
        try desk.samelist.server.start()
        #expect(try ana.ask("sync").hasPrefix("ok"))
        #expect(ana.events.contains { $0.hasPrefix("* changed k7 title=\"Oat milk\"") })
        #expect(ana.events.contains { $0.hasPrefix("* vanished m2 ") })
        #expect(try ana.ask("add title=Salt").hasPrefix("ok"))
        try desk.expect(["Oat milk", "Jam", "Salt"])
    }
}
