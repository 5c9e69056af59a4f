import Foundation
import Testing

@Suite("The full screen: without a server", .enabled(if: hasTmux))
struct FullScreenOfflineTests {
    @Test func `a row is edited again before its first change was sent`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        desk.samelist.server.kill()
        try screen.see("retry in")
        try screen.type("e FIRST", "Enter")
        try screen.see("1 change waiting")
        try screen.type("e SECOND")
        try screen.see("> [ ] Milk FIRST SECOND")
        try screen.type("", "Enter")
        try screen.see("1 change waiting")
        try desk.samelist.server.start()
        try screen.type("R")
        try screen.see("online  version 2")
        try desk.expect(["Milk FIRST SECOND", "Tea", "Jam"])
        #expect(try desk.samelist("ls", "food").output.contains("[x]") == false)
    }

    @Test func `a second screen of the same user starts from the copy of the first`() throws {
        let desk = try Desk()
        let first = try desk.screen()
        desk.samelist.server.kill()
        try first.see("offline since ")
        try first.type("d")
        try first.see("1 change waiting")
        let second = try desk.screen(sees: "> [ ] Milk\n  [ ] Tea\n  [ ] Jam")
        try second.see(no: "waiting")
        try second.type("je, green", "Enter")
        try second.see("1 change waiting")
        try desk.samelist.server.start()
        for screen in [first, second] {
            try screen.type("R")
            try screen.see("online  version 3")
        }
        try desk.expect(["Tea, green", "Jam"])
    }

    @Test func `status tells what waits in a screen that is open`() throws {
        let desk = try Desk()
        let screen = try desk.screen()
        desk.samelist.server.kill()
        try screen.see("offline since ")
        try screen.type("jd")
        try screen.see("1 change waiting")
        try screen.type("ke half")
        try screen.see("Milk half")
        let status = try desk.samelist("status", "--as", "ana")
        #expect(status.status == 3)
        #expect(status.output.contains("screen-1  food: 1 change waiting, 1 draft   in use now"))
        #expect(status.output.contains("delete m2"))
        #expect(status.output.contains("draft k7 title=\"Milk half\""))
        let object = try desk.samelist("status", "--as", "ana", "--json").objects.first
        let client = try #require((object?["clients"] as? [[String: Any]])?.first)
        #expect(client["state"] as? String == "in_use")
        let list = try #require((client["lists"] as? [[String: Any]])?.first)
        #expect(list["pending"] as? Int == 1 && list["drafts"] as? Int == 1)
        let plain = try desk.samelist("status", "--as", "ana", "--plain").lines
        #expect(plain.contains("screen-1\tin_use\tfood\t1\t1\t0\t0"))
    }

    @Test func `the text of an editor that met a conflict is named at exit and at the next start`()
        throws
    {
        let desk = try Desk()
        let script =
            "sed -i 's/Jam/Jam of figs/' \"$1\"; samelist set food p9 title=Honey --as bo; : #"
        let screen = try desk.screen(variables: ["VISUAL": script])
        try screen.type("GE")
        try screen.see("   mine    Jam of figs\n   theirs  Honey")
        try screen.type("", "C-c")
        try screen.see("samelist: your text for \"Honey\" is kept")
        try screen.see("samelist: a text of yours that was not saved is in ")
        try screen.see("edit/food-p9.txt")
        try screen.see("ended 130")
        try desk.open(on: screen, sees: "goes on with it. A text of your")
        try screen.see("edit/food-p9.txt")
    }
}
