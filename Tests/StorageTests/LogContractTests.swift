import Testing

@testable import Storage

/// What every `LogStorage` does.
@Suite("Logs", .serialized)
struct LogContractTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A store with the list `a`, holding `count` records.
    func store(_ implementation: Implementation, holding count: Int = 0) throws -> any LogStorage {
        let store = try implementation.logs(in: folder)
        try store.create("a", epoch: "e1")
        if count > 0 { try store.append(records(1...count), to: "a", after: 0) }
        return store
    }

    @Test("a new list is empty and begins at version 1", arguments: Implementation.allCases)
    func create(_ implementation: Implementation) throws {
        let store = try store(implementation)
        #expect(
            try store.lists() == [StoredList(name: "a", epoch: "e1", head: 0, first: 1)])
        #expect(try store.records(of: "a", after: 0, maxBytes: 100) == [])
        #expect(try store.snapshot(of: "a") == nil)
    }

    @Test("a name is taken until it is dropped", arguments: Implementation.allCases)
    func names(_ implementation: Implementation) throws {
        let store = try store(implementation, holding: 3)
        try store.saveSnapshot([bytes("s")], of: "a", at: 3)
        #expect(
            refusal { () throws(StorageError) in try store.create("a", epoch: "e2") } == .exists)
        try store.drop("a")
        try store.drop("a")
        try store.drop("never there")
        #expect(try store.lists() == [])
        try store.create("a", epoch: "e2")
        #expect(
            try store.lists() == [StoredList(name: "a", epoch: "e2", head: 0, first: 1)])
        #expect(try store.snapshot(of: "a") == nil)
        #expect(try store.records(of: "a", after: 0, maxBytes: 100) == [])
    }

    @Test("a list is dropped and noted, or neither", arguments: Implementation.allCases)
    func dropAndNote(_ implementation: Implementation) throws {
        let store = try store(implementation, holding: 3)
        try store.create("notes", epoch: "e2")
        let early = Append([bytes("gone")], to: "notes", after: 1)
        #expect(
            refusal { () throws(StorageError) in try store.drop("a", noting: early) }
                == .conflict(head: 0))
        #expect(try store.records(of: "a", after: 0, maxBytes: 100) == records(1...3))
        try store.drop("a", noting: Append([bytes("gone")], to: "notes", after: 0))
        #expect(try store.lists().map(\.name) == ["notes"])
        #expect(try store.records(of: "notes", after: 0, maxBytes: 100) == [bytes("gone")])
    }

    @Test("every call on a list that is not there says so", arguments: Implementation.allCases)
    func noSuchList(_ implementation: Implementation) throws {
        let store = try store(implementation)
        let errors: [StorageError?] = [
            refusal { () throws(StorageError) in try store.append([[1]], to: "b", after: 0) },
            refusal { () throws(StorageError) in
                try store.records(of: "b", after: 0, maxBytes: 1)
            },
            refusal { () throws(StorageError) in try store.saveSnapshot([], of: "b", at: 0) },
            refusal { () throws(StorageError) in try store.snapshot(of: "b") },
            refusal { () throws(StorageError) in try store.trim("b", through: 0) },
            refusal { () throws(StorageError) in try store.setEpoch("e2", of: "b") },
        ]
        #expect(errors == Array(repeating: .noSuchList, count: 6))
    }

    @Test("a log goes on under another epoch", arguments: Implementation.allCases)
    func epochs(_ implementation: Implementation) throws {
        let store = try store(implementation, holding: 2)
        try store.saveSnapshot([bytes("s")], of: "a", at: 1)
        try store.setEpoch("e2", of: "a")
        #expect(try store.lists() == [StoredList(name: "a", epoch: "e2", head: 2, first: 1)])
        #expect(try store.records(of: "a", after: 0, maxBytes: .max) == records(1...2))
        #expect(try store.snapshot(of: "a")?.version == 1)
        #expect(try store.append(records(3...3), to: "a", after: 2) == 3)
    }

    @Test("records come back dense and byte for byte", arguments: Implementation.allCases)
    func appendAndRead(_ implementation: Implementation) throws {
        let store = try store(implementation)
        let odd: [[UInt8]] = [[], [0], [0, 255, 10], Array(repeating: 7, count: 100_000)]
        #expect(try store.append(odd, to: "a", after: 0) == 4)
        #expect(try store.append([[1]], to: "a", after: 4) == 5)
        #expect(try store.append([], to: "a", after: 5) == 5)
        #expect(try store.records(of: "a", after: 0, maxBytes: .max) == odd + [[1]])
        #expect(try store.records(of: "a", after: 4, maxBytes: .max) == [[1]])
        #expect(try store.lists().map(\.head) == [5])
    }

    @Test(
        "an append elsewhere than after the head changes nothing",
        arguments: Implementation.allCases)
    func conflict(_ implementation: Implementation) throws {
        let store = try store(implementation, holding: 2)
        for version: UInt64 in [0, 1, 3, .max] {
            let error = refusal { () throws(StorageError) in
                try store.append([[9]], to: "a", after: version)
            }
            #expect(error == .conflict(head: 2))
        }
        #expect(try store.records(of: "a", after: 0, maxBytes: .max) == records(1...2))
    }

    @Test("a batch judges each append by itself", arguments: Implementation.allCases)
    func batch(_ implementation: Implementation) throws {
        let store = try store(implementation, holding: 2)
        try store.create("b", epoch: "e2")
        let results = store.appendBatch([
            Append(records(3...4), to: "a", after: 2),
            Append([[9]], to: "a", after: 2),
            Append([[9]], to: "none", after: 0),
            Append(records(1...1), to: "b", after: 0),
            Append(records(5...5), to: "a", after: 4),
        ])
        #expect(
            results == [
                .success(4), .failure(.conflict(head: 4)), .failure(.noSuchList), .success(1),
                .success(5),
            ])
        #expect(try store.records(of: "a", after: 0, maxBytes: .max) == records(1...5))
        #expect(try store.records(of: "b", after: 0, maxBytes: .max) == records(1...1))
        #expect(store.appendBatch([]).isEmpty)
    }

    @Test("a read stops at its bound but never at nothing", arguments: Implementation.allCases)
    func bounds(_ implementation: Implementation) throws {
        let store = try store(implementation, holding: 4)
        let size = records(1...1)[0].count
        #expect(try store.records(of: "a", after: 1, maxBytes: 0) == records(2...2))
        #expect(try store.records(of: "a", after: 1, maxBytes: 2 * size) == records(2...3))
        #expect(try store.records(of: "a", after: 1, maxBytes: 3 * size - 1) == records(2...3))
        #expect(try store.records(of: "a", after: 4, maxBytes: 100) == [])
        #expect(try store.records(of: "a", after: .max, maxBytes: 100) == [])
    }

    @Test("a snapshot replaces the one before it", arguments: Implementation.allCases)
    func snapshots(_ implementation: Implementation) throws {
        let store = try store(implementation, holding: 4)
        try store.saveSnapshot([bytes("p1"), [], bytes("p3")], of: "a", at: 2)
        #expect(
            try store.snapshot(of: "a")
                == StoredSnapshot(version: 2, parts: [bytes("p1"), [], bytes("p3")]))
        try store.saveSnapshot([bytes("q")], of: "a", at: 4)
        #expect(try store.snapshot(of: "a") == StoredSnapshot(version: 4, parts: [bytes("q")]))
        for version: UInt64 in [5, .max] {
            let error = refusal { () throws(StorageError) in
                try store.saveSnapshot([], of: "a", at: version)
            }
            #expect(error == .conflict(head: 4))
        }
    }

    @Test("a log is trimmed as far as its snapshot", arguments: Implementation.allCases)
    func trim(_ implementation: Implementation) throws {
        let store = try store(implementation, holding: 5)
        #expect(
            refusal { () throws(StorageError) in try store.trim("a", through: 1) }
                == .trimBeyondSnapshot(version: 0))
        try store.saveSnapshot([], of: "a", at: 3)
        for version: UInt64 in [4, .max] {
            let error = refusal { () throws(StorageError) in try store.trim("a", through: version) }
            #expect(error == .trimBeyondSnapshot(version: 3))
        }
        for version: UInt64 in [3, 3, 1, 0] { try store.trim("a", through: version) }
        #expect(try store.lists().map(\.first) == [4])
        let error = refusal { () throws(StorageError) in
            try store.records(of: "a", after: 2, maxBytes: 9)
        }
        #expect(error == .trimmed(first: 4))
        #expect(try store.records(of: "a", after: 3, maxBytes: .max) == records(4...5))
        let older = refusal { () throws(StorageError) in
            try store.saveSnapshot([], of: "a", at: 2)
        }
        #expect(older == .trimmed(first: 4))
    }

    @Test("a log trimmed to its head goes on from there", arguments: Implementation.allCases)
    func trimAll(_ implementation: Implementation) throws {
        let store = try store(implementation, holding: 2)
        try store.saveSnapshot([], of: "a", at: 2)
        try store.trim("a", through: 2)
        #expect(
            try store.lists() == [StoredList(name: "a", epoch: "e1", head: 2, first: 3)])
        #expect(try store.records(of: "a", after: 2, maxBytes: 9) == [])
        #expect(try store.append(records(3...3), to: "a", after: 2) == 3)
        #expect(try store.records(of: "a", after: 2, maxBytes: 99) == records(3...3))
    }

    @Test("a closed store says so and changes nothing", arguments: Implementation.allCases)
    func close(_ implementation: Implementation) throws {
        let store = try store(implementation)
        store.close()
        store.close()
        #expect(refusal { () throws(StorageError) in try store.lists() } == .closed)
        #expect(refusal { () throws(StorageError) in try store.drop("a") } == .closed)
        #expect(store.appendBatch([Append([], to: "a", after: 0)]) == [.failure(.closed)])
    }
}
