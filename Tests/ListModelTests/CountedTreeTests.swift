import Testing

@testable import ListModel

@Suite("CountedTree")
struct CountedTreeTests {
    @Test("an empty tree has no first, no last and nothing at any index")
    func empty() throws {
        let tree = CountedTree()
        #expect(tree.count == 0 && tree.livingCount == 0)
        #expect(tree.first == CountedTree.none && tree.last == CountedTree.none)
        #expect(tree.slot(atLiving: 0) == CountedTree.none)
        #expect(tree.slot(atLiving: -1) == CountedTree.none)
        #expect(!tree.contains(0) && !tree.contains(CountedTree.none))
        try tree.checkInvariants()
    }

    @Test("slots appended in order fill every leaf, and a million of them stand four levels high")
    func sequentialAppends() throws {
        var tree = CountedTree()
        for slot in 0..<Int32(1_000_000) { tree.insert(slot, living: true, after: tree.last) }
        #expect(tree.leafCount.count == 1_000_000 / CountedTree.leafWidth)
        #expect(tree.height <= 4)
        for slot in stride(from: Int32(0), to: 1_000_000, by: 9_973) {
            #expect(tree.index(of: slot) == Int(slot))
            #expect(tree.slot(atLiving: Int(slot)) == slot)
        }
        try tree.checkInvariants()
    }

    @Test("OR10: 5,000 inserts at the head, then 5,000 moves between the same two, stay in order")
    func headInserts() throws {
        var tree = CountedTree()
        for slot in 0..<Int32(5_000) {
            tree.insert(slot, living: true, after: CountedTree.none)
        }
        #expect(order(of: tree) == Array((0..<5_000).reversed()))
        // Between the first and whatever stands behind it: each goes before the one just moved.
        for slot in 0..<Int32(4_999) {
            tree.remove(slot)
            tree.insert(slot, living: true, after: 4_999)
        }
        #expect(order(of: tree) == [4_999] + Array((0..<4_999).reversed()))
        #expect(tree.height <= 3)
        try tree.checkInvariants()
    }

    @Test("emptied from either end and filled again, it is as new and reuses its nodes")
    func emptiedAndRefilled() throws {
        var tree = CountedTree()
        var widest = 0
        for round in 0..<4 {
            for slot in 0..<Int32(5_000) { tree.insert(slot, living: true, after: tree.last) }
            try tree.checkInvariants()
            if round == 0 { widest = tree.leafCount.count }
            #expect(tree.leafCount.count <= widest + 1)
            while tree.count > 0 { tree.remove(round % 2 == 0 ? tree.first : tree.last) }
            #expect(tree.height == 0 && tree.livingCount == 0 && tree.first == CountedTree.none)
            try tree.checkInvariants()
        }
    }

    @Test("a grave keeps its index among all and has none among the living")
    func graves() {
        var tree = CountedTree()
        for slot in 0..<Int32(200) { tree.insert(slot, living: slot % 2 == 0, after: tree.last) }
        #expect(tree.count == 200 && tree.livingCount == 100)
        tree.setLiving(100, false)
        tree.setLiving(100, false)
        #expect(tree.livingCount == 99)
        #expect(tree.index(of: 102) == 102 && tree.livingIndex(of: 102) == 50)
        #expect(tree.slot(atLiving: 50) == 102 && tree.slot(before: 102) == 101)
        tree.setLiving(100, true)
        #expect(tree.livingIndex(of: 102) == 51 && tree.isLiving(100))
    }

    @Test("a broken count is found by checkInvariants")
    func brokenCount() {
        var tree = CountedTree()
        for slot in 0..<Int32(200) { tree.insert(slot, living: true, after: tree.last) }
        tree.childCounts[0].living -= 1
        #expect(throws: BrokenInvariant.self) { try tree.checkInvariants() }
    }
}

func order(of tree: CountedTree) -> [Int32] {
    var slots: [Int32] = []
    tree.visit { slot, _ in slots.append(slot) }
    return slots
}
