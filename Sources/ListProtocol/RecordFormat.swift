internal import ListModel

/// Records begin with the number of their format, so that a later one can be told apart.
enum RecordFormat {
    static let number: UInt8 = 1
    static let count = 1

    static func check(_ record: [UInt8]) throws(DecodingFault) {
        guard record.first == number else {
            throw DecodingFault(.malformed, "is no record of format \(number)")
        }
    }
}

/// What stands before an entry's JSON in its record: the format, and what other clients need not
/// know, both numbers as 8 bytes with the lowest first. So the rest is broadcast as it is.
struct EntryHeader {
    let heard: MutationNumber
    let digest: UInt64

    static let count = RecordFormat.count + 16

    init(heard: MutationNumber, digest: UInt64) {
        self.heard = heard
        self.digest = digest
    }

    init(_ record: [UInt8]) throws(DecodingFault) {
        try RecordFormat.check(record)
        guard record.count >= Self.count else { throw DecodingFault(.malformed, "is cut short") }
        heard = MutationNumber(Self.number(record[1..<9]))
        digest = Self.number(record[9..<17])
    }

    var bytes: [UInt8] {
        [RecordFormat.number] + Self.bytes(heard.number) + Self.bytes(digest)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
