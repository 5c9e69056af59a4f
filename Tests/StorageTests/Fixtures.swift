import Foundation
import Testing

@testable import Storage

/// A folder that goes away with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("samelist-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: self(name)))
    }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: URL(fileURLWithPath: self(name)))
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: self(name))
    }

    /// Changes the bytes of a file in place.
    func alter(_ name: String, _ change: (inout Data) -> Void) throws {
        var data = try read(name)
        change(&data)
        try write(data, to: name)
    }

    /// Every file but locks, with its bytes; a folder counts as no bytes.
    func contents() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where !name.hasSuffix(".lock") {
            files[name] = (try? read(name)) ?? Data()
        }
        return files
    }

    /// What a power cut or `kill -9` leaves of the open databases in here: their files, copied.
    func afterKill() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for (name, data) in try contents() where !name.hasSuffix("-shm") {
            try copy.write(data, to: name)
        }
        return copy
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Records that say which version they are.
func records(_ versions: ClosedRange<Int>) -> [[UInt8]] { versions.map { bytes("record \($0)") } }

/// Runs a call that must throw, and answers what it threw.
func refusal<Answer>(_ call: () throws(StorageError) -> Answer) -> StorageError? {
    do throws(StorageError) {
        _ = try call()
        return nil
    } catch {
        return error
    }
}

/// The implementations that keep the contract, each made afresh.
enum Implementation: String, CaseIterable, CustomTestStringConvertible {
    case inMemory, sqlite

    var testDescription: String { rawValue }

    func logs(in folder: TemporaryFolder) throws -> any LogStorage {
        switch self {
        case .inMemory: InMemoryLogStorage()
        case .sqlite: try SQLiteLogStorage.open(folder: folder.path)
        }
    }

    func state(in folder: TemporaryFolder) throws -> any StateStorage {
        switch self {
        case .inMemory: InMemoryStateStorage()
        case .sqlite: try SQLiteStateStorage.open(folder("state.db"))
        }
    }
}

/// What a refused file must have kept, and a message that helps.
func expectRefused(
    _ folder: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation,
    open: () throws(StorageError) -> Void, as isExpected: (StorageError) -> Bool
) throws {
    let before = try folder.contents()
    let error = refusal(open)
    #expect(
        error.map(isExpected) == true, "\(String(describing: error))",
        sourceLocation: sourceLocation)
    #expect(try folder.contents() == before, sourceLocation: sourceLocation)
}
