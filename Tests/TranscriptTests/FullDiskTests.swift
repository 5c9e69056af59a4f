import ListModel
import PairHarness
import Testing

/// A shell whose own disk is full.
@Suite("A shell that cannot keep what is done") struct FullDiskTests {
    private let world = World(seed: 1, Conditions())

    @Test(arguments: [true, false])
    func `it says so, goes on reading, and sends once there is room`(online: Bool) throws {
        let list = try #require(ListName("food"))
        let ana = ShellWindow(world, "ana", on: list)
        try ana.start()
        #expect(try ana.send("add title=Milk --id k7") == "ok k7")
        if !online { #expect(try ana.send("offline") == "ok") }
        ana.node.isDiskFull = true
        #expect(try ana.send("set k7 title=Tea").hasPrefix("error storage_failed"))
        #expect(try ana.send("add title=Jam --id j").hasPrefix("error storage_failed"))
        #expect(try ana.send("list") == "ok 2")
        #expect(try ana.send("pending") == "ok 2")
        #expect(ana.events.filter { $0.contains("state-failed") }.count == 1)
        ana.node.isDiskFull = false
        if !online { _ = try ana.send("online") }
        #expect(try ana.send("sync") == "ok")
        #expect(try ana.send("pending") == "ok 0")
        #expect(world.server.disk.entries(of: list).count == 3)
        #expect(try ana.send("set k7 title=Coffee") == "ok 4")
    }
}
