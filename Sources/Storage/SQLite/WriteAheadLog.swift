internal import Glibc

/// What a `-wal` file holds, read without SQLite and without changing anything.
///
/// Only what SQLite would replay counts: frames behind a valid header, with its salts and an
/// unbroken chain of checksums (SQLite file format, 4).
struct WriteAheadLog {
    private static let headerSize = 32

    private(set) var pageSize = 0
    /// Number of frames in the unbroken chain, and the page in the first of them.
    private(set) var frames = 0
    private(set) var firstPage: UInt32 = 0
    /// Every state of the stamp page in the log, oldest first.
    private(set) var stamps: [Stamp] = []
    /// Bytes lie where a sound log would have frames, and they cannot be a write cut short.
    private(set) var isDamaged = false
    /// The chain breaks in a transaction that was flushed: SQLite would drop it, and all behind it.
    private(set) var losesCommits = false

    /// Costs one pass over the log.
    init(_ file: File, size: Int) {
        let header = file.read(Self.headerSize, at: 0)
        guard header.count == Self.headerSize, let sum = Self.checkedHeader(header) else {
            // The header is flushed before any frame: only a header alone can be half-written.
            isDamaged = size > Self.headerSize
            return
        }
        pageSize = Int(word(header, 8))
        let chain = readFrames(file, salts: header[16..<24], sum: sum)
        losesCommits = isFlushed(behind: chain, file, salts: header[16..<24])
        if frames == 0, size > Self.headerSize + Frame.headerSize + pageSize {
            isDamaged = !hasJustBegun(file, salts: header[16..<24])
        }
    }

    /// Whether a log without a sound frame is one that was begun over another, and no more.
    ///
    /// The stamp is flushed before any other frame: a cut of power may have torn it, but behind it
    /// nothing of this log lies. Only frames of the log before do, which are in the main file
    /// already; SQLite then adds one to the first salt.
    private func hasJustBegun(_ file: File, salts: ArraySlice<UInt8>) -> Bool {
        func isOlder(_ frame: Frame) -> Bool {
            word(Array(frame.salts), 0) &+ 1 == word(Array(salts), 0)
        }
        guard let first = frame(0, file) else { return false }
        if isOlder(first) { return true }
        guard first.salts == salts, let second = frame(1, file) else { return false }
        return isOlder(second)
    }

    /// The running checksum after a valid header.
    private static func checkedHeader(_ header: [UInt8]) -> LogChecksum? {
        let magic = word(header, 0)
        guard magic == 0x377f_0682 || magic == 0x377f_0683 else { return nil }
        let size = word(header, 8)
        guard size >= 512, size <= 65_536, size.nonzeroBitCount == 1 else { return nil }
        let bigEndian = magic & 1 == 1
        var sum = LogChecksum(bigEndian: bigEndian)
        sum.add(header[..<24])
        return sum == LogChecksum(bigEndian: bigEndian, storedAt: 24, in: header) ? sum : nil
    }

    private func frame(_ index: Int, _ file: File) -> Frame? {
        let size = Frame.headerSize + pageSize
        let bytes = file.read(size, at: Self.headerSize + index * size)
        return bytes.count == size ? Frame(bytes: bytes) : nil
    }

    /// Answers the checksum that the chain ends with.
    private mutating func readFrames(
        _ file: File, salts: ArraySlice<UInt8>, sum: LogChecksum
    ) -> LogChecksum {
        var sum = sum
        while let frame = frame(frames, file), frame.salts == salts, frame.continues(sum) {
            sum = frame.storedSum(like: sum)
            if frames == 0 { firstPage = frame.page }
            frames += 1
            if frame.page == Stamp.page, let stamp = Stamp(page: Array(frame.contents)) {
                stamps.append(stamp)
            }
        }
        return sum
    }

    /// Whether the frame at which the chain ends was flushed, which makes its fault a damage.
    ///
    /// Each commit is flushed before the next transaction is written, so that a power cut tears the
    /// last transaction only, in any pattern. The proof of damage is a frame that goes on from a
    /// commit at the break or behind it. Frames of an older log, or of a write that failed and was
    /// written over, lie behind the end too; none of them goes on from a commit of this log.
    private func isFlushed(
        behind chain: LogChecksum, _ file: File, salts: ArraySlice<UInt8>
    ) -> Bool {
        guard let bad = frame(frames, file) else { return false }
        // Either what the frame says of itself or the rest of it may be what is damaged.
        var sums = [bad.storedSum(like: chain), bad.sum(after: chain)]
        var isCommit = bad.wasCommit(after: chain, salts: salts)
        var index = frames + 1
        while let frame = frame(index, file) {
            let isSound = frame.salts == salts && sums.contains { frame.continues($0) }
            if isSound, isCommit { return true }
            isCommit = isSound && frame.databaseSize != 0
            sums = [frame.storedSum(like: chain)]
            index += 1
        }
        return false
    }

    /// Whether SQLite may replay this log into a main file that carries `stamp`.
    func belongs(toFileWith stamp: Stamp) -> Bool {
        guard firstPage == Stamp.page, let first = stamps.first else { return false }
        return first.before == stamp.token || stamps.contains { $0.token == stamp.token }
    }
}

/// A page as the log holds it, behind a header of its own.
private struct Frame {
    static let headerSize = 24

    var bytes: [UInt8]

    var page: UInt32 { word(bytes, 0) }
    /// In pages, in the last frame of a transaction; 0 in all others.
    var databaseSize: UInt32 { word(bytes, 4) }
    var salts: ArraySlice<UInt8> { bytes[8..<16] }
    var contents: ArraySlice<UInt8> { bytes[Self.headerSize...] }

    func storedSum(like sum: LogChecksum) -> LogChecksum {
        LogChecksum(bigEndian: sum.bigEndian, storedAt: 16, in: bytes)
    }

    func sum(after sum: LogChecksum) -> LogChecksum {
        var sum = sum
        sum.add(bytes[..<8])
        sum.add(contents)
        return sum
    }

    func continues(_ sum: LogChecksum) -> Bool {
        self.sum(after: sum) == storedSum(like: sum)
    }

    /// Whether this frame, which does not fit into its log, ended a transaction of it.
    ///
    /// The fault may lie in the very mark of the commit: then the checksum, which covers it, tells
    /// what it was.
    func wasCommit(after sum: LogChecksum, salts: ArraySlice<UInt8>) -> Bool {
        if continues(sum) { return databaseSize != 0 }  // The salts alone are wrong.
        if self.salts != salts { return false }
        let none = self.sum(after: sum, mark: 0)
        let one = self.sum(after: sum, mark: 1)
        let stored = storedSum(like: sum)
        return stored.isMultiple(of: one, from: none) ? stored != none : databaseSize != 0
    }

    /// The checksum if the mark of the commit were another number.
    private func sum(after sum: LogChecksum, mark: UInt8) -> LogChecksum {
        var other = self
        // One in the byte order of the checksum, which takes the header for any other bytes.
        let word = sum.bigEndian ? [0, 0, 0, mark] : [mark, 0, 0, 0]
        other.bytes.replaceSubrange(4..<8, with: word)
        return other.sum(after: sum)
    }
}

/// The checksum of SQLite's write-ahead log, which runs on from frame to frame.
private struct LogChecksum: Equatable {
    let bigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(bigEndian: Bool) {
        self.bigEndian = bigEndian
    }

    /// Reads what a header holds.
    init(bigEndian: Bool, storedAt offset: Int, in bytes: [UInt8]) {
        self.bigEndian = bigEndian
        first = word(bytes, offset)
        second = word(bytes, offset + 4)
    }

    /// Adds a multiple of eight bytes.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { buffer in
            for offset in stride(from: 0, to: buffer.count & ~7, by: 8) {
                first = first &+ load(buffer, offset) &+ second
                second = second &+ load(buffer, offset + 4) &+ first
            }
        }
    }

    /// Whether going from `start` to `one` some number of times arrives here: the checksum grows
    /// evenly with each word that it covers, and by an odd number in one of its halves.
    func isMultiple(of one: LogChecksum, from start: LogChecksum) -> Bool {
        (first &- start.first) &* (one.second &- start.second)
            == (second &- start.second) &* (one.first &- start.first)
    }

    private func load(_ buffer: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return bigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
}

/// The big-endian number at `offset`; SQLite's headers hold no other kind.
func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
}
