internal import Glibc

/// What a `-wal` file holds, read without SQLite and without changing anything.
///
/// Only what SQLite would replay counts: frames behind a valid header, with its salts and an
/// unbroken chain of checksums (SQLite file format, 4).
struct WriteAheadLog {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    private(set) var pageSize = 0
    /// Number of frames in the unbroken chain, and the page in the first of them.
    private(set) var frames = 0
    private(set) var firstPage: UInt32 = 0
    /// Every state of the stamp page in the log, oldest first.
    private(set) var stamps: [Stamp] = []
    /// Bytes lie where a sound log would have frames, and they cannot be a write cut short.
    private(set) var isDamaged = false

    /// Costs one pass over the log.
    init(_ file: File, size: Int) {
        let header = file.read(Self.headerSize, at: 0)
        guard header.count == Self.headerSize, let sum = Self.checkedHeader(header) else {
            // The header is flushed before any frame: only a header alone can be half-written.
            isDamaged = size > Self.headerSize
            return
        }
        pageSize = Int(word(header, 8))
        let frameSize = Self.frameHeaderSize + pageSize
        readFrames(file, header: header, sum: sum, frameSize: frameSize)
        if frames == 0, size > Self.headerSize + frameSize {
            // The stamp is flushed before any other frame. Only frames of the log before, which are
            // in the main file already, may lie there; SQLite then adds one to the first salt.
            let first = file.read(Self.frameHeaderSize, at: Self.headerSize)
            isDamaged = word(first, 8) &+ 1 != word(header, 16)
        }
    }

    /// The running checksum after a valid header.
    private static func checkedHeader(_ header: [UInt8]) -> LogChecksum? {
        let magic = word(header, 0)
        guard magic == 0x377f_0682 || magic == 0x377f_0683 else { return nil }
        let size = word(header, 8)
        guard size >= 512, size <= 65_536, size.nonzeroBitCount == 1 else { return nil }
        var sum = LogChecksum(bigEndian: magic & 1 == 1)
        sum.add(header[..<24])
        return sum.matches(header, 24) ? sum : nil
    }

    private mutating func readFrames(
        _ file: File, header: [UInt8], sum: LogChecksum, frameSize: Int
    ) {
        var sum = sum
        while true {
            let frame = file.read(frameSize, at: Self.headerSize + frames * frameSize)
            guard frame.count == frameSize, frame[8..<16] == header[16..<24] else { return }
            sum.add(frame[..<8])
            sum.add(frame[Self.frameHeaderSize...])
            guard sum.matches(frame, 16) else { return }
            let page = word(frame, 0)
            if frames == 0 { firstPage = page }
            frames += 1
            if page == Stamp.page,
                let stamp = Stamp(page: Array(frame[Self.frameHeaderSize...]))
            {
                stamps.append(stamp)
            }
        }
    }

    /// Whether SQLite may replay this log into a main file that carries `stamp`.
    func belongs(toFileWith stamp: Stamp) -> Bool {
        guard firstPage == Stamp.page, let first = stamps.first else { return false }
        return first.before == stamp.token || stamps.contains { $0.token == stamp.token }
    }
}

/// The checksum of SQLite's write-ahead log, which runs on from frame to frame.
private struct LogChecksum {
    let bigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(bigEndian: Bool) {
        self.bigEndian = bigEndian
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

    func matches(_ bytes: [UInt8], _ offset: Int) -> Bool {
        word(bytes, offset) == first && word(bytes, offset + 4) == second
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
