internal import Glibc
internal import ListModel
internal import ListProtocol

/// The entries of one list from its first on, as whoever received each of them first found it.
///
/// The first receiver's bytes are decoded, applied and kept; everybody else's are compared with
/// what was kept, which costs no more than reading them. A client whose bytes were all equal, in
/// order and without a gap, has the rows of this log: so a client of ours is its cursor alone.
struct SharedLog {
    /// What a frame of entries was to the client that got it.
    enum Reading: Equatable {
        /// All in order; the client now has the entries up to here.
        case good(through: UInt64)
        /// The client goes on behind it, as one of ours would not.
        case flawed(Flaw, through: UInt64)
    }

    let list: ListName
    /// What the entries come to.
    private(set) var state = ListState()
    /// The JSON of all entries, a comma behind each.
    private var bytes: [UInt8] = []
    /// Where in `bytes` each version ends, its comma included; version 0 ends at 0.
    private var ends = [0]
    /// Entries that nobody had got before, with the frame that brought them.
    private var fresh: [Entry] = []
    /// Frames for clients that are ahead of this log, by a snapshot: compared once it is there.
    private var early: [(after: UInt64, frame: [UInt8])] = []
    private var flaws: [Flaw] = []
    private let opening: [UInt8]

    static let otherBytes = "other bytes than the first client got"
    private static let closing = Array("]}".utf8)

    init(list: ListName) {
        self.list = list
        let empty = MessageEncoder.entriesFrame(list: list, records: [])
        opening = Array(empty.dropLast(Self.closing.count))
    }

    var head: UInt64 { UInt64(ends.count - 1) }

    /// Frames that could not be compared yet: none when all is over.
    var earlyCount: Int { early.count }

    /// Entries that nobody got, though somebody got later ones.
    var missing: UInt64 { early.map { $0.after - min($0.after, head) }.min() ?? 0 }

    /// Whether a message is a frame of entries of this list.
    func isFrame(_ message: UnsafeRawBufferPointer) -> Bool {
        message.count >= opening.count + Self.closing.count
            && Self.equal(message[..<opening.count], opening[...])
    }

    /// Takes in what a client with all entries up to `cursor` received. Cost: a comparison of bytes
    /// for all but the first receiver.
    mutating func take(
        _ frame: UnsafeRawBufferPointer, after cursor: UInt64, _ decoder: MessageDecoder
    ) -> Reading {
        if let through = known(frame, after: cursor) { return .good(through: through) }
        return decode(frame, after: cursor, decoder)
    }

    /// Whether there is something to take.
    var hasNews: Bool { !fresh.isEmpty || !flaws.isEmpty }

    /// The entries that became known since this was last asked, in order.
    mutating func takeFresh() -> [Entry] {
        defer { fresh = [] }
        return fresh
    }

    /// What was found of frames that had to wait.
    mutating func takeFlaws() -> [Flaw] {
        defer { flaws = [] }
        return flaws
    }

    /// The JSON of entries as a frame, for those who read the log anew.
    func frame(after cursor: UInt64, through: UInt64) -> [UInt8] {
        opening + bytes[ends[Int(cursor)]..<ends[Int(through)] - 1] + Self.closing
    }

    /// The version that a frame leads to, if it holds exactly what is known to follow `cursor`.
    private func known(_ frame: UnsafeRawBufferPointer, after cursor: UInt64) -> UInt64? {
        guard cursor < head, isFrame(frame) else { return nil }
        let body = frame[opening.count..<frame.count - Self.closing.count]
        let start = ends[Int(cursor)]
        let end = start + body.count + 1
        guard let through = version(endingAt: end, from: Int(cursor) + 1),
            Self.equal(body, bytes[start..<end - 1])
        else { return nil }
        return through
    }

    /// The version whose entry ends there. Most frames have one entry, so that is looked at first.
    private func version(endingAt end: Int, from first: Int) -> UInt64? {
        if ends[first] == end { return UInt64(first) }
        var low = first
        var high = ends.count - 1
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] < end { low = middle + 1 } else { high = middle }
        }
        return ends[low] == end ? UInt64(low) : nil
    }

    private mutating func decode(
        _ frame: UnsafeRawBufferPointer, after cursor: UInt64, _ decoder: MessageDecoder
    ) -> Reading {
        guard case .entries(list, let entries)? = try? decoder.decodeServerMessage(frame),
            let first = entries.first?.version.number, let last = entries.last?.version.number
        else {
            return .flawed(.diverged(list, cursor, "unreadable entries"), through: cursor)
        }
        guard zip(first..., entries).allSatisfy({ $0 == $1.version.number }) else {
            return .flawed(.diverged(list, first, "a frame is not dense"), through: last)
        }
        if first <= cursor {
            return .flawed(.doubled(list, first), through: max(last, cursor))
        }
        if first > cursor + 1 {
            return .flawed(.gap(list, after: cursor, got: first), through: last)
        }
        guard first <= head + 1 else {
            early.append((cursor, Array(frame)))
            return .good(through: last)
        }
        for entry in entries {
            if let flaw = compareOrKeep(entry) { return .flawed(flaw, through: last) }
        }
        readEarly(decoder)
        return .good(through: last)
    }

    private mutating func compareOrKeep(_ entry: Entry) -> Flaw? {
        let version = entry.version.number
        let json = MessageEncoder.encode(.entries(list, [entry]))
            .dropFirst(opening.count).dropLast(Self.closing.count)
        if version <= head {
            let kept = bytes[ends[Int(version) - 1]..<ends[Int(version)] - 1]
            return kept.elementsEqual(json) ? nil : .diverged(list, version, Self.otherBytes)
        }
        do throws(Inapplicable) {
            try state.apply(entry)
        } catch {
            return .diverged(list, version, error.description)
        }
        bytes += json
        bytes.append(UInt8(ascii: ","))
        ends.append(bytes.count)
        fresh.append(entry)
        return nil
    }

    private mutating func readEarly(_ decoder: MessageDecoder) {
        while let index = early.firstIndex(where: { $0.after <= head }) {
            let (after, frame) = early.remove(at: index)
            let reading = frame.withUnsafeBytes { take($0, after: after, decoder) }
            if case .flawed(let flaw, _) = reading { flaws.append(flaw) }
        }
    }

    private static func equal(_ left: Slice<UnsafeRawBufferPointer>, _ right: ArraySlice<UInt8>)
        -> Bool
    {
        guard left.count == right.count else { return false }
        let left = UnsafeRawBufferPointer(rebasing: left)
        return right.withUnsafeBytes { right in
            guard let a = left.baseAddress, let b = right.baseAddress else { return true }
            return memcmp(a, b, left.count) == 0
        }
    }
}
