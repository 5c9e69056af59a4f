import Testing

@testable import ListModel

/// The table from IDs to slots against a dictionary.
struct SlotIndexTests {
    @Test(
        "random steps leave it equal to a dictionary, also where hashes collide",
        arguments: seeds(8), [0xFFFF_FFFF, 0x8000_0003] as [UInt32])
    func dictionary(seed: UInt64, mask: UInt32) {
        var random = SeededGenerator(seed: seed)
        var index = SlotIndex()
        var slots: [Int32: UInt32] = [:]
        for step in 0..<20_000 {
            let slot = Int32.random(in: 0..<(step < 10_000 ? 2_000 : 50), using: &random)
            if let hash = slots.removeValue(forKey: slot) {
                index.remove(slot, hash: hash)
            } else {
                let hash = UInt32.random(in: 0 ... .max, using: &random) & mask
                slots[slot] = hash
                index.insert(slot, hash: hash)
            }
            guard step % 100 == 0 else { continue }
            #expect(index.count == slots.count && Set(index.slots) == Set(slots.keys))
            for (slot, hash) in slots { #expect(index.slot(hash: hash) { $0 == slot } == slot) }
            #expect(index.slot(hash: 7) { _ in false } == nil)
        }
    }

    @Test("equal IDs have equal hashes, however their texts are kept")
    func hashes() throws {
        for length in 1...64 {
            let text = String(repeating: "x", count: length)
            let part = "<\(text)>".dropFirst().dropLast()
            let (first, second) = (
                try #require(ElementID(text)), try #require(ElementID("\(part)"))
            )
            #expect(first.shortHash == second.shortHash && Set([first]).contains(second))
        }
    }
}

/// The marks of a mutation's elements against a dictionary.
struct MarksTests {
    @Test("random steps leave them equal to a dictionary", arguments: seeds(8))
    func dictionary(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var marks = Marks()
        var plain: [ElementID: Mark] = [:]
        for step in 0..<500 {
            let id = try #require(ElementID("x\(Int.random(in: 0..<4, using: &random))"))
            let mark = Mark(content: Version(UInt64(step)), place: nil)
            marks[id] = Bool.random(using: &random) ? mark : nil
            plain[id] = marks[id]
            #expect(
                marks.all.count == plain.count && marks.all.allSatisfy { plain[$0.id] == $0.mark })
            #expect((marks == Marks()) == plain.isEmpty)
        }
    }
}
