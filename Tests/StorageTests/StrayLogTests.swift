import Foundation
import Testing

@testable import Storage

/// A write-ahead log is replayed into the file it belongs to, and into no other.
@Suite("Stray logs")
struct StrayLogTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The files of a killed store that had `count` records: main file and log.
    func killed(after count: Int) throws -> (main: Data, log: Data) {
        let living = try TemporaryFolder()
        let store = try SQLiteLogStorage.open(folder: living.path)
        try store.create("a", epoch: "e")
        for version in 1...count {
            try store.append(records(version...version), to: "a", after: UInt64(version - 1))
        }
        return (try living.read("samelist.db"), try living.read("samelist.db-wal"))
    }

    func open() throws -> [[UInt8]] {
        let store = try SQLiteLogStorage.open(folder: folder.path)
        defer { store.close() }
        return try store.records(of: "a", after: 0, maxBytes: .max)
    }

    func expectStray(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let path = folder.path
        try expectRefused(folder, sourceLocation: sourceLocation) { () throws(StorageError) in
            _ = try SQLiteLogStorage.open(folder: path)
        } as: {
            if case .strayLog = $0 { true } else { false }
        }
    }

    @Test(
        "DB8: a log without its database is refused", arguments: ["-wal", "-journal"], [0, 5000])
    func orphan(suffix: String, size: Int) throws {
        try folder.write(Data(repeating: 1, count: size), to: "samelist.db" + suffix)
        try expectStray()
    }

    @Test("DB8: a log beside another database is refused")
    func other() throws {
        try folder.write(killed(after: 3).main, to: "samelist.db")
        try folder.write(killed(after: 3).log, to: "samelist.db-wal")
        try expectStray()
    }

    @Test("DB8: a log beside an older state of its own database is refused")
    func backup() throws {
        let store = try SQLiteLogStorage.open(folder: folder.path)
        try store.create("a", epoch: "e")
        store.close()
        let backup = try folder.read("samelist.db")
        for round in 0..<2 {
            let store = try SQLiteLogStorage.open(folder: folder.path)
            try store.append(records(round + 1...round + 1), to: "a", after: UInt64(round))
            if round == 0 {
                store.close()
                continue
            }
            let after = try folder.afterKill()
            store.close()
            try folder.write(after.read("samelist.db-wal"), to: "samelist.db-wal")
            try folder.write(backup, to: "samelist.db")
        }
        try expectStray()
        try folder.remove("samelist.db-wal")
        #expect(try open() == [])
    }

    @Test(
        "DB8: a log of garbage, or with a damaged beginning, is refused",
        arguments: [0, 8, 20, 32, 40, 44, 300])
    func damaged(at offset: Int) throws {
        var (main, log) = try killed(after: 3)
        log[offset] ^= 1
        try folder.write(main, to: "samelist.db")
        try folder.write(log, to: "samelist.db-wal")
        try expectStray()
    }

    @Test("a log beside its own database is replayed, before and after it was copied back")
    func own() throws {
        let (main, log) = try killed(after: 3)
        try folder.write(main, to: "samelist.db")
        try folder.write(log, to: "samelist.db-wal")
        #expect(try open() == records(1...3))
        try folder.write(log, to: "samelist.db-wal")
        #expect(try open() == records(1...3))
    }

    @Test("DB1: a kill at any byte of a write loses only what was not yet told")
    func torn() throws {
        let (main, log) = try killed(after: 3)
        for length in stride(from: 0, through: log.count, by: 512) {
            try folder.write(main, to: "samelist.db")
            try folder.write(log.prefix(length), to: "samelist.db-wal")
            let store = try SQLiteLogStorage.open(folder: folder.path)
            if try !store.lists().isEmpty {
                let found = try store.records(of: "a", after: 0, maxBytes: .max)
                #expect(found == Array(records(1...3).prefix(found.count)))
                #expect(length < log.count || found.count == 3)
            } else {
                #expect(length < log.count)
            }
        }
    }

    @Test("the log begins anew with a stamp, however often it does")
    func generations() throws {
        let store = try SQLiteLogStorage.open(folder: folder.path)
        try store.create("a", epoch: "e")
        var largest = 0
        for version in 0..<60 {
            try store.append(
                [Array(repeating: UInt8(version), count: 250_000)], to: "a",
                after: UInt64(version))
            let after = try folder.afterKill()
            let copy = try SQLiteLogStorage.open(folder: after.path)
            #expect(try copy.lists().map(\.head) == [UInt64(version + 1)])
            largest = max(largest, try folder.read("samelist.db-wal").count)
        }
        #expect(largest < 6 << 20)
        let log = try #require(File(folder("samelist.db-wal"), 0))
        #expect(WriteAheadLog(log, size: largest).stamps.count == 1)
    }
}
