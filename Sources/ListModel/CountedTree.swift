/// The order of a list: a B+ tree over slots that counts, per subtree, all slots and the living
/// ones.
///
/// Slots are small numbers that the owner hands out. Index of a slot, slot at an index, insert,
/// remove and the living mark cost O(log n); neighbours cost O(1). Nodes live in flat arrays and
/// name each other by number, so there is nothing to retain or to free. A leaf is given back when
/// it is empty and never merged before: with inserts as common as removals this costs no depth
/// (Johnson and Shasha, "B-trees with inserts and deletes: why free-at-empty is better than
/// merge-at-half", 1993).
package struct CountedTree: Sendable {
    package typealias Slot = Int32
    /// "No slot": the place before the first.
    package static let none: Slot = -1

    static let leafWidth = 64
    static let innerWidth = 32

    struct Counts {
        var all: Int32
        var living: Int32
    }

    /// A slot stands as itself while it lives, as its complement when it is a grave.
    var entries: ContiguousArray<Slot> = []
    var leafCount: ContiguousArray<Int32> = []
    var leafParent: ContiguousArray<Int32> = []
    var leafBefore: ContiguousArray<Int32> = []
    var leafAfter: ContiguousArray<Int32> = []

    var children: ContiguousArray<Int32> = []
    var childCounts: ContiguousArray<Counts> = []
    var innerCount: ContiguousArray<Int32> = []
    var innerParent: ContiguousArray<Int32> = []
    /// 1: the children are leaves.
    var innerLevel: ContiguousArray<Int32> = []

    var leafOfSlot: ContiguousArray<Int32> = []
    var freeLeaves: ContiguousArray<Int32> = []
    var freeInners: ContiguousArray<Int32> = []
    /// An inner node where `height` > 0, else a leaf.
    var root: Int32 = 0
    var height = 0
    var firstLeaf: Int32 = 0
    var lastLeaf: Int32 = 0

    /// All slots, and the living ones.
    package private(set) var count = 0
    package private(set) var livingCount = 0

    package init() { root = makeLeaf() }

    package func contains(_ slot: Slot) -> Bool {
        slot >= 0 && Int(slot) < leafOfSlot.count && leafOfSlot[Int(slot)] >= 0
    }

    /// Puts a slot that is not in the tree behind `previous`, or first.
    package mutating func insert(_ slot: Slot, living: Bool, after previous: Slot) {
        var leaf = firstLeaf
        var position = 0
        if previous >= 0 {
            leaf = leafOfSlot[Int(previous)]
            position = self.position(of: previous, in: leaf) + 1
        }
        if Int(leafCount[Int(leaf)]) == Self.leafWidth {
            (leaf, position) = splitLeaf(leaf, for: position)
        }
        let base = Int(leaf) * Self.leafWidth
        let used = Int(leafCount[Int(leaf)])
        var at = base + used
        while at > base + position {
            entries[at] = entries[at - 1]
            at -= 1
        }
        entries[at] = living ? slot : ~slot
        leafCount[Int(leaf)] += 1
        place(slot, in: leaf)
        count += 1
        if living { livingCount += 1 }
        addToAncestors(of: leaf, all: 1, living: living ? 1 : 0)
    }

    /// Takes a slot out. It must be in the tree.
    package mutating func remove(_ slot: Slot) {
        let leaf = leafOfSlot[Int(slot)]
        let position = self.position(of: slot, in: leaf)
        let base = Int(leaf) * Self.leafWidth
        let living = entries[base + position] >= 0
        let used = Int(leafCount[Int(leaf)])
        var at = base + position
        while at < base + used - 1 {
            entries[at] = entries[at + 1]
            at += 1
        }
        leafCount[Int(leaf)] -= 1
        leafOfSlot[Int(slot)] = -1
        count -= 1
        if living { livingCount -= 1 }
        addToAncestors(of: leaf, all: -1, living: living ? -1 : 0)
        if used == 1 { dropEmptyLeaf(leaf) }
    }

    /// Marks a slot as living or as a grave; its place stays.
    package mutating func setLiving(_ slot: Slot, _ living: Bool) {
        let leaf = leafOfSlot[Int(slot)]
        let at = Int(leaf) * Self.leafWidth + position(of: slot, in: leaf)
        guard (entries[at] >= 0) != living else { return }
        entries[at] = living ? slot : ~slot
        livingCount += living ? 1 : -1
        addToAncestors(of: leaf, all: 0, living: living ? 1 : -1)
    }

    func position(of slot: Slot, in leaf: Int32) -> Int {
        let base = Int(leaf) * Self.leafWidth
        let grave = ~slot
        var at = base
        while entries[at] != slot, entries[at] != grave { at += 1 }
        return at - base
    }

    mutating func place(_ slot: Slot, in leaf: Int32) {
        while leafOfSlot.count <= Int(slot) { leafOfSlot.append(-1) }
        leafOfSlot[Int(slot)] = leaf
    }

    mutating func addToAncestors(of leaf: Int32, all: Int32, living: Int32) {
        var child = leaf
        var parent = leafParent[Int(leaf)]
        while parent >= 0 {
            let at = Int(parent) * Self.innerWidth + childPosition(of: child, in: parent)
            childCounts[at].all += all
            childCounts[at].living += living
            child = parent
            parent = innerParent[Int(parent)]
        }
    }

    func childPosition(of child: Int32, in inner: Int32) -> Int {
        let base = Int(inner) * Self.innerWidth
        var at = base
        while children[at] != child { at += 1 }
        return at - base
    }
}
