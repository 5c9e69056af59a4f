/// From IDs to slots: a hash table with open addressing that holds no IDs itself, since those stand
/// in the slots. A look-up costs one hash and, nearly always, one comparison of texts; an ID takes
/// 8 bytes and the slack, where a dictionary of texts takes 20.
///
/// A bucket is 0 while it is free; else it has the hash's low half above, and the slot, counted
/// from 1, below. Buckets in the way are passed in order; one that is freed is filled by those
/// behind it, so no look-up ever passes what was (Knuth, TAOCP 3, section 6.4, algorithm R).
struct SlotIndex: Sendable {
    private var buckets: ContiguousArray<UInt64> = []
    private(set) var count = 0

    /// The slot of an ID; `isIt` tells whether a slot's ID is this one.
    func slot(hash: UInt32, _ isIt: (CountedTree.Slot) -> Bool) -> CountedTree.Slot? {
        guard count > 0 else { return nil }
        let mask = buckets.count - 1
        var at = Int(hash) & mask
        while buckets[at] != 0 {
            let bucket = buckets[at]
            if UInt32(truncatingIfNeeded: bucket >> 32) == hash, isIt(Self.slot(in: bucket)) {
                return Self.slot(in: bucket)
            }
            at = (at + 1) & mask
        }
        return nil
    }

    /// Puts in what is not there.
    mutating func insert(_ slot: CountedTree.Slot, hash: UInt32) {
        if (count + 1) * 5 > buckets.count * 4 { grow() }
        put(UInt64(hash) << 32 | UInt64(slot + 1))
        count += 1
    }

    /// Takes out what is there.
    mutating func remove(_ slot: CountedTree.Slot, hash: UInt32) {
        let mask = buckets.count - 1
        let wanted = UInt64(hash) << 32 | UInt64(slot + 1)
        var free = Int(hash) & mask
        while buckets[free] != wanted {
            if buckets[free] == 0 { return }
            free = (free + 1) & mask
        }
        var at = (free + 1) & mask
        while buckets[at] != 0 {
            let home = Int(buckets[at] >> 32) & mask
            // Whoever would be found from its home on also at the free place moves there.
            if (at - home) & mask >= (at - free) & mask {
                buckets[free] = buckets[at]
                free = at
            }
            at = (at + 1) & mask
        }
        buckets[free] = 0
        count -= 1
    }

    /// All slots, in no order.
    var slots: [CountedTree.Slot] { buckets.filter { $0 != 0 }.map { Self.slot(in: $0) } }

    private static func slot(in bucket: UInt64) -> CountedTree.Slot {
        CountedTree.Slot(truncatingIfNeeded: bucket) - 1
    }

    private mutating func put(_ bucket: UInt64) {
        let mask = buckets.count - 1
        var at = Int(bucket >> 32) & mask
        while buckets[at] != 0 { at = (at + 1) & mask }
        buckets[at] = bucket
    }

    private mutating func grow() {
        let old = buckets
        buckets = ContiguousArray(repeating: 0, count: max(8, old.count * 2))
        for bucket in old where bucket != 0 { put(bucket) }
    }
}
