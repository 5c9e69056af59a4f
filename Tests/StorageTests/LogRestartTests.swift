import Foundation
import Testing

@testable import Storage

/// A log that was copied into the main file is begun anew over what stands there.
@Suite("Logs that begin anew")
struct LogRestartTests {
    /// What a store leaves that is killed behind the first write of its second log, and the log
    /// as it was before that write.
    struct Killed {
        let main: Data
        let before: Data
        let log: Data
        let head: UInt64

        init() throws {
            let living = try TemporaryFolder()
            let store = try SQLiteLogStorage.open(folder: living.path)
            try store.create("a", epoch: "e")
            var (before, log, version) = (Data(), Data(), UInt64(0))
            repeat {
                before = log
                let record = Array(repeating: UInt8(truncatingIfNeeded: version), count: 100_000)
                try store.append([record], to: "a", after: version)
                version += 1
                log = try living.read("samelist.db-wal")
            } while before.isEmpty || before.prefix(32) == log.prefix(32)
            main = try living.read("samelist.db")
            self.before = before
            self.log = log
            head = version
        }
    }

    static let pageSize = 4096
    let folder: TemporaryFolder
    let killed: Killed

    init() throws {
        folder = try TemporaryFolder()
        killed = try Killed()
    }

    /// The head of the list, with this log beside the main file.
    func head(with log: Data) throws -> UInt64? {
        try folder.write(killed.main, to: "samelist.db")
        try folder.write(log, to: "samelist.db-wal")
        let store = try SQLiteLogStorage.open(folder: folder.path)
        defer { store.close() }
        return try store.lists().first?.head
    }

    @Test("its file neither grows nor shrinks by that, and what is written is there")
    func size() throws {
        #expect(killed.log.count == killed.before.count)
        #expect(try head(with: killed.before) == killed.head - 1)
        #expect(try head(with: killed.log) == killed.head)
    }

    @Test("DB1: a stamp that a cut of power tore is no damage", arguments: [[], [0], [1], [0, 1]])
    func torn(pages: [Int]) throws {
        // The header is flushed before any frame.
        var log = killed.log.prefix(32) + killed.before.dropFirst(32)
        for page in pages {
            let bytes = page * Self.pageSize..<(page + 1) * Self.pageSize
            // The first frame ends in the second page; what follows there is not flushed yet.
            let end = min(bytes.upperBound, 32 + 24 + Self.pageSize)
            log.replaceSubrange(bytes.lowerBound..<end, with: killed.log[bytes.lowerBound..<end])
        }
        #expect(try head(with: log) == killed.head - 1)
    }

    @Test("DB6: a stamp that is damaged in front of what was flushed is", arguments: [8, 30, 4000])
    func damaged(offset: Int) throws {
        var log = killed.log
        log[32 + offset] ^= 1
        try folder.write(log, to: "log")
        let found = WriteAheadLog(try #require(File(folder("log"), 0)), size: log.count)
        #expect(found.isDamaged || found.losesCommits)
    }
}
