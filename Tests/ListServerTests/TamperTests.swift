import Foundation
import ListModel
import ListProtocol
import Testing

@testable import ListAuthority
@testable import ListServer
@testable import Storage

/// Each table of the file is changed behind the server's back, some of it so that all sums fit.
@Suite("`samelistd check` finds what was tampered with") struct TamperTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/samelist.db" }

    /// A list of six entries with a snapshot at the fourth, and a deleted list.
    init() throws {
        folder = try TemporaryFolder()
        let storage = try SQLiteLogStorage.open(folder: folder.path)
        defer { storage.close() }
        try storage.create("food", epoch: "food1.log1")
        try storage.append(try (1...6).map { try Self.record($0) }, to: "food", after: 0)
        try storage.saveSnapshot(try Self.parts(at: 4), of: "food", at: 4)
        try storage.create(Archive.deletions, epoch: "deletions")
        try storage.append([Array(#"{"name":"old"}"#.utf8)], to: Archive.deletions, after: 0)
    }

    private static func record(_ n: UInt64, _ title: String? = nil) throws -> [UInt8] {
        let element = try #require(ElementID("e\(n)"))
        let title = ListModel.Value.text(title ?? "title \(n)")
        return MessageEncoder.encodeEntryRecord(
            Entry(
                version: Version(n), at: Timestamp(milliseconds: Int64(n)),
                by: try #require(UserName("ana")), client: try #require(ClientID("ana-1")),
                n: MutationNumber(n),
                operations: [.insert(element, after: .first, Fields([.title: title]))]))
    }

    /// What the server stores as its snapshot of the first entries.
    private static func parts(
        at version: UInt64, title: String? = nil, sessions: Sessions? = nil
    ) throws -> [[UInt8]] {
        let epoch = try #require(Epoch("food1.log1"))
        var list = try ListAuthority.StoredList(
            epoch: epoch, first: Version(1), snapshotVersion: .zero, parts: [],
            decoder: MessageDecoder(limits: Limits()))
        try list.append(
            try (1...version).map { try record($0, $0 == 2 ? title : nil) },
            decoder: MessageDecoder(limits: Limits()))
        return SnapshotPages.records(
            of: list.state, sessions ?? list.sessions,
            at: Position(epoch: epoch, version: Version(version)), limits: Limits())
    }

    private func run(_ sql: String, _ bytes: [UInt8] = []) throws {
        let database = try Database(path, .ordinary)
        if bytes.isEmpty {
            try database.run(sql)
        } else {
            try database.run(sql, .bytes(bytes))
        }
    }

    private func flaws() throws -> [String] {
        do {
            return try FolderCheck(folder: folder.path).flaws
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `nothing is wrong before`() throws {
        #expect(try flaws() == [])
        let check = try FolderCheck(folder: folder.path)
        #expect(check.lists == 1 && check.entries == 6)
    }

    static let tampered = [
        "UPDATE lists SET name = 'no list' WHERE name = 'food'",
        "UPDATE lists SET epoch = 'nonsense' WHERE name = 'food'",
        "UPDATE lists SET number = 77 WHERE name = 'food'",
        "UPDATE lists SET head = 7 WHERE name = 'food'",
        "UPDATE lists SET head = 5 WHERE name = 'food'",
        "UPDATE lists SET head = 3 WHERE name = 'food'",
        "UPDATE lists SET first = 3 WHERE name = 'food'",
        "UPDATE lists SET first = 6 WHERE name = 'food'",
        "UPDATE lists SET snapshot = 3 WHERE name = 'food'",
        "UPDATE lists SET snapshot = 5 WHERE name = 'food'",
        "UPDATE lists SET snapshot = NULL WHERE name = 'food'",
        "UPDATE lists SET head = 2 WHERE name = '~deletions'",
        "DELETE FROM lists WHERE name = 'food'",
        "DELETE FROM lists WHERE name = '~deletions'",
        "UPDATE records SET sum = sum + 1 WHERE version = 6",
        "UPDATE records SET sum = sum + 1 WHERE version = 2",
        "UPDATE records SET version = 9 WHERE version = 6",
        "UPDATE records SET list = 9 WHERE version = 6",
        "DELETE FROM records WHERE version = 5",
        "DELETE FROM records WHERE version = 6",
        "DELETE FROM records WHERE version = 2",
        "DELETE FROM records WHERE version = 1 AND list = 2",
        "INSERT INTO records VALUES (1, 7, 0, x'00')",
        "INSERT INTO records VALUES (9, 1, 0, x'00')",
        "UPDATE parts SET sum = sum + 1 WHERE part = 0",
        "UPDATE parts SET part = 5 WHERE part = 0",
        "UPDATE parts SET list = 9",
        "DELETE FROM parts",
        "DELETE FROM parts WHERE part = 0",
        "DELETE FROM parts WHERE part = 1",
        "INSERT INTO parts VALUES (1, 2, 0, x'00')",
        "UPDATE stamp SET bytes = x'00'",
        "DELETE FROM stamp",
    ]

    @Test(arguments: tampered) func `a changed row`(_ sql: String) throws {
        try run(sql)
        #expect(try flaws() != [])
    }

    /// The sum is put right, as by somebody who knows how: only what the rows say is wrong.
    private func replace(part: Int, with bytes: [UInt8]) throws {
        let sum = Int64(bitPattern: checksum(bytes, seed: UInt64(part)))
        try run("UPDATE parts SET sum = \(sum), bytes = ? WHERE part = \(part)", bytes)
    }

    @Test func `a snapshot with another row, all sums right`() throws {
        try replace(part: 0, with: try Self.parts(at: 4, title: "not it")[0])
        #expect(try flaws() == ["list food: its snapshot at 4 is not what the log comes to"])
    }

    @Test func `a snapshot that forgot its clients, all sums right`() throws {
        try replace(part: 1, with: try Self.parts(at: 4, sessions: Sessions())[1])
        #expect(
            try flaws() == ["list food: its snapshot has lost what the log says of client ana-1"])
    }

    @Test func `an entry of another element, all sums right`() throws {
        let bytes = try Self.record(5, "not it").map { $0 == UInt8(ascii: "5") ? 49 : $0 }
        let sum = Int64(bitPattern: checksum(bytes, seed: 5))
        try run("UPDATE records SET sum = \(sum), bytes = ? WHERE version = 5", bytes)
        #expect(try flaws().first?.hasPrefix("list food: ") == true)
    }

    /// A bit is lost on the disk itself, in a record and in a part, wherever SQLite put them.
    @Test(arguments: ["title 6", "title 3", "ana-1", "old"])
    func `a bit in the file`(_ text: String) throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var at = whole.startIndex
        var found = 0
        while let range = whole.range(of: Data(text.utf8), in: at..<whole.endIndex) {
            at = range.upperBound
            found += 1
            var flipped = whole
            flipped[range.lowerBound] ^= 4
            try flipped.write(to: URL(fileURLWithPath: path))
            #expect(try flaws() != [], "a bit at \(range.lowerBound)")
        }
        #expect(found > 0)
    }

    /// SQLite itself would end at the bit, and drop what was acknowledged behind it.
    @Test func `a bit in the log of a killed server`() throws {
        let storage = try SQLiteLogStorage.open(folder: folder.path)
        for n in UInt64(7)...26 {
            try storage.append([try Self.record(n)], to: "food", after: n - 1)
        }
        let files = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }
        storage.close()
        for frame in [1, 20, 30] {
            var log = files[1]
            log[32 + frame * 4120 + 2000] ^= 1
            try files[0].write(to: URL(fileURLWithPath: path))
            try log.write(to: URL(fileURLWithPath: path + "-wal"))
            #expect(try flaws().first?.contains("-wal is damaged") == true, "frame \(frame)")
            let copy = folder.path + "/copy.db"
            #expect(throws: StorageError.self) { try FolderCopy(of: folder.path, to: copy).make() }
            #expect(throws: StorageError.self) { try SQLiteLogStorage.open(folder: folder.path) }
            #expect(!FileManager.default.fileExists(atPath: copy))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == files[0])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == log)
        }
        try files[1].write(to: URL(fileURLWithPath: path + "-wal"))
        #expect(try FolderCheck(folder: folder.path).entries == 26)
    }

    /// A killed server's files, copied elsewhere, are a backup too: with what is in the log.
    @Test func `files of a killed server are restored with their log`() throws {
        let storage = try SQLiteLogStorage.open(folder: folder.path)
        try storage.append([try Self.record(7)], to: "food", after: 6)
        let killed = try TemporaryFolder()
        for suffix in ["", "-wal"] {
            try Data(contentsOf: URL(fileURLWithPath: path + suffix))
                .write(to: URL(fileURLWithPath: killed.path + "/samelist.db" + suffix))
        }
        storage.close()
        let place = killed.path + "/restored"
        _ = try FolderCopy.restore(killed.path + "/samelist.db", to: place, replacing: false)
        #expect(try FolderCheck(folder: place).entries == 7)
    }
}
