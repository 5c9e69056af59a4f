import Foundation
import ListModel
import ListProtocol
import Storage
import Testing

@Suite("samelistd explain and top", .timeLimit(.minutes(5)))
final class ExplainTests {
    private let place: URL

    init() throws { place = try temporaryFolder() }

    deinit { try? FileManager.default.removeItem(at: place) }

    private func makeData(_ key: String = "food") throws {
        let milk = try #require(ElementID("milk"))
        let (tea, mint) = (try #require(ElementID("tea")), try #require(ElementID("mint")))
        let works: [(by: String, does: [ResolvedOperation], skips: [Skip])] = [
            ("ana", [.insert(milk, after: .first, ["title": .text("Milk")])], []),
            (
                "bo", [.insert(tea, after: .after(milk), [:]), .insert(mint, after: .first, [:])],
                []
            ),
            ("bo", [.set(milk, ["title": .text("Oat\u{202E} milk\u{1B}[31m"), "n": .int(2)])], []),
            ("eve", [.count(milk, try #require(FieldName("n")), by: .int(1), is: .int(3))], []),
            ("eve", [.move([tea, milk], after: .after(mint))], []),
            ("ana", [.delete(milk)], []),
            (
                "bo", [.set(tea, ["n": .int(1)])],
                [Skip(operation: 0, id: milk, code: .removed, by: UserName("ana"))]
            ),
            ("ana", [.restore(milk, ["title": .text("Milk")])], []),
            ("ana", [.set(milk, ["title": .null])], []),
        ]
        let storage = try SQLiteLogStorage.open(folder: place.path + "/data")
        defer { storage.close() }
        try storage.create(key, epoch: "list1.log1")
        for (index, work) in works.enumerated() {
            let number = UInt64(index) + 1
            let entry = Entry(
                version: Version(number), at: Timestamp(milliseconds: Int64(number) * 1_000),
                by: try #require(UserName(work.by)),
                client: try #require(ClientID("c-\(work.by)")), n: MutationNumber(number),
                operations: work.does, skips: work.skips)
            try storage.append(
                [MessageEncoder.encodeEntryRecord(entry)], to: key, after: number - 1)
        }
    }

    private func explain(_ words: String...) throws -> Ended {
        try run(["explain"] + words + ["--data", "data"], in: place)
    }

    @Test func `each deed is told with who, when, before and after`() throws {
        try makeData()
        let ended = try explain("food", "milk")
        #expect(ended.code == 0 && ended.errors.isEmpty)
        let expected = """
            food milk: there, {}
            version 1  1970-01-01T00:00:01Z  ana (client c-ana, mutation 1)
                inserted first: {"title":"Milk"}
            version 3  1970-01-01T00:00:03Z  bo (client c-bo, mutation 3)
                n: was nothing, is 2
                title: was "Milk", is "Oat\u{FFFD} milk\\u001b[31m"
            version 4  1970-01-01T00:00:04Z  eve (client c-eve, mutation 4)
                n: was 2, is 3
            version 5  1970-01-01T00:00:05Z  eve (client c-eve, mutation 5)
                moved behind tea
            version 6  1970-01-01T00:00:06Z  ana (client c-ana, mutation 6)
                deleted; it was {"n":3,"title":"Oat\u{FFFD} milk\\u001b[31m"}
            version 7  1970-01-01T00:00:07Z  bo (client c-bo, mutation 7)
                skipped: removed, because of ana
            version 8  1970-01-01T00:00:08Z  ana (client c-ana, mutation 8)
                restored: {"title":"Milk"}
            version 9  1970-01-01T00:00:09Z  ana (client c-ana, mutation 9)
                title: was "Milk", is nothing
            Who was told is not known: no server runs in data.

            """
        #expect(ended.output == expected)
    }

    @Test func `what the log no longer holds is said to be not known`() throws {
        try makeData()
        #expect(try run(["compact", "--data", "data", "--history", "4"], in: place).code == 0)
        let lines = try explain("food", "milk").output.split(separator: "\n").map(String.init)
        #expect(lines[1] == "The log reaches back to version 6; what was before is not known.")
        #expect(lines[2].hasPrefix("version 6 ") && lines[3] == "    deleted")
        #expect(try explain("food", "mint").output.contains("food mint: there, {}\n"))
    }

    @Test func `an ID may be cut short where it is the only one`() throws {
        try makeData()
        #expect(try explain("food", "mil").output.hasPrefix("food milk: there"))
        let two = try explain("food", "mi")
        #expect(two.code == 1 && two.errors.contains("2 elements begin like this"))
        let none = try explain("food", "zzz")
        #expect(none.code == 1 && none.output == "food zzz: nothing is known of it\n")
        let list = try explain("fud", "milk")
        #expect(list.code == 1 && list.errors.contains("there is no list fud in data"))
        let tenant = try explain("food", "milk", "--tenant", "acme")
        #expect(tenant.code == 1 && tenant.errors.contains("there is no list acme/food"))
        #expect(try explain("food").code == 2)
        #expect(try explain("FOOD", "milk").code == 2)
    }

    @Test func `programs get an object, beside a running server, of a tenant's list`() throws {
        try makeData("acme/food")
        let (daemon, _, _) = try Daemon.serving(["--data", "data"], in: place)
        let ended = try explain("food", "milk", "--tenant", "acme", "--json")
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any])
        #expect(object["tenant"] as? String == "acme" && object["state"] as? String == "living")
        #expect((object["steps"] as? [Any])?.count == 8 && (object["readers"] as? [Any]) != nil)
        #expect(
            try explain("food", "milk", "--tenant", "acme").output.hasSuffix(
                "Nobody has the list open now.\n"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `top prints once where there is no terminal, and says where there is no server`()
        throws
    {
        try makeData()
        let none = try run(["top", "--data", "data"], in: place)
        #expect(none.code == 1 && none.output.isEmpty)
        #expect(
            none.errors == "samelistd: no server runs in data; start it with samelistd serve, "
                + "or name its folder with --data.\n")
        let (daemon, _, port) = try Daemon.serving(["--data", "data"], in: place)
        let socket = place.path + "/data/samelistd.sock"
        let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        for flags in [[], ["--once"]] {
            let lines = try run(["top", "--data", "data"] + flags, in: place).output
                .split(separator: "\n").map(String.init)
            #expect(lines[0].hasPrefix("samelistd 0.1.0  data  up 00:00:0"))
            #expect(lines[1].hasPrefix("connections 0, 0 behind   lists 1, 0 in memory"))
            #expect(lines.last == "LIST  ROWS  OPEN  ENTRIES/S  BEHIND  LAG  WAITING  VERSION")
        }
        let ended = try run(["top", "--data", "data", "--json"], in: place)
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any])
        #expect(object["v"] as? Int == 1 && object["state"] as? String == "ready")
        #expect(
            try RawSocket.get("/metrics", port: port).body.contains("\nsamelist_lag_entries 0\n"))
        daemon.signal(SIGKILL)
        _ = daemon.end()
        // What it left does not answer, and is in nobody's way.
        #expect(FileManager.default.fileExists(atPath: socket))
        #expect(try run(["top", "--data", "data"], in: place).errors == none.errors)
        let (again, _, _) = try Daemon.serving(["--data", "data"], in: place)
        #expect(try run(["top", "--data", "data", "--json"], in: place).code == 0)
        again.signal(SIGTERM)
        #expect(again.end().code == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test func `a folder with a long name has a socket, too`() throws {
        let long = Array(repeating: String(repeating: "x", count: 100), count: 3)
            .joined(separator: "/")
        let (daemon, _, _) = try Daemon.serving(["--data", long], in: place)
        #expect(try run(["top", "--data", long, "--json"], in: place).code == 0)
        daemon.signal(SIGTERM)
        #expect(daemon.end().errors.isEmpty)
    }
}
