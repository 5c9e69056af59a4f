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
            min(pair.passed, pair.confirmed, pair.played) > 2,
            "\(pair.passed) \(pair.confirmed) \(pair.played)")
    }

    @Test("work on other elements is not played again; its versions follow")
    func passes() {
        var speculation = Speculation(makeList("a", "b"))
        speculation.propose(makeMutation([Operation(.set("a", ["n": 1]))]), makeContext(at: 5))
        speculation.propose(
            makeMutation([Operation(.delete("a", unlessEdited: false))], n: 2), makeContext(at: 6))
        let entries = [entry(2, .set("b", ["n": 2]), at: 9), entry(3, .delete("b"), at: 10)]
        #expect(speculation.pass(entries[...], Limits()) == 2)
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
    private(set) var confirmed = 0

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
        let count = fast.pass(entries[...], Limits())
        if !fast.pending.isEmpty { passed += count }
        if count < entries.count {
            played += 1
            try fast.takeIn(entries.dropFirst(count))
        }
        try slow.takeIn(entries)
    }

    /// The oldest of one's own; what comes to nothing may be answered later.
    private mutating func confirm() throws {
        var before = authority
        var entries: [Entry] = []
        var answered: Set<MutationNumber> = []
        for pending in fast.pending.prefix(random.pick([1, 1, 4])) {
            let at = pending.lastAt.milliseconds + Int64(random.pick([0, 0, 2]))
            let resolution = authority.perform(pending.mutation, makeContext(at: at))
            let n = pending.mutation.n
            if resolution.isLogged { entries.append(makeEntry(resolution, of: authority, n: n)) }
            if resolution.isLogged || random.chance(60) { answered.insert(n) }
        }
        var wrong: String?
        let count = fast.confirm(entries, Limits()) { entry, known in
            wrong = wrong ?? before.takeIn(entry, known)
        }
        try #require(wrong == nil, "\(wrong ?? "")")
        confirmed += count
        let isDone = { (pending: Speculation.Pending) in answered.contains(pending.mutation.n) }
        try fast.takeIn(entries.dropFirst(count), dropping: isDone)
        try slow.takeIn(entries, dropping: isDone)
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
        var bare = fast
        guard fast.pending.count == slow.pending.count,
            (try? bare.takeIn([], dropping: { _ in true })) != nil,
            bare.list.portrait == authority.portrait
        else { return "the confirmed list is another" }
        return (try? fast.list.checkInvariants()) == nil ? "the tree is broken" : nil
    }
}

extension ListState {
    /// Applies an entry; what of `known` is not what is found then, in words.
    fileprivate mutating func takeIn(
        _ entry: Entry, _ known: Speculation.Confirmation
    ) -> String? {
        let before = marks(of: entry)
        guard let inverse = try? apply(entry, wantInverse: true) else { return "does not fit" }
        if inverse != known.inverse { return "the inverse differs: \(inverse)" }
        if before != known.before { return "\(known.before) before, not \(before)" }
        let after = marks(of: entry)
        return after == known.after ? nil : "\(known.after) after, not \(after)"
    }

    private func marks(of entry: Entry) -> Marks {
        var marks = Marks()
        for id in entry.operations.flatMap(\.targets) {
            switch standing(of: id) {
            case .living(let element):
                marks[id] = Mark(content: element.version, place: element.placed)
            case .grave(let grave?): marks[id] = Mark(content: grave.version, place: nil)
            case .grave(nil), .unknown: break
            }
        }
        return marks
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
