import Foundation
import Testing

@testable import Storage

/// Databases that an earlier version of the program wrote.
@Suite("Older formats") struct FormatTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder("samelist.db") }

    /// The first format, as it was.
    private static let first = DatabaseFormat(
        applicationID: 0x534c_4c47,
        schema: [
            """
            CREATE TABLE lists (
                number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch TEXT NOT NULL,
                head INTEGER NOT NULL DEFAULT 0, first INTEGER NOT NULL DEFAULT 1,
                snapshot INTEGER) STRICT
            """,
            """
            CREATE TABLE records (
                list INTEGER NOT NULL, version INTEGER NOT NULL, sum INTEGER NOT NULL,
                bytes BLOB NOT NULL, PRIMARY KEY (list, version)) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE parts (
                list INTEGER NOT NULL, part INTEGER NOT NULL, sum INTEGER NOT NULL,
                bytes BLOB NOT NULL, PRIMARY KEY (list, part)) STRICT
            """,
        ])

    /// Leaves a list of so many records in the first format, its log merged or, as after a kill,
    /// beside it.
    private func makeFirst(_ count: Int, killed: Bool = false) throws -> TemporaryFolder {
        let storage = SQLiteLogStorage(try DatabaseFile(path, Self.first))
        try storage.create("a", epoch: "e")
        try storage.append(records(1...count), to: "a", after: 0)
        let copy = try folder.afterKill()
        storage.close()
        return killed ? copy : folder
    }

    private func version(_ path: String) throws -> Int64? {
        try Database(path, .looking(at: path)).first("PRAGMA user_version") { $0.integer(0) }
    }

    private func copies(_ folder: TemporaryFolder) throws -> [String] {
        try folder.contents().keys.filter { $0.contains("before") || $0.contains(".new") }.sorted()
    }

    @Test("becomes the present one, and is kept as it was", arguments: [false, true])
    func migrates(killed: Bool) throws {
        let folder = try makeFirst(20, killed: killed)
        let storage = try SQLiteLogStorage.open(folder: folder.path)
        let kept = folder("samelist.db.before-v2")
        #expect(storage.migration?.from == 1 && storage.migration?.to == 2)
        #expect(
            storage.migration?.kept.map { URL(fileURLWithPath: $0).lastPathComponent }
                == "samelist.db.before-v2")
        #expect(try storage.records(of: "a", after: 0, maxBytes: .max) == records(1...20))
        try storage.append(records(21...21), to: "a", after: 20)
        #expect(try storage.formatChanges().map(\.from) == [1])
        storage.close()

        #expect(try version(folder("samelist.db")) == 2 && version(kept) == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let old = try SQLiteLogStorage.look(atFile: kept)
        #expect(try old.records(of: "a", after: 0, maxBytes: .max) == records(1...20))
        old.close()
        #expect(try copies(folder) == ["samelist.db.before-v2"])

        let again = try SQLiteLogStorage.open(folder: folder.path)
        #expect(again.migration == nil)
        again.close()
        #expect(try copies(folder) == ["samelist.db.before-v2"])
    }

    @Test("a file that was never migrated says nothing of that")
    func fresh() throws {
        let storage = try SQLiteLogStorage.open(folder: folder.path)
        #expect(try storage.migration == nil && storage.formatChanges().isEmpty)
        storage.close()
        #expect(try copies(folder) == [])
    }

    @Test("who only looks or reads changes nothing, and understands it")
    func read() throws {
        let folder = try makeFirst(3)
        for read in [
            SQLiteLogStorage.read, { try SQLiteLogStorage.look(atFile: $0 + "/samelist.db") },
        ] {
            let storage = try read(folder.path)
            #expect(try storage.lists().map(\.head) == [3])
            #expect(try storage.formatChanges().isEmpty)
            storage.close()
        }
        #expect(try version(path) == 1 && copies(folder) == [])
    }

    @Test("what a killed attempt kept is made again; another state's is never replaced")
    func again() throws {
        let folder = try makeFirst(5)
        let old = try folder.read("samelist.db")
        try SQLiteLogStorage.open(folder: folder.path).close()
        // As if it had been killed before it was done.
        try folder.write(old, to: "samelist.db")
        try SQLiteLogStorage.open(folder: folder.path).close()
        #expect(try copies(folder) == ["samelist.db.before-v2"])

        try folder.remove("samelist.db")
        _ = try makeFirst(7)
        try SQLiteLogStorage.open(folder: folder.path).close()
        #expect(try copies(folder) == ["samelist.db.before-v2", "samelist.db.before-v2.2"])
        let heads = try ["", ".2"].map {
            let storage = try SQLiteLogStorage.look(atFile: folder("samelist.db.before-v2\($0)"))
            defer { storage.close() }
            return try storage.lists().map(\.head)
        }
        #expect(heads == [[5], [7]])
    }

    @Test("a change that fails leaves the old format, and nothing beside it")
    func failing() throws {
        let folder = try makeFirst(5)
        var next = Self.first
        next.steps = [["CREATE TABLE more (x INTEGER)", "INSERT INTO nowhere VALUES (1)"]]
        #expect(next.version == 2)
        #expect(refusal { () throws(StorageError) in try DatabaseFile(path, next) } != nil)
        #expect(try version(path) == 1 && copies(folder) == [])
        let storage = try SQLiteLogStorage.open(folder: folder.path)
        #expect(try storage.records(of: "a", after: 0, maxBytes: .max) == records(1...5))
    }

    @Test("several steps are taken at once")
    func steps() throws {
        _ = try makeFirst(5)
        var third = Self.first
        third.steps = [["CREATE TABLE second (x)"], ["INSERT INTO second VALUES (3)"]]
        let file = try DatabaseFile(path, third)
        #expect(file.migration?.to == 3)
        #expect(try file.database.first("SELECT x FROM second") { $0.integer(0) } == 3)
    }

    @Test("a restored copy of the first format becomes the present one without another copy")
    func restored() throws {
        let folder = try makeFirst(5)
        let target = try TemporaryFolder()
        let kept = try DatabaseCopy.restore(
            folder("samelist.db"), to: target.path, replacing: false, word: "w"
        ) { _ throws(StorageError) in
        } _: { _ throws(StorageError) in
        }
        #expect(try kept == nil && version(target("samelist.db")) == 2 && copies(target) == [])
    }
}
