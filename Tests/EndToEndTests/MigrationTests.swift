import Foundation
import Testing

@testable import Storage

@Suite("samelistd meets older and newer formats", .timeLimit(.minutes(5)))
final class MigrationTests {
    private let place: URL

    init() throws { place = try temporaryFolder() }

    deinit { try? FileManager.default.removeItem(at: place) }

    /// A folder with so many lists, as a server of format 1 left it: the tables were these, and
    /// nothing was said of formats.
    private func makeFirst(_ folder: String, lists: Int) throws {
        let path = place.path + "/" + folder
        let storage = try SQLiteLogStorage.open(folder: path)
        for number in 1...lists { try storage.create("l\(number)", epoch: "l.e") }
        storage.close()
        try change(folder, "DROP TABLE formats", "PRAGMA user_version = 1")
    }

    private func change(_ folder: String, _ statements: String...) throws {
        let database = try Database(place.path + "/" + folder + "/samelist.db", .ordinary)
        for statement in statements { try database.run(statement) }
    }

    private func version(_ file: String) throws -> Int64? {
        let path = place.path + "/" + file
        return try Database(path, .looking(at: path)).first("PRAGMA user_version") {
            $0.integer(0)
        }
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.path + "/" + folder).sorted()
    }

    @Test func `a server makes a new format of the old one, says so, and keeps the old`() throws {
        try makeFirst("data", lists: 3)
        let looked = try run(["check", "--data", "data"], in: place)
        #expect(looked.output == "data: 3 lists, 0 entries; nothing is wrong\n")
        #expect(try version("data/samelist.db") == 1)

        let (daemon, _, _) = try Daemon.serving(["--data", "data"], in: place)
        let line = try daemon.errorLine { $0.contains("event=migrated") }
        #expect(line.contains("from=1 to=2") && line.contains("data/samelist.db.before-v2"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
        #expect(
            try names("data") == ["samelist.db", "samelist.db.before-v2", "samelist.db.lock"])
        let checked = try run(["check", "--data", "data"], in: place).output
        #expect(checked.contains("data: format 2 since 2") && checked.contains("before that 1\n"))

        // The way back.
        let back = try run(
            ["restore", "--data", "new", "--from", "data/samelist.db.before-v2"], in: place)
        #expect(back.code == 0)
    }

    @Test func `a newer format is refused in a sentence, and left alone`() throws {
        try makeFirst("data", lists: 1)
        try change("data", "PRAGMA user_version = 9")
        for verb in ["serve", "check", "compact"] {
            let ended = try run(
                [verb, "--data", "data"] + (verb == "serve" ? ["--listen", "127.0.0.1:0"] : []),
                in: place)
            #expect(ended.code == 1 && ended.errors.contains("has format 9, and this program"))
        }
        for (verb, flag) in [("backup", "--to"), ("export", "--to")] {
            let ended = try run([verb, "--data", "data", flag, "out"], in: place)
            #expect(ended.code == 1 && ended.errors.contains("has format 9, and this program"))
        }
        #expect(try version("data/samelist.db") == 9)
        #expect(!FileManager.default.fileExists(atPath: place.path + "/out"))
    }

    /// Runs the program until its call with this number, which kills it; false where it came to
    /// its end before.
    private func compact(_ folder: String, killedAt call: String, _ number: Int) throws -> Bool {
        let strace = Process()
        strace.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        strace.arguments = [
            "-f", "-qq", "-o", "/dev/null", "-e",
            "inject=\(call):signal=SIGKILL:when=\(number)", try samelistd().path, "compact",
            "--data", folder,
        ]
        strace.currentDirectoryURL = place
        strace.standardOutput = FileHandle.nullDevice
        try strace.run()
        strace.waitUntilExit()
        return strace.terminationReason == .uncaughtSignal
    }

    /// Migrates and writes the file anew, both.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")),
        arguments: ["fsync,fdatasync", "?rename,?renameat,?renameat2", "?unlink,?unlinkat"])
    func `killed wherever it is, it leaves one format or the other, whole`(_ call: String) throws {
        var kills = 0
        while true {
            let data = "data\(kills)"
            try makeFirst(data, lists: 40)
            guard try compact(data, killedAt: call, kills + 1) else { break }
            kills += 1
            let found = try version("\(data)/samelist.db")
            #expect(found == 1 || found == 2)
            let checked = try run(["check", "--data", data], in: place)
            #expect(checked.output.hasSuffix("40 lists, 0 entries; nothing is wrong\n"), "\(kills)")
            if found == 2 { #expect(try version("\(data)/samelist.db.before-v2") == 1) }

            let again = try run(["compact", "--data", data], in: place)
            #expect(again.code == 0, "\(again.errors)")
            #expect(
                try names(data) == ["samelist.db", "samelist.db.before-v2", "samelist.db.lock"])
            #expect(try version("\(data)/samelist.db") == 2)
            #expect(try version("\(data)/samelist.db.before-v2") == 1)
        }
        #expect(kills > 1)
    }
}
