import Foundation
import ListModel
import ListProtocol
import Storage
import Testing

@Suite("samelistd export, import and compact", .timeLimit(.minutes(5)))
final class ExportTests {
    private let place: URL

    init() throws { place = try temporaryFolder() }

    deinit { try? FileManager.default.removeItem(at: place) }

    /// A folder with a list of this many rows, `e1` first, of which `e2` was deleted.
    private func makeData(_ key: String = "l", rows: UInt64 = 5) throws {
        let storage = try SQLiteLogStorage.open(folder: place.path + "/data")
        defer { storage.close() }
        try storage.create(key, epoch: "list1.log1")
        var operations = [ResolvedOperation.describe(title: "A \"list\"", schema: nil)]
        var after = Anchor.first
        for n in 1...rows {
            let id = try #require(ElementID("e\(n)"))
            operations.append(
                .insert(id, after: after, ["title": .text("row\n\(n) é"), "n": .int(Int64(n))]))
            after = .after(id)
        }
        operations.append(.delete(try #require(ElementID("e2"))))
        for (index, operation) in operations.enumerated() {
            let entry = Entry(
                version: Version(UInt64(index) + 1), at: Timestamp(milliseconds: Int64(index)),
                by: try #require(UserName("ana")), client: try #require(ClientID("c")),
                n: MutationNumber(UInt64(index) + 1), operations: [operation])
            try storage.append(
                [MessageEncoder.encodeEntryRecord(entry)], to: key, after: UInt64(index))
        }
    }

    private func export(_ data: String = "data", _ more: String...) throws -> [String] {
        let ended = try run(["export", "--data", data, "--to", "-"] + more, in: place)
        #expect(ended.code == 0, "\(ended.errors)")
        return ended.output.split(separator: "\n").map(String.init)
    }

    private func write(_ lines: [String], to name: String = "in.jsonl") throws {
        let text = lines.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: place.appendingPathComponent(name))
    }

    private func importing(_ more: String..., into data: String = "new") throws -> Ended {
        try run(["import", "--data", data, "--from", "in.jsonl"] + more, in: place)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: place.path + "/" + name)
    }

    @Test func `what is exported and imported is exported again as it was`() throws {
        try makeData()
        try makeData("acme/l", rows: 2)
        let whole = try run(["export", "--data", "data", "--to", "in.jsonl"], in: place)
        #expect(
            whole.output == "2 lists, 5 elements and 2 deleted of data are exported to in.jsonl\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: place.path + "/in.jsonl")
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let imported = try importing()
        #expect(
            imported.output == "2 lists, 5 elements and 2 deleted are imported into new\n",
            "\(imported.errors)")
        let lines = try export()
        #expect(try Array(export("new").dropFirst()) == Array(lines.dropFirst()))
        #expect(lines[0].hasPrefix(#"{"samelist":"export","format":1,"at":"#))
        #expect(
            lines[1] == #"{"list":"l","tenant":"acme","title":"A \"list\"","version":4,"at":3}"#)
        #expect(
            lines[2] == #"{"id":"e1","fields":{"n":1,"title":"row\n1 é"},"version":2,"placed":2,"#
                + #""by":"ana","at":1}"#)
        #expect(lines[3].hasSuffix(#""deleted":{"version":4,"by":"ana","at":3}}"#))
        #expect(lines.last == #"{"end":"export","lists":2,"elements":5,"deleted":2}"#)
        #expect(try run(["check", "--data", "new"], in: place).code == 0)
    }

    @Test func `lists are chosen by name and tenant, and deleted rows left out`() throws {
        try makeData()
        try makeData("acme/l")
        try makeData("other")
        let heads = { (lines: [String]) in lines.filter { $0.hasPrefix(#"{"list""#) }.count }
        #expect(try heads(export("data", "--list", "l,x*")) == 2)
        #expect(try heads(export("data", "--list", "*", "--tenant", "acme")) == 1)
        #expect(try !export("data", "--living").joined().contains("e2"))
        let none = try run(["export", "--data", "data", "--list", "x*", "--to", "no"], in: place)
        #expect(none.code == 1 && none.errors.contains("has such a name") && !exists("no"))
        let stranger = try run(
            ["export", "--data", "data", "--tenant", "acne", "--to", "no"], in: place)
        #expect(stranger.code == 1 && stranger.errors.contains("of such a tenant") && !exists("no"))
        for wrong in ["", "A", "a b", "a,"] {
            let ended = try run(
                ["export", "--data", "data", "--list", wrong, "--to", "-"], in: place)
            #expect(ended.code == 2)
        }
    }

    @Test func `an export is made beside a running server, and replaces nothing`() throws {
        try makeData()
        let (daemon, _, _) = try Daemon.serving(["--data", "data"], in: place)
        #expect(try export().count == 8)
        let to = try run(["export", "--data", "data", "--to", "out"], in: place)
        #expect(to.code == 0)
        let again = try run(["export", "--data", "data", "--to", "out"], in: place)
        #expect(again.code == 1 && again.errors.contains("is there already"))
        try write(export())
        for verb in [["import", "--from", "in.jsonl", "--force"], ["compact"]] {
            let busy = try run(verb + ["--data", "data"], in: place)
            #expect(busy.code == 1 && busy.errors.contains("Another process"))
        }
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
        #expect(try run(["check", "--data", "data"], in: place).code == 0)
    }

    @Test func `a list that is there is replaced by force alone, and stays the same list`() throws {
        try makeData()
        var lines = try export()
        try write(lines)
        let refused = try importing(into: "data")
        #expect(refused.code == 1 && refused.errors.contains("line 2: there is a list l already"))

        lines[2] = lines[2].replacing(#""n":1"#, with: #""n":7"#)
        try write(lines)
        let forced = try importing("--force", into: "data")
        #expect(forced.code == 0, "\(forced.errors)")
        #expect(try export()[2].contains(#""n":7"#))
        let storage = try SQLiteLogStorage.open(folder: place.path + "/data")
        let list = try #require(try storage.lists().first { $0.name == "l" })
        #expect(list.epoch.hasPrefix("list1.") && list.epoch != "list1.log1")
        // What clients logged before is remembered.
        let clients = try #require(try storage.snapshot(of: "l")?.parts.last)
        #expect(String(decoding: clients, as: UTF8.self).contains(#"["c","#))
        storage.close()
        #expect(try run(["check", "--data", "data"], in: place).code == 0)

        #expect(try importing("--as", "copy", into: "data").code == 0)
        #expect(try export("data", "--list", "copy").count == 8)
        #expect(try run(["serve", "--as", "x", "--limit", "x"], in: place).code == 2)
    }

    /// What is done to the lines of a sound export of one list, and what is said.
    private static let wrongs: [(say: String, change: @Sendable (inout [String]) -> Void)] = [
        ("line 1: this is no export", { $0.removeFirst() }),
        ("line 1: this is no export", { $0 = ["id,title", "1,Milk"] }),
        ("has format 2", { $0[0] = $0[0].replacing(#"format":1"#, with: #"format":2"#) }),
        ("line 2: no list was named", { $0.remove(at: 1) }),
        ("line 4: \"fields\" is missing", { $0[3] = $0[3].replacing("fields", with: "feilds") }),
        ("line 4: the JSON is not valid JSON", { $0[3].removeLast() }),
        ("line 4: the JSON is no line of an export", { $0[3] = #"{"title":"Milk"}"# }),
        ("line 4: e1 is in this list already", { $0[3] = $0[2] }),
        (
            "line 4: it is of a later version",
            { $0[3] = $0[3].replacing("version\":", with: "version\":9") }
        ),
        ("line 4: \"at\" is later", { $0[3] = $0[3].replacing("\"at\":2,", with: "\"at\":99,") }),
        (
            "line 2: \"at\" lies in the future",
            { $0[1] = $0[1].replacing("at\":6", with: "at\":9999999999999") }
        ),
        ("line 2: \"tenant\" must", { $0[1] = $0[1].replacing("{", with: "{\"tenant\":\"A/b\",") }),
        ("line 2: \"list\" must", { $0[1] = $0[1].replacing("\"l\"", with: "\"L l\"") }),
        ("line 7: it counts 1 lists, 4 elements", { $0.remove(at: 4) }),
        ("line 7: the export ends here", { $0.removeLast() }),
        ("line 9: something follows", { $0.append("{}") }),
        ("line 8: here another export", { $0 = $0.dropLast() + $0 }),
        ("line 8: the list l comes twice", { $0 = $0.dropLast() + $0.dropFirst() }),
        ("line 4: it has more than", { $0[3] = String(repeating: "x", count: 5 << 20) }),
        (
            "line 4: \"fields\" takes",
            { $0[3] = $0[3].replacing("row", with: String(repeating: "x", count: 70_000)) }
        ),
    ]

    @Test(arguments: wrongs.indices)
    func `what cannot be taken is told with its line, and nothing is imported`(at: Int) throws {
        try makeData()
        var lines = try export()
        #expect(lines.count == 8)
        Self.wrongs[at].change(&lines)
        try write(lines)
        let ended = try importing("--force", into: "data")
        #expect(ended.code == 1 && ended.errors.contains(Self.wrongs[at].say), "\(ended.errors)")
        #expect(ended.errors.contains("in.jsonl line ") && ended.errors.count { $0 == "\n" } == 1)
        #expect(ended.errors.hasSuffix("Nothing was imported.\n"))
        // The list that was to be replaced is as it was.
        #expect(try export().count == 8)
        let storage = try SQLiteLogStorage.open(folder: place.path + "/data")
        #expect(try storage.lists().map(\.epoch) == ["list1.log1"])
    }

    @Test func `limits hold for what is imported, as they are set for the server`() throws {
        try makeData()
        try write(export())
        let few = try importing("--limit", "length=3")
        #expect(few.code == 1 && few.errors.contains("line 7: a list holds at most 3 elements"))
        let fields = try importing("--limit", "fields=1")
        #expect(fields.errors.contains("line 3: \"fields\" holds 2 fields; the limit is 1"))
        #expect(try importing("--limit", "fields=2,length=4").code == 0)
    }

    @Test func `compact drops what the history does not keep, and gives the room back`() throws {
        try makeData(rows: 2_000)
        let all = try run(["compact", "--data", "data"], in: place)
        #expect(all.code == 0 && all.output.hasPrefix("data: 0 entries of 0 lists dropped; "))
        let before = try Array(export().dropFirst())
        let few = try run(["compact", "--data", "data", "--history", "10"], in: place)
        let found = try #require(
            few.output.firstMatch(
                of: /^data: 1992 entries of 1 list dropped; (\d+) bytes, (\d+) before\n$/),
            "\(few.output)\(few.errors)")
        let (small, large) = (try #require(Int(found.1)), try #require(Int(found.2)))
        #expect(small < large / 2)
        let size = try FileManager.default.attributesOfItem(
            atPath: place.path + "/data/samelist.db")[.size]
        #expect(size as? Int == small)
        #expect(try Array(export().dropFirst()) == before)
        let checked = try run(["check", "--data", "data"], in: place)
        #expect(checked.output == "data: 1 list, 10 entries; nothing is wrong\n")
        // By age: all of them are older.
        let aged = try run(["compact", "--data", "data", "--history", "1d"], in: place)
        #expect(aged.output.hasPrefix("data: 10 entries of 1 list dropped; "))
        #expect(try Array(export().dropFirst()) == before)
        let (daemon, _, _) = try Daemon.serving(["--data", "data"], in: place)
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
        let none = try run(["compact", "--data", "none"], in: place)
        #expect(none.code == 1 && none.errors.contains("no samelist.db") && !exists("none"))
    }
}
