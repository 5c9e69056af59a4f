/// What a structure found wrong with itself; only tests and `samelistd check` ask.
package struct BrokenInvariant: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

extension CountedTree {
    /// Throws where counts, links or depths do not hold. O(n).
    package func checkInvariants() throws(BrokenInvariant) {
        let sums = try check(node: root, level: Int32(height), parent: -1)
        guard Int(sums.all) == count, Int(sums.living) == livingCount else {
            throw BrokenInvariant("the tree counts \(sums), its owner \(count), \(livingCount)")
        }
        var seen = 0
        var leaf = firstLeaf
        var before: Int32 = -1
        while leaf >= 0 {
            guard leafBefore[Int(leaf)] == before else {
                throw BrokenInvariant("leaf \(leaf) does not follow \(before)")
            }
            seen += Int(leafCount[Int(leaf)])
            before = leaf
            leaf = leafAfter[Int(leaf)]
        }
        guard seen == count, before == lastLeaf else {
            throw BrokenInvariant("the chain of leaves holds \(seen) of \(count)")
        }
    }

    private func check(node: Int32, level: Int32, parent: Int32) throws(BrokenInvariant) -> Counts {
        guard level > 0 else { return try check(leaf: node, parent: parent) }
        let inner = Int(node)
        guard innerLevel[inner] == level, innerParent[inner] == parent, innerCount[inner] > 0
        else { throw BrokenInvariant("inner node \(node): level, parent or count is wrong") }
        var sums = Counts(all: 0, living: 0)
        for at in inner * Self.innerWidth..<inner * Self.innerWidth + Int(innerCount[inner]) {
            let below = try check(node: children[at], level: level - 1, parent: node)
            guard below.all == childCounts[at].all, below.living == childCounts[at].living else {
                throw BrokenInvariant("inner node \(node) counts \(childCounts[at]) for \(below)")
            }
            sums.all += below.all
            sums.living += below.living
        }
        return sums
    }

    private func check(leaf: Int32, parent: Int32) throws(BrokenInvariant) -> Counts {
        let used = Int(leafCount[Int(leaf)])
        guard leafParent[Int(leaf)] == parent, used <= Self.leafWidth, used > 0 || height == 0
        else { throw BrokenInvariant("leaf \(leaf): parent or count is wrong") }
        var sums = Counts(all: 0, living: 0)
        for at in Int(leaf) * Self.leafWidth..<Int(leaf) * Self.leafWidth + used {
            let entry = entries[at]
            guard leafOfSlot[Int(entry >= 0 ? entry : ~entry)] == leaf else {
                throw BrokenInvariant("slot \(entry) is not known to stand in leaf \(leaf)")
            }
            sums.all += 1
            if entry >= 0 { sums.living += 1 }
        }
        return sums
    }
}
