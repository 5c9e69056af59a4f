import Foundation
import Testing

@testable import Storage

/// Files that cannot be trusted are refused, and left byte for byte as they were.
@Suite("Refused files")
struct RefusalTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Leaves a database with 200 records behind, its log merged or, as after a kill, beside it.
    func makeDatabase(killed: Bool) throws -> TemporaryFolder {
        let store = try SQLiteLogStorage.open(folder: folder.path)
        try store.create("a", epoch: "e")
        try store.append(records(1...200), to: "a", after: 0)
        let copy = try folder.afterKill()
        store.close()
        return killed ? copy : folder
    }

    func open(_ folder: TemporaryFolder) throws(StorageError) {
        _ = try SQLiteLogStorage.open(folder: folder.path)
    }

    func expectDamaged(
        _ folder: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expectRefused(folder, sourceLocation: sourceLocation) { () throws(StorageError) in
            try open(folder)
        } as: {
            if case .damaged = $0 { true } else { false }
        }
    }

    @Test("DB6: a file that is no database is refused", arguments: [0, 1, 99, 100, 8192])
    func noDatabase(size: Int) throws {
        try folder.write(Data(repeating: 0x41, count: size), to: "samelist.db")
        try expectDamaged(folder)
    }

    @Test("DB6: a folder in the database's place is refused")
    func folderInPlace() throws {
        try FileManager.default.createDirectory(
            atPath: folder("samelist.db"), withIntermediateDirectories: false)
        try expectDamaged(folder)
    }

    @Test("DB6: a damaged header is refused", arguments: [false, true])
    func header(killed: Bool) throws {
        let folder = try makeDatabase(killed: killed)
        try folder.alter("samelist.db") { $0[3] ^= 1 }
        try expectDamaged(folder)
    }

    @Test("DB6: a file cut short is refused", arguments: [1, 4096, 9000])
    func truncated(by count: Int) throws {
        let folder = try makeDatabase(killed: false)
        try folder.alter("samelist.db") { $0.removeLast(count) }
        try expectDamaged(folder)
    }

    @Test("DB6: an overwritten page is refused, whichever it is")
    func page() throws {
        let whole = try makeDatabase(killed: false).read("samelist.db")
        for page in 1..<whole.count / 4096 {
            try folder.alter("samelist.db") {
                $0 = whole
                $0.replaceSubrange(
                    page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xa5, count: 4096))
            }
            try expectDamaged(folder)
        }
    }

    @Test("DB6: an overwritten page under a sound log is refused, and the log is kept")
    func pageUnderLog() throws {
        let merged = try makeDatabase(killed: false)
        let store = try SQLiteLogStorage.open(folder: merged.path)
        try store.append(records(201...201), to: "a", after: 200)
        let folder = try merged.afterKill()
        try folder.write(Data(repeating: 0, count: 32768), to: "samelist.db-shm")
        // The first of the records' own pages is not in the log.
        let place = try #require(try folder.read("samelist.db").range(of: Data("record 9".utf8)))
        let page = place.lowerBound / 4096
        try folder.alter("samelist.db") {
            $0.replaceSubrange(
                page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xa5, count: 4096))
        }
        try expectDamaged(folder)
    }

    @Test(
        "DB6: one changed byte in a record is noticed when it is read, and nothing is overwritten")
    func record() throws {
        let folder = try makeDatabase(killed: false)
        try folder.alter("samelist.db") { data in
            guard let place = data.range(of: Data("record 150".utf8)) else { return }
            data[place.lowerBound] ^= 0x20
        }
        let store = try SQLiteLogStorage.open(folder: folder.path)
        let error = refusal { () throws(StorageError) in
            try store.records(of: "a", after: 0, maxBytes: .max)
        }
        guard case .damaged = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try store.lists().map(\.head) == [200])
    }

    @Test("another program's database is refused")
    func foreign() throws {
        let folder = try makeDatabase(killed: false)
        try folder.alter("samelist.db") { $0[68] ^= 1 }
        try expectRefused(folder) { () throws(StorageError) in
            try open(folder)
        } as: {
            if case .foreign = $0 { true } else { false }
        }
    }

    @Test("a newer format is refused with both numbers", arguments: [false, true])
    func newer(killed: Bool) throws {
        let folder = try makeDatabase(killed: killed)
        try folder.alter("samelist.db") { $0[63] = 9 }
        try expectRefused(folder) { () throws(StorageError) in
            try open(folder)
        } as: {
            $0 == .newerFormat(found: 9, supported: 2)
        }
    }

    @Test("a second opening is refused, by this process and by another")
    func inUse() throws {
        let store = try SQLiteLogStorage.open(folder: folder.path)
        try expectRefused(folder) { () throws(StorageError) in
            try open(folder)
        } as: {
            if case .inUse = $0 { true } else { false }
        }
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        other.arguments = ["--nonblock", folder("samelist.db.lock"), "true"]
        try other.run()
        other.waitUntilExit()
        #expect(other.terminationStatus == 1)
        store.close()
        try open(folder)
    }

    @Test("every error is a sentence that says what to do")
    func sentences() {
        let errors: [StorageError] = [
            .exists, .noSuchList, .conflict(head: 3), .trimmed(first: 2), .closed,
            .trimBeyondSnapshot(version: 1), .inUse(path: "x"),
            .newerFormat(found: 2, supported: 1), .failed("It is full; free some space."),
        ]
        for error in errors {
            #expect("\(error)".hasSuffix(".") && "\(error)".contains(";"))
        }
    }
}
