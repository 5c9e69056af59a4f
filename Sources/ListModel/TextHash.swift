/// A fast hash of short texts under a secret of this process, so that nobody outside can choose IDs
/// that collide. The mixing is that of wyhash (Wang Yi), which Go uses for its maps for the same
/// reason: a multiplication to 128 bits whose halves are folded, for each eight bytes.
enum TextHash {
    /// Swift's own hasher has a random key for each process; it lends us two numbers.
    private static let secrets: (UInt64, UInt64) = (secret(1), secret(2))

    private static func secret(_ number: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(number)
        return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }

    static func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var text = text
        return text.withUTF8 { hash(UnsafeRawBufferPointer($0), seed: seed) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        let (first, second) = secrets
        var value = seed ^ first
        var at = 0
        while at + 8 <= bytes.count {
            value = mix(value ^ bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self), second)
            at += 8
        }
        var rest = UInt64(bytes.count) << 56
        while at < bytes.count {
            rest = rest << 8 ^ UInt64(bytes[at])
            at += 1
        }
        return mix(mix(value ^ rest, second), first)
    }

    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low
    }
}

// What dictionaries and sets ask for; else they would go through `hash(into:)`, which takes five
// times as long for a text so short, and these are looked up at every step.
extension ElementID {
    public func _rawHashValue(seed: Int) -> Int { TextHash.hash(text, seed) }

    var shortHash: UInt32 { UInt32(truncatingIfNeeded: TextHash.hash(text)) }
}

extension ListName {
    public func _rawHashValue(seed: Int) -> Int { TextHash.hash(text, seed) }
}

extension TextHash {
    fileprivate static func hash(_ text: String, _ seed: Int) -> Int {
        Int(truncatingIfNeeded: hash(text, seed: UInt64(truncatingIfNeeded: seed)))
    }
}
