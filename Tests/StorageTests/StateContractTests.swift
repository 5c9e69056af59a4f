import Foundation
import Testing

@testable import Storage

/// What every `StateStorage` does, and what the file adds.
@Suite("Client state", .serialized)
struct StateContractTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a commit makes its changes in order", arguments: Implementation.allCases)
    func commit(_ implementation: Implementation) throws {
        let store = try implementation.state(in: folder)
        #expect(try store.load() == [:])
        try store.commit([
            .put("draft/1", bytes("one")), .put("draft/2", []), .put("drafty", [0, 255]),
            .put("list", bytes("old")), .put("list", bytes("new")), .remove("not there"),
        ])
        try store.commit([.remove("draft/1"), .put("draft/3", bytes("three"))])
        try store.commit([])
        #expect(
            try store.load() == [
                "draft/2": [], "draft/3": bytes("three"), "drafty": [0, 255],
                "list": bytes("new"),
            ])
        #expect(try store.load(prefix: "draft/") == ["draft/2": [], "draft/3": bytes("three")])
    }

    @Test(
        "a prefix is removed with all below it and nothing else", arguments: Implementation.allCases
    )
    func removePrefix(_ implementation: Implementation) throws {
        let store = try implementation.state(in: folder)
        let keys = ["a", "a%", "a_", "a/", "a/b", "a/\u{10ffff}", "a0", "b", ""]
        try store.commit(keys.map { .put($0, bytes($0)) })
        try store.commit([.removePrefix("a/"), .put("a/new", [])])
        #expect(Set(try store.load().keys) == ["a", "a%", "a_", "a0", "b", "", "a/new"])
        try store.commit([.removePrefix("a%")])
        #expect(Set(try store.load(prefix: "a").keys) == ["a", "a_", "a0", "a/new"])
        try store.commit([.removePrefix("")])
        #expect(try store.load() == [:])
    }

    @Test("a closed store says so", arguments: Implementation.allCases)
    func close(_ implementation: Implementation) throws {
        let store = try implementation.state(in: folder)
        store.close()
        store.close()
        #expect(refusal { () throws(StorageError) in try store.load() } == .closed)
        #expect(
            refusal { () throws(StorageError) in try store.commit([.remove("a")]) } == .closed)
    }

    @Test("a file that is open elsewhere can be looked at, and its owner does not notice")
    func look() throws {
        let path = folder("state.db")
        let store = try SQLiteStateStorage.open(path)
        try store.commit([.put("list/a/x", bytes("1")), .put("list/b/x", bytes("2"))])
        #expect(try SQLiteStateStorage.look(at: path, prefix: "list/a/").values.count == 1)
        try store.commit([.put("list/a/y", bytes("3"))])
        #expect(try SQLiteStateStorage.look(at: path) == store.load())
        store.close()
        #expect(try SQLiteStateStorage.open(path).load().count == 3)
    }

    @Test("a commit is there after a kill and after a close")
    func reopen() throws {
        let store = try SQLiteStateStorage.open(folder("state.db"))
        try store.commit([.put("a", bytes("1"))])
        let killed = try folder.afterKill()
        try store.commit([.put("b", bytes("2"))])
        store.close()
        #expect(
            try SQLiteStateStorage.open(folder("state.db")).load()
                == ["a": bytes("1"), "b": bytes("2")])
        #expect(try SQLiteStateStorage.open(killed("state.db")).load() == ["a": bytes("1")])
    }

    @Test("files and new folders are private to their user")
    func privacy() throws {
        let path = folder("deep/er/state.db")
        let store = try SQLiteStateStorage.open(path)
        try store.commit([.put("a", [])])
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        for suffix in ["", "-wal", "-shm", ".lock"] { #expect(try mode(path + suffix) == 0o600) }
        for name in ["deep", "deep/er"] { #expect(try mode(folder(name)) == 0o700) }
    }

    @Test("a second opening is refused while the first lasts, by another name too")
    func inUse() throws {
        let first = try SQLiteStateStorage.open(folder("state.db"))
        try FileManager.default.createSymbolicLink(
            atPath: folder("alias.db"), withDestinationPath: folder("state.db"))
        for name in ["state.db", "alias.db"] {
            let error = refusal { () throws(StorageError) in
                try SQLiteStateStorage.open(folder(name))
            }
            guard case .inUse = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        first.close()
        try SQLiteStateStorage.open(folder("alias.db")).close()
    }

    @Test("a file of lists is not taken for a client's state")
    func foreign() throws {
        try SQLiteLogStorage.open(folder: folder.path).close()
        try expectRefused(folder) { () throws(StorageError) in
            _ = try SQLiteStateStorage.open(folder("samelist.db"))
        } as: {
            if case .foreign = $0 { true } else { false }
        }
    }

    @Test("planted faults strike once, before the write or after it")
    func faults() throws {
        let store = InMemoryStateStorage()
        store.faults.fail(.writes, with: .failed("full"))
        let commit = { () throws(StorageError) in try store.commit([.put("a", [])]) }
        #expect(refusal(commit) == .failed("full"))
        #expect(try store.load() == [:])
        store.faults.fail(.answers, with: .failed("lost"))
        #expect(refusal(commit) == .failed("lost"))
        #expect(try store.load() == ["a": []])
        try commit()
    }
}
