import Testing

@testable import ListModel

@Suite("CountedTree against plain structures")
struct CountedTreeRandomTests {
    @Test("random steps leave it equal to an array, in every answer", arguments: seeds(8))
    func array(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pair = TreeAndArray()
        for step in 0..<25_000 {
            pair.step(&random, largest: step / 5_000 % 2 == 0 ? 400 : 3)
            if step % 50 == 0 {
                #expect(pair.isEqual(&random), "\(replay(seed, step: step))")
            }
            if step % 1_000 == 0 { try pair.tree.checkInvariants() }
        }
        try pair.tree.checkInvariants()
    }

    @Test("a large tree grows, shrinks and grows like a linked list", arguments: seeds(2))
    func linkedList(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pair = TreeAndLinks(capacity: 60_000)
        for phase in 0..<3 {
            // Mostly inserts, mostly removals, then both: at random places, and in runs at one.
            for _ in 0..<50_000 { pair.step(&random, inserts: [90, 15, 50][phase]) }
            try pair.tree.checkInvariants()
            let slots = pair.walk()
            #expect(order(of: pair.tree) == slots, "\(replay(seed, step: phase))")
            for index in stride(from: 0, to: slots.count, by: 37) {
                #expect(pair.tree.index(of: slots[index]) == index)
                #expect(pair.tree.slot(atLiving: index) == slots[index])
            }
        }
    }
}

/// A tree, and an array that goes through the same steps.
struct TreeAndArray {
    var tree = CountedTree()
    private var array: [(slot: Int32, living: Bool)] = []
    private var spare = Array((0..<Int32(500)).reversed())

    mutating func step(_ random: inout SeededGenerator, largest: Int) {
        let choice = random.below(10)
        if array.isEmpty || (choice < 4 && array.count < largest) {
            insert(spare.removeLast(), living: random.chance(70), at: place(&random))
        } else if choice < 6 || array.count > largest {
            let at = random.below(array.count)
            spare.append(array[at].slot)
            tree.remove(array.remove(at: at).slot)
        } else if choice < 8 {
            let at = random.below(array.count)
            array[at].living = random.chance(50)
            tree.setLiving(array[at].slot, array[at].living)
        } else {
            let moved = array.remove(at: random.below(array.count))
            tree.remove(moved.slot)
            insert(moved.slot, living: moved.living, at: place(&random))
        }
    }

    private func place(_ random: inout SeededGenerator) -> Int {
        random.pick([0, array.count, random.below(array.count + 1), array.count / 2])
    }

    private mutating func insert(_ slot: Int32, living: Bool, at index: Int) {
        let previous = index == 0 ? CountedTree.none : array[index - 1].slot
        array.insert((slot, living), at: index)
        tree.insert(slot, living: living, after: previous)
    }

    func isEqual(_ random: inout SeededGenerator) -> Bool {
        let none = CountedTree.none
        let living = array.filter(\.living)
        guard order(of: tree) == array.map(\.slot), tree.count == array.count,
            tree.livingCount == living.count, tree.first == array.first?.slot ?? none,
            tree.last == array.last?.slot ?? none, tree.slot(atLiving: living.count) == none
        else { return false }
        for (index, item) in living.enumerated() where random.chance(20) {
            guard tree.slot(atLiving: index) == item.slot else { return false }
        }
        var livingBefore = 0
        for (index, item) in array.enumerated() {
            let before = index == 0 ? none : array[index - 1].slot
            let after = index + 1 == array.count ? none : array[index + 1].slot
            guard tree.index(of: item.slot) == index,
                tree.livingIndex(of: item.slot) == livingBefore,
                tree.slot(before: item.slot) == before, tree.slot(after: item.slot) == after,
                tree.isLiving(item.slot) == item.living, tree.contains(item.slot)
            else { return false }
            if item.living { livingBefore += 1 }
        }
        return spare.allSatisfy { !tree.contains($0) }
    }
}

/// A tree, and a linked list that goes through the same steps: cheap at any size.
struct TreeAndLinks {
    var tree = CountedTree()
    private var next: [Int32]
    private var previous: [Int32]
    private var present: [Int32] = []
    private var spare: [Int32]
    private let head: Int32
    private var lastPlace: Int32

    /// The link with the number `capacity` is the head of the ring.
    init(capacity: Int32) {
        head = capacity
        lastPlace = capacity
        spare = Array(0..<capacity)
        next = Array(repeating: capacity, count: Int(capacity) + 1)
        previous = next
    }

    mutating func step(_ random: inout SeededGenerator, inserts: Int) {
        if present.isEmpty || random.chance(inserts), let slot = spare.popLast() {
            present.append(slot)
            insert(slot, &random)
            return
        }
        let at = random.below(present.count)
        let slot = present[at]
        tree.remove(slot)
        next[Int(previous[Int(slot)])] = next[Int(slot)]
        previous[Int(next[Int(slot)])] = previous[Int(slot)]
        if lastPlace == slot { lastPlace = head }
        if random.chance(30) { return insert(slot, &random) }
        present.swapAt(at, present.count - 1)
        present.removeLast()
        spare.append(slot)
    }

    private mutating func insert(_ slot: Int32, _ random: inout SeededGenerator) {
        if random.chance(2) { lastPlace = random.chance(30) ? head : previous[Int(head)] }
        if random.chance(30) { lastPlace = present[random.below(present.count)] }
        if lastPlace == slot { lastPlace = head }
        tree.insert(slot, living: true, after: lastPlace == head ? CountedTree.none : lastPlace)
        let after = next[Int(lastPlace)]
        next[Int(lastPlace)] = slot
        previous[Int(slot)] = lastPlace
        next[Int(slot)] = after
        previous[Int(after)] = slot
    }

    func walk() -> [Int32] {
        var slots: [Int32] = []
        var at = next[Int(head)]
        while at != head {
            slots.append(at)
            at = next[Int(at)]
        }
        return slots
    }
}
