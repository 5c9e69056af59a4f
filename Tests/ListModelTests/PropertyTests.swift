import Testing

@testable import ListModel

@Suite("ListState against the naive list")
struct PropertyTests {
    @Test(
        "random operations come to the same, in every outcome and every row", arguments: seeds(16))
    func naive(seed: UInt64) throws {
        var source = RandomMutations(seed: seed)
        var list = ListState()
        var naive = NaiveList()
        var operations = 0
        var step = 0
        while operations < 64_000 {
            let mutation = makeMutation(
                source.operations(list), n: UInt64(step + 1), atomic: source.random.chance(5))
            let context = source.context
            let resolution = list.perform(mutation, context)
            let expected = naive.perform(mutation, context)
            operations += mutation.operations.count
            step += 1
            let told = NaiveList.Told(
                skips: resolution.skips, refusal: resolution.refusal?.code,
                logged: resolution.isLogged)
            if told != expected {
                let extra = told.skips.filter { !expected.skips.contains($0) }
                let missing = expected.skips.filter { !told.skips.contains($0) }
                let at = (extra + missing).map(\.operation)
                Issue.record(
                    """
                    \(replay(seed, step: step)): told \(extra), expected \(missing); \
                    \(told.refusal as Any), \(expected.refusal as Any); logged \(told.logged), \
                    \(expected.logged): \(at.map { mutation.operations[$0] })
                    """)
                return
            }
            if step % 8 == 0 {
                try #require(list.portrait == naive.portrait, "\(replay(seed, step: step))")
            }
            if step % 100 == 0 { try list.checkInvariants() }
        }
        #expect(list.portrait == naive.portrait, "\(replay(seed, step: step))")
        try list.checkInvariants()
    }

    @Test("what is performed on one copy and applied to another is the same", arguments: seeds(8))
    func apply(seed: UInt64) throws {
        var source = RandomMutations(seed: seed)
        var list = ListState()
        var copy = ListState()
        for step in 0..<600 {
            let mutation = makeMutation(source.operations(list))
            let context = source.context
            let resolution = list.perform(mutation, context)
            guard resolution.isLogged else { continue }
            try copy.apply(makeEntry(resolution, of: list, by: context.by))
            try #require(copy.portrait == list.portrait, "\(replay(seed, step: step))")
            if step % 100 == 0 { try copy.checkInvariants() }
        }
    }

    @Test("an entry that does not fit its list leaves it exactly as it was", arguments: seeds(4))
    func inapplicable(seed: UInt64) throws {
        var source = RandomMutations(seed: seed)
        var list = ListState()
        for step in 0..<500 {
            let before = list
            let context = source.context
            let resolution = list.perform(makeMutation(source.operations(list)), context)
            guard resolution.isLogged else { continue }
            var entry = makeEntry(resolution, of: list, by: context.by)
            entry.operations.append(.set("never", ["x": 1]))
            var copy = before
            #expect(throws: Inapplicable.self) { try copy.apply(entry) }
            try #require(copy.portrait == before.portrait, "\(replay(seed, step: step))")
            if step % 50 == 0 { try copy.checkInvariants() }
        }
    }

    @Test("what was performed can be taken back, and back again, exactly", arguments: seeds(8))
    func revert(seed: UInt64) throws {
        var source = RandomMutations(seed: seed)
        var list = ListState()
        for step in 0..<400 {
            let before = (list.portrait, list.head, list.lastAt)
            var done: [(Resolution, Version, Timestamp)] = []
            for _ in 0..<1 + source.random.below(4) {
                let (head, lastAt) = (list.head, list.lastAt)
                let resolution = list.perform(
                    makeMutation(source.operations(list)), source.context)
                done.append((resolution, head, lastAt))
            }
            guard source.random.chance(70) else { continue }
            for (resolution, head, lastAt) in done.reversed() {
                list.revert(resolution, to: head, lastAt)
            }
            try #require(list.portrait == before.0, "\(replay(seed, step: step))")
            try list.checkInvariants()
        }
    }
}

extension RandomMutations {
    /// Somebody, at a time that may lie before the last one, while somebody edits something.
    var context: ResolutionContext {
        mutating get {
            let edited = [1, 1 + random.below(30)].map { ElementID("\(name)\($0)")! }
            return makeContext(
                by: random.pick(["ann", "bea", "cem"]), at: Int64(random.below(1_000_000)),
                editors: Dictionary(edited.map { ($0, "eve") }, uniquingKeysWith: { $1 }),
                isLogged: { $0.number % 2 == 0 })
        }
    }
}
