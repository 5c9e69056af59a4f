package import ListModel

/// The newest records of a log, as they were encoded once: what nearly every subscriber is sent
/// next.
package struct LogTail: Sendable {
    private var records: [[UInt8]] = []
    /// Index of the oldest record that counts.
    private var start = 0
    private var bytes = 0
    /// The version before the oldest record here.
    package private(set) var before: Version

    /// Bytes kept; older records are read from the storage again.
    static let mostBytes = 1 << 20

    package init(after head: Version = .zero) { before = head }

    package var head: Version { before.advanced(by: records.count - start) }

    package mutating func append(_ record: [UInt8]) {
        records.append(record)
        bytes += record.count
        while bytes > Self.mostBytes, records.count - start > 1 {
            bytes -= records[start].count
            records[start] = []
            start += 1
            before = before.next
        }
        if start > 64, start * 2 > records.count {
            records.removeFirst(start)
            start = 0
        }
    }

    /// The records behind `version`, as many as fit `bytes` and at least one; `nil` where the tail
    /// does not reach back so far.
    package func records(after version: Version, bytes: Int) -> ArraySlice<[UInt8]>? {
        guard version >= before, version <= head else { return nil }
        let from = start + Int(version.number - before.number)
        var to = from
        var sum = 0
        while to < records.count, to == from || sum + records[to].count <= bytes {
            sum += records[to].count
            to += 1
        }
        return records[from..<to]
    }
}
