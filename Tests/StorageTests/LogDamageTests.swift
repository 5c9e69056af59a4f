import Foundation
import Testing

@testable import Storage

/// A log that was torn by a power cut is used, one that lost what was flushed is refused.
@Suite("Damaged logs")
struct LogDamageTests {
    static let pageSize = 4096
    static let frameSize = pageSize + 24

    /// What a killed store leaves: 20 transactions, and a last one behind the offset `flushed`.
    struct Killed {
        let main: Data
        let log: Data
        let flushed: Int

        /// The last transaction is of one page, or of many.
        init(lastIsOnePage: Bool, appends: Int = 18) throws {
            let living = try TemporaryFolder()
            let store = try SQLiteLogStorage.open(folder: living.path)
            try store.create("a", epoch: "e")
            for version in 1...appends {
                try store.append(records(version...version), to: "a", after: UInt64(version - 1))
            }
            flushed = try living.read("samelist.db-wal").count
            if lastIsOnePage {
                try store.setEpoch("f", of: "a")
            } else {
                let big = (1...30).map { Array(repeating: UInt8($0), count: 1000) }
                try store.append(big, to: "a", after: UInt64(appends))
            }
            main = try living.read("samelist.db")
            log = try living.read("samelist.db-wal")
        }
    }

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Whether what lies in a log is refused.
    func isRefused(_ log: Data) throws -> Bool {
        try folder.write(log, to: "log")
        let file = try #require(File(folder("log"), 0))
        let found = WriteAheadLog(file, size: log.count)
        return found.isDamaged || found.losesCommits
    }

    /// Offsets all over a log: in each frame some bytes of its header, others in the next, and one
    /// of its page.
    static func offsets(_ range: Range<Int>) -> [Int] {
        let frames = (range.upperBound - 32) / frameSize
        return (0..<frames).flatMap { frame in
            (stride(from: frame % 4, to: 24, by: 4) + [24 + frame * 97 % pageSize])
                .map { 32 + frame * frameSize + $0 }
        }
        .filter { range.contains($0) }
    }

    func flipped(_ log: Data, _ offset: Int, _ bit: Int) -> Data {
        var log = log
        log[offset] ^= 1 << (bit % 8)
        return log
    }

    @Test(
        "a bit in what was flushed is a damage, one in the last transaction is none",
        arguments: [false, true])
    func bits(lastIsOnePage: Bool) throws {
        let killed = try Killed(lastIsOnePage: lastIsOnePage)
        #expect(try !isRefused(killed.log))
        for offset in Self.offsets(0..<killed.log.count) {
            let log = flipped(killed.log, offset, offset / 3)
            #expect(try isRefused(log) == (offset < killed.flushed), "offset \(offset)")
        }
    }

    @Test(
        "each bit in the header of the last flushed commit, before a last transaction of one page")
    func mark() throws {
        let killed = try Killed(lastIsOnePage: true)
        for bit in 0..<192 {
            let offset = killed.flushed - Self.frameSize + bit / 8
            #expect(try isRefused(flipped(killed.log, offset, bit)), "bit \(bit)")
        }
    }

    @Test("a mark of a commit that is lost as a whole, or stands where none was")
    func wholeMark() throws {
        for lastIsOnePage in [true, false] {
            let killed = try Killed(lastIsOnePage: lastIsOnePage)
            let marks = stride(from: 32, to: killed.log.count, by: Self.frameSize).map { $0 + 4 }
            for (mark, size) in marks.flatMap({ [($0, 0), ($0, 0x0102_0304)] }) {
                var log = killed.log
                let bytes = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
                if log[mark..<mark + 4].elementsEqual(bytes) { continue }
                log.replaceSubrange(mark..<mark + 4, with: bytes)
                #expect(try isRefused(log) == (mark < killed.flushed), "mark at \(mark)")
            }
        }
    }

    @Test("a page that was zeroed amid the log is a damage")
    func zeroed() throws {
        let killed = try Killed(lastIsOnePage: false)
        let end = killed.flushed - 8 * Self.frameSize
        for start in stride(from: 0, to: end, by: Self.pageSize) {
            var log = killed.log
            log.replaceSubrange(start..<start + Self.pageSize, with: Data(count: Self.pageSize))
            #expect(try isRefused(log), "page at \(start)")
        }
    }

    @Test(
        "DB1: pages of the last transaction that are lost in any pattern are no damage",
        arguments: [false, true])
    func torn(hasOldFrames: Bool) throws {
        let killed = try Killed(lastIsOnePage: false)
        let old = try Killed(lastIsOnePage: false, appends: 60)
        let rest = hasOldFrames ? old.log.dropFirst(killed.flushed) : Data(count: 1 << 18)
        let before = killed.log.prefix(killed.flushed) + rest
        let written = killed.log + before.dropFirst(killed.log.count)
        var random = UInt64(7)
        for turn in 0..<100 {
            var log = before
            for start in stride(from: 0, to: killed.log.count, by: Self.pageSize) {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                if random >> 60 < UInt64(turn % 16) { continue }
                let page = start..<start + Self.pageSize
                log.replaceSubrange(page, with: written[page])
            }
            #expect(try !isRefused(log), "turn \(turn)")
        }
    }

    @Test("what an older log left behind the end is no damage, whatever is in it")
    func oldFrames() throws {
        let killed = try Killed(lastIsOnePage: true)
        let old = try Killed(lastIsOnePage: false, appends: 30)
        let log = killed.log + old.log.dropFirst(killed.log.count)
        #expect(log.count > killed.log.count)
        #expect(try !isRefused(log))
        for offset in Self.offsets(killed.log.count..<log.count) {
            #expect(try !isRefused(flipped(log, offset, offset / 3)), "offset \(offset)")
        }
        #expect(try isRefused(flipped(log, killed.flushed - 1, 0)))
    }

    @Test("what a failed write left behind the end is no damage")
    func takenBack() throws {
        let killed = try Killed(lastIsOnePage: false)
        try folder.write(killed.main, to: "samelist.db")
        try folder.write(killed.log.prefix(killed.flushed), to: "samelist.db-wal")
        // As after a failed flush: the next transaction begins where that one did.
        let database = try Database(folder("samelist.db"), .ordinary)
        try database.run("UPDATE lists SET epoch = 'f'")
        let next = try withExtendedLifetime(database) { try folder.read("samelist.db-wal") }
        #expect(next.count > killed.flushed && next.count < killed.log.count)
        let log = next + killed.log.dropFirst(next.count)
        #expect(try !isRefused(log))
        for offset in Self.offsets(next.count + Self.frameSize..<log.count) {
            #expect(try !isRefused(flipped(log, offset, offset / 3)), "offset \(offset)")
        }
    }

    @Test("DB6: opening refuses a damaged log and leaves both files", arguments: 1..<20)
    func open(frame: Int) throws {
        let killed = try Killed(lastIsOnePage: false)
        try folder.write(killed.main, to: "samelist.db")
        let offset = 32 + frame * Self.frameSize + 16 + 211 * frame
        try folder.write(flipped(killed.log, offset, frame), to: "samelist.db-wal")
        let path = folder.path
        try expectRefused(folder) { () throws(StorageError) in
            _ = try SQLiteLogStorage.open(folder: path)
        } as: {
            if case .damaged(let sentence) = $0 { sentence.contains("-wal") } else { false }
        }
    }
}
