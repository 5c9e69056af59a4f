import Foundation
import Testing

@testable import Storage

@Suite("Copies of a folder and their way back") struct RestoreTests {
    private let place: TemporaryFolder
    private var copy: String { place("copy.db") }

    /// A folder `data` with a list of three records, and its copy.
    init() throws {
        place = try TemporaryFolder()
        let storage = try SQLiteLogStorage.open(folder: place("data"))
        try storage.create("a", epoch: "e")
        try storage.append(records(1...3), to: "a", after: 0)
        storage.close()
        try backup(to: copy)
    }

    private func backup(
        to file: String, verify: (String) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        try DatabaseCopy.write(
            listsIn: place("data"), to: DraftFile(of: file, word: "w"), verify: verify)
    }

    private func restore(
        to folder: String, replacing: Bool = false,
        verify: (String) throws(StorageError) -> Void = { _ in },
        _ change: (SQLiteLogStorage) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> String? {
        try DatabaseCopy.restore(
            copy, to: folder, replacing: replacing, word: "w", verify: verify, change)
    }

    /// What is in a folder; an empty log, which readers leave behind, is nothing.
    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    private func mode(_ path: String) throws -> Int {
        let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        return try #require(found as? Int)
    }

    private func head(_ folder: String) throws -> UInt64? {
        let storage = try SQLiteLogStorage.open(folder: folder)
        defer { storage.close() }
        return try storage.lists().first?.head
    }

    private func expectInUse(_ folder: String) {
        let error = refusal { () throws(StorageError) in
            _ = try SQLiteLogStorage.open(folder: folder)
        }
        guard case .inUse = error else {
            Issue.record("\(folder) could be opened: \(String(describing: error))")
            return
        }
    }

    @Test(arguments: [("none", false), ("empty", false), ("data", true)])
    func `no server starts in a folder that is being restored`(
        _ name: String, _ replacing: Bool
    ) throws {
        let folder = place(name)
        try FileManager.default.createDirectory(
            atPath: place("empty"), withIntermediateDirectories: false)
        var times = 0
        _ = try restore(to: folder, replacing: replacing) { _ in
            expectInUse(folder)
        } _: { _ in
            expectInUse(folder)
            times += 1
        }
        #expect(try times == 1 && head(folder) == 3)
    }

    @Test(arguments: ["none", "empty"])
    func `what is put into the folder meanwhile is not taken from under it`(
        _ name: String
    ) throws {
        let folder = place(name)
        if name == "empty" {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false)
        }
        let error = refusal { () throws(StorageError) in
            _ = try restore(to: folder) { _ in
                _ = FileManager.default.createFile(atPath: folder + "/note", contents: Data([1]))
            }
        }
        #expect(error?.description.contains("is not empty") == true)
        #expect(try names(folder) == ["note"])
        #expect(try names(place.path).contains { $0.hasPrefix(name + ".") } == false)
    }

    @Test func `a folder in which a server runs is not taken from under it`() throws {
        let storage = try SQLiteLogStorage.open(folder: place("data"))
        defer { storage.close() }
        let error = refusal { () throws(StorageError) in
            _ = try restore(to: place("data"), replacing: true)
        }
        #expect(error == .inUse(path: resolved(place("data")) + "/samelist.db.lock"))
        #expect(try names(place.path) == ["copy.db", "data"])
    }

    @Test func `a lock on a file that was moved away with its folder is no lock`() throws {
        let path = place("x.lock")
        let file = try #require(File(path, O_RDWR | O_CREAT))
        #expect(FileLock.stands(file, at: path))
        try FileManager.default.moveItem(atPath: path, toPath: place("y.lock"))
        #expect(!FileLock.stands(file, at: path))
        let lock = try FileLock(path)
        #expect(!FileLock.stands(file, at: path))
        withExtendedLifetime(lock) {}
    }

    @Test func `a copy that is not verified leaves nothing behind`() throws {
        func refuse(_ path: String) throws(StorageError) {
            #expect(FileManager.default.fileExists(atPath: path))
            throw .damaged("as asked")
        }
        let before = try names(place.path)
        #expect(
            refusal { () throws(StorageError) in
                try backup(to: place("other.db"), verify: refuse)
            } == .damaged("as asked"))
        for (name, replacing) in [("new", false), ("data", true)] {
            #expect(
                refusal { () throws(StorageError) in
                    _ = try restore(to: place(name), replacing: replacing, verify: refuse)
                } == .damaged("as asked"))
        }
        #expect(try names(place.path) == before)
        #expect(try head(place("data")) == 3)
    }

    @Test func `a backup touches no file of others, and replaces none`() throws {
        try place.write(Data([7]), to: "other.db.new")
        let draft = DraftFile(of: place("other.db"), word: "w")
        try DatabaseCopy.write(listsIn: place("data"), to: draft) { _ in
            // Two at once: another's draft is another's.
            try? DatabaseCopy.write(
                listsIn: place("data"), to: DraftFile(of: place("third.db"), word: "v")
            ) { _ in }
        }
        #expect(try place.read("other.db.new") == Data([7]))
        #expect(
            try names(place.path) == ["copy.db", "data", "other.db", "other.db.new", "third.db"])
        let error = refusal { () throws(StorageError) in
            try backup(to: place("fourth.db")) { _ in
                _ = FileManager.default.createFile(atPath: place("fourth.db"), contents: Data([8]))
            }
        }
        #expect(error?.description.contains("is there already") == true)
        #expect(try place.read("fourth.db") == Data([8]))
        #expect(try !names(place.path).contains { $0.hasSuffix("new-w") })
    }

    @Test func `a draft that was removed is not finished`() throws {
        let draft = DraftFile(of: place("other.db"), word: "w")
        #expect(throws: StorageError.self) {
            try DatabaseCopy.write(listsIn: place("data"), to: draft) { _ in draft.remove() }
        }
        #expect(try names(place.path) == ["copy.db", "data"])
    }

    @Test(arguments: ["data/copy.db", "data/./x.db", "data/more/x.db", "link/x.db"])
    func `a backup does not go into the folder itself`(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: place("data/more"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: place("link"), withDestinationPath: place("data"))
        let error = refusal { () throws(StorageError) in try backup(to: place(name)) }
        #expect(error?.description.contains("elsewhere") == true)
        #expect(!FileManager.default.fileExists(atPath: place(name)))
    }

    @Test func `copies and what is restored are private`() throws {
        #expect(try mode(copy) == 0o600)
        _ = try restore(to: place("new"))
        #expect(try mode(place("new")) == 0o700)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o750], ofItemAtPath: place("data"))
        _ = try restore(to: place("data"), replacing: true)
        #expect(try mode(place("data")) == 0o750)
        for folder in ["new", "data"] {
            #expect(try mode(place(folder + "/samelist.db")) == 0o600)
            #expect(try mode(place(folder + "/samelist.db.lock")) == 0o600)
            #expect(try names(place(folder)) == ["samelist.db", "samelist.db.lock"])
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func `whose the lists were, theirs they are`() throws {
        let token = StoredToken(
            id: "t", hash: [1], name: "ana", tenant: "", grants: "*:own", created: 1, expires: 0)
        try SQLiteTokenStorage.add(token, folder: place("data"))
        for name in ["data", "data/samelist.db", "data/samelist.db.lock"] {
            #expect(chown(place(name), 1234, 1235) == 0)
        }
        _ = try restore(to: place("data"), replacing: true)
        #expect(try SQLiteTokenStorage.read(folder: place("data")) == [token])
        for name in ["data"] + (try names(place("data")).map { "data/" + $0 }) {
            var status = stat()
            #expect(stat(place(name), &status) == 0)
            #expect(status.st_uid == 1234 && status.st_gid == 1235, "\(name)")
        }
    }

    @Test func `a symbolic link stays one, and its folder is exchanged`() throws {
        let link = place("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: place("data"))
        let kept = try #require(try restore(to: link, replacing: true))
        #expect(kept.hasSuffix("/data.before-w"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == place("data"))
        #expect(try head(place("data")) == 3)
        #expect(try head(kept) == 3)
    }

    @Test func `an empty folder is filled where it is`() throws {
        try FileManager.default.createDirectory(
            atPath: place("empty"), withIntermediateDirectories: false)
        var (before, after) = (stat(), stat())
        #expect(stat(place("empty"), &before) == 0)
        #expect(try restore(to: place("empty")) == nil)
        #expect(stat(place("empty"), &after) == 0)
        #expect(before.st_ino == after.st_ino && before.st_mode == after.st_mode)
        #expect(try head(place("empty")) == 3)
        #expect(try names(place("empty")) == ["samelist.db", "samelist.db.lock"])
    }

    @Test func `what a restore that was killed left in an empty folder is no hindrance`() throws {
        try FileManager.default.createDirectory(
            atPath: place("new/restoring"), withIntermediateDirectories: true)
        try place.write(Data([1, 2, 3]), to: "new/restoring/samelist.db")
        try place.write(Data(), to: "new/samelist.db.lock")
        #expect(try restore(to: place("new")) == nil)
        #expect(try head(place("new")) == 3)
        #expect(try names(place("new")) == ["samelist.db", "samelist.db.lock"])
    }

    @Test func `a folder that cannot be put aside is refused before anything is copied`() throws {
        let error = refusal { () throws(StorageError) in
            _ = try restore(to: place("data/."), replacing: true) { _ in
                Issue.record("it was copied")
            }
        }
        #expect(error?.description.contains("cannot be put aside") == true)
        #expect(try names(place("data")) == ["samelist.db", "samelist.db.lock"])
        #expect(try names(place.path) == ["copy.db", "data"])
    }
}
