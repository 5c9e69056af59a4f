import Foundation
import Testing

@testable import Storage

@Suite("samelistd backup and restore in bad company", .timeLimit(.minutes(5)))
final class CopyTests {
    private let place: URL

    init() throws { place = try temporaryFolder() }

    deinit { try? FileManager.default.removeItem(at: place) }

    private func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.path + "/" + folder).sorted()
    }

    private func makeData() throws {
        let storage = try SQLiteLogStorage.open(folder: place.path + "/data")
        defer { storage.close() }
        try storage.create("l", epoch: "list1.log1")
    }

    @Test func `a list whose records cannot be read is backed up by nobody`() throws {
        try makeData()
        let sound = try run(["backup", "--data", "data", "--to", "sound.db"], in: place)
        #expect(sound.code == 0)
        let storage = try SQLiteLogStorage.open(folder: place.path + "/data")
        try storage.append([[9, 9, 9]], to: "l", after: 0)
        storage.close()
        let backup = try run(["backup", "--data", "data", "--to", "copy.db"], in: place)
        #expect(backup.code == 1 && backup.errors.contains("list l: "))
        #expect(try names() == ["data", "sound.db"])
        // Such a copy by other means is not restored either.
        try FileManager.default.copyItem(
            atPath: place.path + "/data/samelist.db", toPath: place.path + "/bad.db")
        for folder in ["new", "data"] {
            let restored = try run(
                ["restore", "--data", folder, "--from", "bad.db", "--force"], in: place)
            #expect(restored.code == 1 && restored.errors.contains("list l: "))
        }
        #expect(try names() == ["bad.db", "data", "sound.db"])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a backup that is told to end takes its draft with it`(_ signal: Int32) throws {
        try makeData()
        // Held by another program, the database makes a backup wait, with its draft begun.
        let holder = try Database(place.path + "/data/samelist.db", .inspecting)
        try holder.run("SELECT count(*) FROM lists")
        let backup = try Daemon(["backup", "--data", "data", "--to", "copy.db"], in: place)
        let deadline = Date(timeIntervalSinceNow: 20)
        while try !names().contains(where: { $0.hasPrefix("copy.db.new-") }), Date() < deadline {
            sched_yield()
        }
        backup.signal(signal)
        #expect(backup.end().code == 128 + signal)
        withExtendedLifetime(holder) {}
        #expect(try names() == ["data"])
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
    func `the new folder is locked before it is there`() throws {
        try makeData()
        _ = try run(["backup", "--data", "data", "--to", "copy.db"], in: place)
        func inode() throws -> Int? {
            let path = place.path + "/data"
            return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        }
        let before = try inode()
        // Held up right after the folders have changed hands: the first rename fails.
        let strace = Process()
        strace.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        strace.arguments = [
            "-f", "-qq", "-o", "/dev/null", "-e",
            "inject=?rename,?renameat:delay_enter=50000000:when=2", try samelistd().path,
            "restore", "--data", "data", "--from", "copy.db", "--force",
        ]
        strace.currentDirectoryURL = place
        try strace.run()
        let deadline = Date(timeIntervalSinceNow: 20)
        while try inode() == before, strace.isRunning, Date() < deadline { sched_yield() }
        let check = try run(["check", "--data", "data"], in: place)
        #expect(check.code == 1 && check.errors.contains("Another process"))
        // Without it the program goes on.
        kill(strace.processIdentifier, SIGKILL)
        strace.waitUntilExit()
    }

    @Test func `an empty folder is filled from within`() throws {
        try makeData()
        _ = try run(["backup", "--data", "data", "--to", "copy.db"], in: place)
        let empty = place.appendingPathComponent("empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
        let filled = try run(["restore", "--data", ".", "--from", "../copy.db"], in: empty)
        #expect(filled.code == 0, "\(filled.errors)")
        #expect(try names("empty") == ["samelist.db", "samelist.db.lock"])
        let again = try run(
            ["restore", "--data", ".", "--from", "../copy.db", "--force"], in: empty)
        #expect(again.code == 1 && again.errors.contains("cannot be put aside"))
        #expect(try names() == ["copy.db", "data", "empty"])
    }

    /// Whether this user may mount something in a namespace of its own.
    private static let canMount = shell("mount -t tmpfs none /mnt", in: nil).code == 0

    private static func shell(_ script: String, in folder: URL?) -> (code: Int32, output: String) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-rm", "/bin/sh", "-c", script]
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = output
        do { try process.run() } catch { return (-1, "\(error)") }
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    @Test(.enabled(if: canMount))
    func `a mount point is filled, not put aside, and read where nobody can write`() throws {
        try makeData()
        _ = try run(["backup", "--data", "data", "--to", "copy.db"], in: place)
        let script = """
            set -e; mkdir mounted; mount -t tmpfs none mounted
            "$0" restore --data mounted --from copy.db
            ! "$0" restore --data mounted --from copy.db --force
            mount -o remount,ro mounted
            "$0" check --data mounted
            "$0" backup --data mounted --to again.db
            """.replacing("$0", with: try samelistd().path)
        let ended = Self.shell(script, in: place)
        #expect(ended.code == 0, "\(ended.output)")
        #expect(ended.output.contains("it is a mount point"))
        #expect(try names() == ["again.db", "copy.db", "data", "mounted"])
    }
}
