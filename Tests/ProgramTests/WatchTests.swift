import Foundation
import Testing

@Suite("samelist watch") struct WatchTests {
    let samelist: SamelistProgram

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
        for id in ["a", "b", "c"] { try samelist("add", "food", id, "--id", id, "--as", "bo") }
    }

    @Test func `what came before is told first, each once`() throws {
        let all = try samelist("watch", "food", "--since", "0", "--json", "--count", "3")
        #expect(try all.objects.compactMap { $0["version"] as? Int } == [1, 2, 3])
        let some = try samelist("watch", "food", "--since", "2", "--for", "0.2", "--plain")
        #expect(some.lines.count == 1)
        #expect(some.output.split(separator: "\t").first == "3")
        let ahead = try samelist("watch", "food", "--since", "9", "--for", "0.2")
        #expect(ahead.output.isEmpty)
        #expect(ahead.errors.contains("food is at version 3, so nothing came behind 9"))
        #expect(try samelist("watch", "food", "--since", "x").status == 2)
        let watcher = try SamelistProcess(samelist, ["watch", "food", "--since", "3", "--json"])
        try samelist("rm", "food", "a")
        #expect(try watcher.line().contains("\"op\":\"delete\""))
    }

    @Test func `a command runs for each change, one after the other`() throws {
        let script =
            "echo $SAMELIST_LIST $SAMELIST_VERSION $SAMELIST_OP $SAMELIST_ID $SAMELIST_BY; cat"
        let told = try samelist(
            "watch", "food", "--since", "1", "--count", "2", "-q", "--", "sh", "-c", script)
        #expect(told.status == 0)
        #expect(told.lines.count == 4)
        #expect(told.lines[0] == "food 2 add b bo")
        #expect(try told.objects(told.lines[1]).first?["id"] as? String == "b")
        #expect(told.lines[2] == "food 3 add c bo")
    }

    @Test func `one that fails, or reads nothing, ends nothing`() throws {
        let failed = try samelist(
            "watch", "food", "--since", "0", "--count", "3", "false")
        #expect(failed.status == 0)
        #expect(failed.errors.contains("\"false\" ended with 1."))
        let missing = try samelist("watch", "food", "--since", "0", "--count", "1", "no-such-one")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("cannot run \"no-such-one\""))
    }

    @Test func `another log under it is told as resynced, and it goes on`() throws {
        let backup = samelist.place.path("backup").path
        let data = samelist.place.path("data").path
        let done = try samelist.shell("samelistd backup --data '\(data)' --to '\(backup)'")
        #expect(done.status == 0)
        try samelist("add", "food", "lost", "--id", "d")
        // From a version on: what comes before the watcher has opened the list is told, too.
        let watcher = try SamelistProcess(
            samelist, ["watch", "food", "--json", "--since", "4"])
        try samelist("add", "food", "seen", "--id", "e")
        #expect(try watcher.line().contains("\"id\":\"e\""))
        samelist.server.stop()
        let restored = try samelist.shell(
            "samelistd restore --from '\(backup)' --data '\(data)' --force")
        #expect(restored.status == 0)
        try samelist.server.start()
        #expect(try watcher.line().contains("\"event\":\"resynced\""))
        try samelist("add", "food", "new", "--id", "f")
        #expect(try watcher.line().contains("\"id\":\"f\""))
    }

    @Test(arguments: [[], ["--json"]])
    func `a list that the server knows no more ends it, as one that was dropped`(
        flags: [String]
    ) throws {
        // Once it tells this change, it has asked the server all that it asks.
        let watcher = try SamelistProcess(samelist, ["watch", "food", "--since", "2"] + flags)
        var told = try watcher.line()
        while told.hasPrefix("Watching") { told = try watcher.line() }
        samelist.server.kill()
        let data = samelist.place.path("data")
        try FileManager.default.moveItem(at: data, to: samelist.place.path("away"))
        try samelist.server.start()
        var said = try watcher.line()
        while !said.contains("no longer knows") { said = try watcher.line() }
        #expect(watcher.wait() == 5)
        guard !flags.isEmpty else {
            return #expect(said.hasPrefix("samelist: the server no longer knows the list food, "))
        }
        #expect(said.contains("\"code\":\"no_such_list\""))
        #expect(said.contains("\"exit\":5"))
    }
}
