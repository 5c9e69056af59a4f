/// Where a slot stands, and what stands where.
extension CountedTree {
    /// Number of living slots before this one. O(log n).
    package func livingIndex(of slot: Slot) -> Int { rank(of: slot).living }

    /// Number of slots, graves included, before this one. O(log n).
    package func index(of slot: Slot) -> Int { rank(of: slot).all }

    /// The living slot with `index` living ones before it; `none` outside `0 ..< livingCount`.
    /// O(log n).
    package func slot(atLiving index: Int) -> Slot {
        guard index >= 0, index < livingCount else { return Self.none }
        var left = Int32(index)
        var node = root
        for _ in 0..<height {
            var at = Int(node) * Self.innerWidth
            while childCounts[at].living <= left {
                left -= childCounts[at].living
                at += 1
            }
            node = children[at]
        }
        var at = Int(node) * Self.leafWidth
        while true {
            if entries[at] >= 0 {
                if left == 0 { return entries[at] }
                left -= 1
            }
            at += 1
        }
    }

    /// The first and the last slot, graves included; `none` in an empty tree.
    package var first: Slot {
        count == 0 ? Self.none : bare(entries[Int(firstLeaf) * Self.leafWidth])
    }

    package var last: Slot {
        guard count > 0 else { return Self.none }
        return bare(entries[Int(lastLeaf) * Self.leafWidth + Int(leafCount[Int(lastLeaf)]) - 1])
    }

    /// The slot before this one, graves included; `none` before the first. O(1).
    package func slot(before slot: Slot) -> Slot {
        let leaf = leafOfSlot[Int(slot)]
        let position = self.position(of: slot, in: leaf)
        if position > 0 { return bare(entries[Int(leaf) * Self.leafWidth + position - 1]) }
        let before = leafBefore[Int(leaf)]
        guard before >= 0 else { return Self.none }
        return bare(entries[Int(before) * Self.leafWidth + Int(leafCount[Int(before)]) - 1])
    }

    /// The slot behind this one, graves included; `none` behind the last. O(1).
    package func slot(after slot: Slot) -> Slot {
        let leaf = leafOfSlot[Int(slot)]
        let position = self.position(of: slot, in: leaf)
        if position + 1 < Int(leafCount[Int(leaf)]) {
            return bare(entries[Int(leaf) * Self.leafWidth + position + 1])
        }
        let after = leafAfter[Int(leaf)]
        return after < 0 ? Self.none : bare(entries[Int(after) * Self.leafWidth])
    }

    package func isLiving(_ slot: Slot) -> Bool {
        let leaf = leafOfSlot[Int(slot)]
        return entries[Int(leaf) * Self.leafWidth + position(of: slot, in: leaf)] >= 0
    }

    /// All slots in order, graves among them. O(n).
    package func visit(_ body: (_ slot: Slot, _ living: Bool) -> Void) {
        var leaf = firstLeaf
        while leaf >= 0 {
            let base = Int(leaf) * Self.leafWidth
            for at in base..<base + Int(leafCount[Int(leaf)]) {
                body(bare(entries[at]), entries[at] >= 0)
            }
            leaf = leafAfter[Int(leaf)]
        }
    }

    private func bare(_ entry: Slot) -> Slot { entry >= 0 ? entry : ~entry }

    private func rank(of slot: Slot) -> (all: Int, living: Int) {
        let leaf = leafOfSlot[Int(slot)]
        let base = Int(leaf) * Self.leafWidth
        let position = self.position(of: slot, in: leaf)
        var all = position
        var living = 0
        for at in base..<base + position where entries[at] >= 0 { living += 1 }
        var child = leaf
        var parent = leafParent[Int(leaf)]
        while parent >= 0 {
            var at = Int(parent) * Self.innerWidth
            while children[at] != child {
                all += Int(childCounts[at].all)
                living += Int(childCounts[at].living)
                at += 1
            }
            child = parent
            parent = innerParent[Int(parent)]
        }
        return (all, living)
    }
}
