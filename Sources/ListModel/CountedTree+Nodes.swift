/// Making, splitting and dropping nodes.
extension CountedTree {
    mutating func makeLeaf() -> Int32 {
        if let leaf = freeLeaves.popLast() {
            leafCount[Int(leaf)] = 0
            leafParent[Int(leaf)] = -1
            leafBefore[Int(leaf)] = -1
            leafAfter[Int(leaf)] = -1
            return leaf
        }
        entries.append(contentsOf: repeatElement(0, count: Self.leafWidth))
        leafCount.append(0)
        leafParent.append(-1)
        leafBefore.append(-1)
        leafAfter.append(-1)
        return Int32(leafCount.count - 1)
    }

    mutating func makeInner(level: Int32) -> Int32 {
        if let inner = freeInners.popLast() {
            innerCount[Int(inner)] = 0
            innerParent[Int(inner)] = -1
            innerLevel[Int(inner)] = level
            return inner
        }
        children.append(contentsOf: repeatElement(-1, count: Self.innerWidth))
        childCounts.append(
            contentsOf: repeatElement(Counts(all: 0, living: 0), count: Self.innerWidth))
        innerCount.append(0)
        innerParent.append(-1)
        innerLevel.append(level)
        return Int32(innerCount.count - 1)
    }

    /// Splits a full leaf; answers the leaf and the position that `position` has become. A leaf at
    /// the end of the list that is appended to stays full, so that lists written in order pack
    /// densely.
    mutating func splitLeaf(_ leaf: Int32, for position: Int) -> (Int32, Int) {
        let appends = leaf == lastLeaf && position == Self.leafWidth
        let kept = appends ? Self.leafWidth : Self.leafWidth / 2
        let right = makeLeaf()
        let from = Int(leaf) * Self.leafWidth
        let to = Int(right) * Self.leafWidth
        var moved = Counts(all: 0, living: 0)
        for index in kept..<Self.leafWidth {
            let entry = entries[from + index]
            entries[to + index - kept] = entry
            leafOfSlot[Int(entry >= 0 ? entry : ~entry)] = right
            moved.all += 1
            if entry >= 0 { moved.living += 1 }
        }
        leafCount[Int(leaf)] = Int32(kept)
        leafCount[Int(right)] = moved.all
        linkLeaf(right, after: leaf)
        adopt(right, isLeaf: true, after: leaf, counts: moved)
        return position <= kept && !appends ? (leaf, position) : (right, position - kept)
    }

    private mutating func linkLeaf(_ leaf: Int32, after previous: Int32) {
        let next = leafAfter[Int(previous)]
        leafBefore[Int(leaf)] = previous
        leafAfter[Int(leaf)] = next
        leafAfter[Int(previous)] = leaf
        if next >= 0 { leafBefore[Int(next)] = leaf } else { lastLeaf = leaf }
    }

    /// Gives the new node `child` a place in the tree behind `sibling`, whose subtree held its
    /// `counts`.
    private mutating func adopt(
        _ child: Int32, isLeaf: Bool, after sibling: Int32, counts: Counts
    ) {
        var parent = isLeaf ? leafParent[Int(sibling)] : innerParent[Int(sibling)]
        if parent < 0 {
            parent = growRoot(over: sibling, isLeaf: isLeaf)
        } else if Int(innerCount[Int(parent)]) == Self.innerWidth {
            splitInner(parent)
            parent = isLeaf ? leafParent[Int(sibling)] : innerParent[Int(sibling)]
        }
        let base = Int(parent) * Self.innerWidth
        let position = childPosition(of: sibling, in: parent) + 1
        var at = base + Int(innerCount[Int(parent)])
        while at > base + position {
            children[at] = children[at - 1]
            childCounts[at] = childCounts[at - 1]
            at -= 1
        }
        children[at] = child
        childCounts[at] = counts
        childCounts[at - 1].all -= counts.all
        childCounts[at - 1].living -= counts.living
        innerCount[Int(parent)] += 1
        setParent(of: child, isLeaf: isLeaf, to: parent)
    }

    private mutating func growRoot(over old: Int32, isLeaf: Bool) -> Int32 {
        let level = isLeaf ? 1 : innerLevel[Int(old)] + 1
        let top = makeInner(level: level)
        let at = Int(top) * Self.innerWidth
        children[at] = old
        childCounts[at] = Counts(all: Int32(count), living: Int32(livingCount))
        innerCount[Int(top)] = 1
        setParent(of: old, isLeaf: isLeaf, to: top)
        root = top
        height += 1
        return top
    }

    private mutating func splitInner(_ inner: Int32) {
        let right = makeInner(level: innerLevel[Int(inner)])
        let kept = Self.innerWidth / 2
        let from = Int(inner) * Self.innerWidth
        let to = Int(right) * Self.innerWidth
        let isLeaf = innerLevel[Int(inner)] == 1
        var moved = Counts(all: 0, living: 0)
        for index in kept..<Self.innerWidth {
            children[to + index - kept] = children[from + index]
            childCounts[to + index - kept] = childCounts[from + index]
            moved.all += childCounts[from + index].all
            moved.living += childCounts[from + index].living
            setParent(of: children[from + index], isLeaf: isLeaf, to: right)
        }
        innerCount[Int(inner)] = Int32(kept)
        innerCount[Int(right)] = Int32(Self.innerWidth - kept)
        adopt(right, isLeaf: false, after: inner, counts: moved)
    }

    private mutating func setParent(of node: Int32, isLeaf: Bool, to parent: Int32) {
        if isLeaf { leafParent[Int(node)] = parent } else { innerParent[Int(node)] = parent }
    }

    /// Gives an empty leaf back, unless it is the whole tree, and every inner node that it leaves
    /// empty.
    mutating func dropEmptyLeaf(_ leaf: Int32) {
        guard height > 0 else { return }
        let before = leafBefore[Int(leaf)]
        let after = leafAfter[Int(leaf)]
        if before >= 0 { leafAfter[Int(before)] = after } else { firstLeaf = after }
        if after >= 0 { leafBefore[Int(after)] = before } else { lastLeaf = before }
        var node = leaf
        var parent = leafParent[Int(leaf)]
        freeLeaves.append(leaf)
        while parent >= 0 {
            dropChild(node, of: parent)
            if innerCount[Int(parent)] > 0 { break }
            freeInners.append(parent)
            node = parent
            parent = innerParent[Int(parent)]
        }
        lowerRoot()
    }

    private mutating func dropChild(_ child: Int32, of parent: Int32) {
        let base = Int(parent) * Self.innerWidth
        var at = base + childPosition(of: child, in: parent)
        while at < base + Int(innerCount[Int(parent)]) - 1 {
            children[at] = children[at + 1]
            childCounts[at] = childCounts[at + 1]
            at += 1
        }
        innerCount[Int(parent)] -= 1
    }

    private mutating func lowerRoot() {
        while height > 0, innerCount[Int(root)] == 1 {
            let only = children[Int(root) * Self.innerWidth]
            let isLeaf = innerLevel[Int(root)] == 1
            freeInners.append(root)
            setParent(of: only, isLeaf: isLeaf, to: -1)
            root = only
            height -= 1
        }
    }
}
