import Testing

@testable import ListModel

/// Pending work twice: once played again for each entry, once left alone where that is enough.
@Suite("Entries that pass under pending work")
struct PassingTests {
    @Test("it comes to the same as playing all again, to the letter", arguments: seeds(24))
    func same(seed: UInt64) throws {
        var pair = PassingPair(seed: seed)
        for step in 0..<300 {
            try pair.step()
            guard step % 2 == 0 else { continue }
            try #require(
                pair.difference == nil, "\(pair.difference ?? "") \(replay(seed, step: step))")
        }
        #expect(
            pair.passed > 3 && pair.settled > 2 && pair.played > 20,
            "\(pair.passed) \(pair.settled)")
    }

    @Test("work on other elements is not played again; its versions follow")
    func passes() {
        var speculation = Speculation(makeList("a", "b"))
        speculation.propose(makeMutation([Operation(.set("a", ["n": 1]))]), makeContext(at: 5))
        speculation.propose(
            makeMutation([Operation(.delete("a", unlessEdited: false))], n: 2), makeContext(at: 6))
        let entries = [entry(2, .set("b", ["n": 2]), at: 9), entry(3, .delete("b"), at: 10)]
        #expect(speculation.pass(entries, Limits()) == 2)
        #expect(speculation.list.layout == "[a] [b]" && speculation.list.head == Version(5))
        #expect(speculation.pending.map(\.headAfter) == [Version(4), Version(5)])
        #expect(speculation.pending.allSatisfy { $0.lastAt.milliseconds == 10 })
    }

    @Test("what the work may look at does not pass, nor what does not follow")
    func stops() {
        var speculation = Speculation(makeList("a", "b", "c"))
        speculation.propose(makeMutation([Operation(.move(["a"], to: .last))]), makeContext())
        for operation in [
            ResolvedOperation.set("a", ["n": 1]), .delete("b"), .insert("x", after: .first, [:]),
            .move(["c"], after: .first), .describe(title: "t", schema: nil),
            .set("nobody", ["n": 1]),
        ] {
            #expect(speculation.pass([entry(2, operation)], Limits()) == 0, "\(operation)")
        }
        #expect(speculation.pass([entry(3, .set("b", ["n": 1]))], Limits()) == 0)
        #expect(speculation.list.layout == "b c a" && speculation.list.head == Version(2))
        #expect(
            speculation.pass([entry(2, .set("b", ["n": 1])), entry(3, .delete("c"))], Limits()) == 1
        )
    }

    private func entry(_ version: UInt64, _ operation: ResolvedOperation, at: Int64 = 0) -> Entry {
        Entry(
            version: Version(version), at: Timestamp(milliseconds: at), by: "bea", client: "c2",
            n: MutationNumber(version), operations: [operation])
    }
}

/// One replica of the two kinds, and the authority that both hear from.
private struct PassingPair {
    private var slow = Speculation()
    private var fast = Speculation()
    private var authority = ListState()
    private var random: SeededGenerator
    private var own: RandomMutations
    private var others: RandomMutations
    private var time: Int64 = 0
    private var n: UInt64 = 0
    private(set) var passed = 0
    private(set) var played = 0
    private(set) var settled = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        own = RandomMutations(seed: seed &* 3, name: "own")
        others = RandomMutations(seed: seed &* 5, name: "other")
        own.isReversible = true
        authority.perform((1...60).map { .insert(ElementID("e\($0)")!, at: .last, ["n": 1]) })
        slow = Speculation(authority)
        fast = slow
    }

    mutating func step() throws {
        time += Int64(random.below(3))
        switch random.below(10) {
        case 0...3: propose()
        case 4...7: try hear()
        default: try confirm()
        }
        // Now and then the queue is short enough for much to pass under it.
        if random.chance(8) { while !fast.pending.isEmpty { try confirm() } }
    }

    private mutating func propose() {
        n += 1
        var operations = own.operations(fast.list)
        operations.removeAll {
            $0.hasPlace && !random.chance(5) || $0.isDeletion && !random.chance(20)
        }
        operations = Array(operations.prefix(random.pick([1, 1, 3])))
        let waiting = fast.pending.flatMap { $0.mutation.operations.flatMap(\.targets) }
        if random.chance(20), !waiting.isEmpty, let element = fast.list[random.pick(waiting)] {
            // As undo is, on what is only predicted.
            let condition = random.pick([
                Condition(version: element.version), Condition(placed: element.placed),
            ])
            operations = [Operation(.set(element.id, ["n": .int(time)]), if: condition)]
        }
        let mutation = makeMutation(operations, n: n, atomic: random.chance(10))
        slow.propose(mutation, makeContext(at: time - 2))
        fast.propose(mutation, makeContext(at: time - 2))
    }

    private mutating func hear() throws {
        var entries: [Entry] = []
        for _ in 0..<random.pick([1, 1, 3]) {
            let set = ElementID("e\(1 + random.below(60))").map {
                ListModel.Operation(.set($0, ["n": .int(time)]))
            }
            let operations =
                random.chance(50)
                ? [set].compactMap(\.self)
                : others.operations(authority).filter { !$0.isDeletion || random.chance(20) }
            let resolution = authority.perform(
                makeMutation(Array(operations.prefix(1)), client: "c2"),
                makeContext(by: "bea", at: time))
            if resolution.isLogged {
                entries.append(makeEntry(resolution, of: authority, by: "bea", client: "c2"))
            }
        }
        let count = fast.pass(entries, Limits())
        if !fast.pending.isEmpty { passed += count }
        if count < entries.count {
            played += 1
            try fast.takeIn(entries.dropFirst(count))
        }
        try slow.takeIn(entries)
    }

    /// The oldest of one's own, as predicted where nothing came between.
    private mutating func confirm() throws {
        guard let first = fast.pending.first else { return }
        let at = first.lastAt.milliseconds
        let resolution = authority.perform(first.mutation, makeContext(at: at))
        let entry = makeEntry(resolution, of: authority)
        let entries = resolution.isLogged ? [entry] : []
        if resolution.isLogged, first.lastAt == entry.at,
            first.resolution.operations == entry.operations
        {
            settled += 1
            fast.settle(1)
        } else {
            try fast.takeIn(entries, dropping: { $0.mutation.n == first.mutation.n })
        }
        try slow.takeIn(entries, dropping: { $0.mutation.n == first.mutation.n })
    }

    /// What differs between the two; `nil`: nothing.
    var difference: String? {
        if fast.list.portrait != slow.list.portrait { return "the lists differ" }
        for (one, other) in zip(fast.pending, slow.pending) {
            guard one.headAfter == other.headAfter, one.headBefore == other.headBefore,
                one.lastAt == other.lastAt, one.lastAtBefore == other.lastAtBefore,
                one.resolution.operations == other.resolution.operations,
                one.resolution.skips == other.resolution.skips,
                one.resolution.refusal == other.resolution.refusal
            else { return "mutation \(one.mutation.n) differs" }
        }
        var confirmed = fast
        guard fast.pending.count == slow.pending.count,
            (try? confirmed.takeIn([], dropping: { _ in true })) != nil,
            confirmed.list.portrait == authority.portrait
        else { return "the confirmed list is another" }
        return (try? fast.list.checkInvariants()) == nil ? "the tree is broken" : nil
    }
}

extension ListModel.Operation {
    fileprivate var isDeletion: Bool {
        if case .delete = intent { return true }
        return false
    }

    fileprivate var hasPlace: Bool {
        switch intent {
        case .insert, .move: true
        case .set, .count, .delete, .restore, .describe, .forget: false
        }
    }
}
