import Foundation
import Testing

@testable import Storage

/// What was told is there afterwards, whatever happened in between.
@Suite("Durability", .serialized)
struct DurabilityTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("everything is there after a close")
    func reopen() throws {
        let store = try SQLiteLogStorage.open(folder: folder.path)
        try store.create("a", epoch: "e")
        try store.append(records(1...5), to: "a", after: 0)
        try store.saveSnapshot([bytes("p1"), bytes("p2")], of: "a", at: 3)
        try store.trim("a", through: 2)
        store.close()
        #expect(Set(try folder.contents().keys) == ["samelist.db"])
        let again = try SQLiteLogStorage.open(folder: folder.path)
        #expect(
            try again.lists() == [StoredList(name: "a", epoch: "e", head: 5, first: 3)])
        #expect(try again.records(of: "a", after: 2, maxBytes: .max) == records(3...5))
        #expect(
            try again.snapshot(of: "a")
                == StoredSnapshot(version: 3, parts: [bytes("p1"), bytes("p2")]))
    }

    @Test("DB1, DB2: each told append survives a kill right after it")
    func kill() throws {
        let store = try SQLiteLogStorage.open(folder: folder.path)
        try store.create("a", epoch: "e")
        for version in 1...20 {
            try store.append(records(version...version), to: "a", after: UInt64(version - 1))
            let after = try folder.afterKill()
            let copy = try SQLiteLogStorage.open(folder: after.path)
            #expect(
                try copy.records(of: "a", after: 0, maxBytes: .max) == records(1...version))
        }
    }

    @Test("a beginning that was cut short is begun again")
    func draft() throws {
        try folder.write(Data("half".utf8), to: "samelist.db.new")
        try folder.write(Data("half".utf8), to: "samelist.db.new-journal")
        try SQLiteLogStorage.open(folder: folder.path).close()
        #expect(Set(try folder.contents().keys) == ["samelist.db"])
    }

    @Test("DB7: a full disk refuses whole batches, reads go on, and writes resume by themselves")
    func full() throws {
        let store = try SQLiteLogStorage.open(folder: folder.path)
        try store.create("a", epoch: "e")
        try store.create("b", epoch: "e")
        try store.append(records(1...3), to: "a", after: 0)
        try store.setFull(true)
        let big = Append([Array(repeating: 1, count: 1 << 20)], to: "b", after: 0)
        let batch = [Append(records(4...4), to: "a", after: 3), big]
        for _ in 1...2 {
            for result in store.appendBatch(batch) {
                guard case .failure(.failed(let sentence)) = result else {
                    Issue.record("\(result)")
                    return
                }
                #expect(sentence.contains("disk is full"))
            }
        }
        #expect(try store.records(of: "a", after: 0, maxBytes: .max) == records(1...3))
        let after = try folder.afterKill()
        let copy = try SQLiteLogStorage.open(folder: after.path)
        #expect(Set(try copy.lists().map(\.head)) == [3, 0])
        try store.setFull(false)
        #expect(store.appendBatch(batch) == [.success(4), .success(1)])
        store.close()
        let again = try SQLiteLogStorage.open(folder: folder.path)
        #expect(try again.records(of: "a", after: 0, maxBytes: .max) == records(1...4))
    }

    @Test("a hundred thousand records read back as they were written")
    func many() throws {
        let store = try SQLiteLogStorage.open(folder: folder.path)
        try store.create("a", epoch: "e")
        let entries = (1...100_000).map { Array(repeating: UInt8($0 & 0xff), count: 150) }
        try store.append(entries, to: "a", after: 0)
        store.close()
        let again = try SQLiteLogStorage.open(folder: folder.path)
        let found = try again.records(of: "a", after: 0, maxBytes: .max)
        #expect(found == entries)
    }
}
