import Foundation
import ListModel
import ListProtocol
import Storage
import Testing

@Suite("samelistd check, backup and restore") final class FolderTests {
    private let place: URL

    init() throws { place = try temporaryFolder() }

    deinit { try? FileManager.default.removeItem(at: place) }

    /// A folder with the list `l` of so many elements, as a server would have left it.
    private func folder(holding count: UInt64) throws -> URL {
        let folder = place
        let storage = try SQLiteLogStorage.open(folder: folder.path + "/data")
        defer { storage.close() }
        try storage.create("l", epoch: "list1.log1")
        for n in 1...count {
            try storage.append([record(n, "e\(n)")], to: "l", after: n - 1)
        }
        return folder
    }

    private func record(_ n: UInt64, _ id: String) throws -> [UInt8] {
        let element = try #require(ElementID(id))
        let entry = Entry(
            version: Version(n), at: Timestamp(milliseconds: Int64(n)),
            by: try #require(UserName("ana")), client: try #require(ClientID("c")),
            n: MutationNumber(n), operations: [.insert(element, after: .first, Fields())])
        return MessageEncoder.encodeEntryRecord(entry)
    }

    /// Every file and its bytes.
    private func contents(_ folder: String) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            found[name] = FileManager.default.contents(atPath: folder + "/" + name)
        }
        return found
    }

    @Test func `check finds nothing wrong, and changes nothing`() throws {
        let folder = try folder(holding: 50)
        let before = try contents(folder.path + "/data")
        let ended = try run(["check", "--data", "data"], in: folder)
        #expect(ended.code == 0 && ended.errors.isEmpty)
        #expect(ended.output == "data: 1 list, 50 entries; nothing is wrong\n")
        #expect(try contents(folder.path + "/data") == before)
    }

    @Test func `check names the list whose log does not fit`() throws {
        let folder = try folder(holding: 5)
        let storage = try SQLiteLogStorage.open(folder: folder.path + "/data")
        try storage.append([try record(6, "e1")], to: "l", after: 5)
        storage.close()
        let ended = try run(["check", "--data", "data"], in: folder)
        #expect(ended.code == 1)
        #expect(ended.output.hasPrefix("list l: "))
        #expect(ended.output.hasSuffix("data: 1 list, 0 entries; 1 flaw\n"))
    }

    @Test func `check says that there is nothing, or that a server runs`() throws {
        let folder = try folder(holding: 1)
        let nothing = try run(["check", "--data", "none"], in: folder)
        #expect(nothing.code == 1 && nothing.errors.contains("There is no"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
        let (daemon, _, _) = try Daemon.serving(["--data", "data"], in: folder)
        let busy = try run(["check", "--data", "data"], in: folder)
        #expect(busy.code == 1 && busy.errors.contains("Another process"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `CL6: a backup comes back as another log of the same list`() throws {
        let folder = try folder(holding: 20)
        let backup = try run(["backup", "--data", "data", "--to", "copy.db"], in: folder)
        #expect(backup.code == 0 && backup.output == "data is backed up to copy.db\n")
        let again = try run(["backup", "--data", "data", "--to", "copy.db"], in: folder)
        #expect(again.code == 1 && again.errors.contains("is there already"))

        let refused = try run(["restore", "--data", "data", "--from", "copy.db"], in: folder)
        #expect(refused.code == 1 && refused.errors.contains("--force"))
        let new = try run(["restore", "--data", "new/", "--from", "copy.db"], in: folder)
        #expect(new.code == 0 && new.output == "new holds the lists of copy.db\n")
        #expect(try epoch(folder.path + "/new").hasPrefix("list1."))
        #expect(try epoch(folder.path + "/new") != "list1.log1")

        let before = try contents(folder.path + "/data")
        let forced = try run(
            ["restore", "--data", "data", "--from", "copy.db", "--force"], in: folder)
        let kept = try #require(forced.output.split(separator: " ").last).dropLast()
        #expect(forced.code == 0 && kept.hasPrefix("data.before-"))
        #expect(try contents(folder.path + "/" + kept) == before)
        for data in ["data", "new"] {
            let checked = try run(["check", "--data", data], in: folder)
            #expect(checked.output == "\(data): 1 list, 20 entries; nothing is wrong\n")
        }
    }

    @Test func `a file is no folder, nor a folder a backup, which is said with what to do`() throws
    {
        let folder = try folder(holding: 1)
        #expect(try run(["backup", "--data", "data", "--to", "b.db"], in: folder).code == 0)
        let wrong: [([String], Int32, String)] = [
            (["check", "--data", "b.db"], 2, "b.db is a file, and --data names a folder"),
            (["restore", "--data", "b.db", "--from", "b.db"], 2, "restored into an empty one"),
            (
                ["restore", "--data", "new", "--from", "data"], 2,
                "that samelistd backup wrote"
            ),
            (
                ["backup", "--data", "data", "--to", "none/b.db"], 1,
                "no folder for none/b.db"
            ),
        ]
        for (words, code, sentence) in wrong {
            let ended = try run(words, in: folder)
            #expect(ended.code == code && ended.errors.contains(sentence), "\(ended.errors)")
        }
    }

    /// Where it dies: before the folders change hands, and right after.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")),
        arguments: [("renameat2", false), ("?renameat,?rename", true)])
    func `a restore that is killed leaves the old lists or the new ones, and both are whole`(
        _ call: String, _ isRestored: Bool
    ) throws {
        let folder = try folder(holding: 20)
        #expect(try run(["backup", "--data", "data", "--to", "copy.db"], in: folder).code == 0)
        let storage = try SQLiteLogStorage.open(folder: folder.path + "/data")
        try storage.append([try record(21, "e21")], to: "l", after: 20)
        storage.close()
        // The first `rename` fails, since the folder is not empty.
        let strace = Process()
        strace.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        strace.arguments = [
            "-f", "-qq", "-o", "/dev/null", "-e",
            "inject=\(call):signal=SIGKILL:when=\(isRestored ? 2 : 1)", try samelistd().path,
            "restore", "--data", "data", "--from", "copy.db", "--force",
        ]
        strace.currentDirectoryURL = folder
        try strace.run()
        strace.waitUntilExit()
        #expect(strace.terminationReason == .uncaughtSignal)

        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let draft = try #require(left.first { $0.hasPrefix("data.restoring-") })
        for (data, count) in [("data", isRestored ? 20 : 21), (draft, isRestored ? 21 : 20)] {
            let checked = try run(["check", "--data", data], in: folder)
            #expect(checked.output == "\(data): 1 list, \(count) entries; nothing is wrong\n")
        }
        let again = try run(
            ["restore", "--data", "data", "--from", "copy.db", "--force"], in: folder)
        #expect(again.code == 0)
        #expect(try run(["check", "--data", draft], in: folder).code == 0)
    }

    private func epoch(_ folder: String) throws -> String {
        let storage = try SQLiteLogStorage.open(folder: folder)
        defer { storage.close() }
        return try #require(storage.lists().first { $0.name == "l" }).epoch
    }

    @Test func `restore takes no folder from under its server, and no file that is none`() throws {
        let folder = try folder(holding: 1)
        #expect(try run(["backup", "--data", "data", "--to", "copy.db"], in: folder).code == 0)
        let (daemon, _, _) = try Daemon.serving(["--data", "data"], in: folder)
        let busy = try run(
            ["restore", "--data", "data", "--from", "copy.db", "--force"], in: folder)
        #expect(busy.code == 1 && busy.errors.contains("Another process"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
        try Data("no database".utf8).write(to: folder.appendingPathComponent("text.db"))
        for file in ["text.db", "none.db"] {
            let ended = try run(["restore", "--data", "new", "--from", file], in: folder)
            #expect(ended.code == 1 && !ended.errors.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
        }
        #expect(try run(["backup"], in: folder).code == 2)
        #expect(try run(["restore"], in: folder).code == 2)
    }
}
