/// A value bound to a statement's parameter.
enum Value {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// A version or checksum: SQLite keeps the same 64 bits as a signed integer.
    static func bits(_ number: UInt64) -> Value {
        .integer(Int64(bitPattern: number))
    }
}

/// A 64-bit checksum that tells a damaged record from a whole one; it is no defence against intent.
///
/// SQLite checks how its pages hang together, not what stands in them. `seed` is the record's
/// place, so that a record in another's place is noticed too.
func checksum(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
    var sum = 0xcbf2_9ce4_8422_2325 ^ (seed &* 0x9e37_79b9_7f4a_7c15) ^ UInt64(bytes.count)
    func mix(_ word: UInt64) {
        sum = (sum ^ word) &* 0x0000_0100_0000_01b3
        sum ^= sum >> 29
    }
    bytes.withUnsafeBytes { buffer in
        let whole = buffer.count & ~7
        for offset in stride(from: 0, to: whole, by: 8) {
            mix(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        for byte in buffer[whole...] { mix(UInt64(byte)) }
    }
    return sum
}
