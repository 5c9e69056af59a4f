import ListAuthority
import ListModel
import ListProtocol
import Testing

/// Nothing is told before it is durable; batches leave at the log's pace.
struct DurabilityTests {
    @Test func `DB1: entries and outcomes leave when the append is durable, not before`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        stage.holdsStorage = true
        _ = (ana.takeMessages(), bob.takeMessages())
        try stage.insert(1, "a", ana)
        #expect(ana.messages.isEmpty && bob.messages.isEmpty)
        stage.perform()
        #expect(ana.messages.isEmpty && bob.messages.isEmpty, "done, but nobody was told to tell")
        stage.run()
        #expect(ana.outcome(of: 1) == .logged(Version(1), skips: []))
        try stage.expectSame([ana, bob])
    }

    @Test func `an outcome comes behind the entry that it speaks of`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        _ = ana.takeMessages()
        try stage.insert(1, "a", ana)
        guard case .entries = ana.messages.first, case .outcome = ana.messages.last else {
            Issue.record("\(ana.messages)")
            return
        }
    }

    @Test func `what rests on work under way is told with it, also where nothing was done`() throws
    {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        stage.holdsStorage = true
        try stage.insert(1, "a", ana)
        try stage.insert(1, "a", bob)
        stage.submit(2, [try .set("a", "x")], bob)
        #expect(bob.outcomes(of: 1).isEmpty && bob.outcomes(of: 2).isEmpty)
        stage.performAll()
        guard case .refused(let refusal) = bob.outcome(of: 1) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .idTaken)
        #expect(bob.outcome(of: 2) == .nothing(skips: []))
    }

    @Test func `fates and snapshots speak of what is durable`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        try stage.insert(2, "b", ana)
        stage.submit(3, [try .delete("b")], ana)
        stage.holdsStorage = true
        stage.submit(4, [try .delete("a"), try .insert("c"), .restore(try id("b"))], ana)
        let bob = try stage.connect("bob")
        try stage.open(bob, editing: ["a", "b", "c"])
        let fates = bob.messages.compactMap { message -> [Fate]? in
            guard case .fates(nil, _, let fates) = message else { return nil }
            return fates
        }
        #expect(fates.first?.count == 3)
        #expect(fates.first?.first == .alive(try id("a")))
        #expect(fates.first?.last == .unknown(try id("c")))
        if case .deleted(let grave)? = fates.first?[1] { #expect(grave.by.text == "ana") }
        #expect(bob.replicas[stage.list]?.state.elements.map(\.id.text) == ["a"])
        stage.performAll()
        try stage.expectSame([ana, bob])
    }

    @Test func `a pong of a list comes behind all that was durable`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        ana.isStalled = true
        for n in 1...50 { try stage.insert(UInt64(n), "e\(n)", ana) }
        stage.say(.ping(9, stage.list), ana)
        while stage.take(ana, bytes: 200) > 0 {}
        #expect(ana.messages.last == .pong(9, stage.list, Version(50)))
    }

    @Test func `one append is under way, and the rest leaves together`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        stage.holdsStorage = true
        for n in 1...100 { try stage.insert(UInt64(n), "e\(n)", ana) }
        #expect(stage.held.count == 1)
        stage.perform()
        stage.run()
        guard case .append(_, let after, let records)? = stage.held.first else {
            Issue.record("no second append")
            return
        }
        #expect(stage.held.count == 1 && after == Version(1) && records.count == 99)
        stage.performAll()
        #expect(stage.storage.appends == 2)
        #expect((1...100).allSatisfy { ana.outcomes(of: $0).count == 1 })
        try stage.expectSame([ana])
    }

    @Test func `DB5 DB7: what could not be written is refused, and later work goes on`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", ana)
        stage.storage.faults = [.fail, .fail]
        try stage.insert(2, "b", ana)
        stage.submit(1, [try .delete("a")], bob)
        for outcome in [ana.outcome(of: 2), bob.outcome(of: 1)] {
            guard case .refused(let refusal) = outcome else {
                Issue.record("not refused: \(String(describing: outcome))")
                continue
            }
            #expect(refusal.code == .storageFailed)
        }
        #expect(bob.replicas[stage.list]?.versions == [Version(1)])
        try stage.insert(2, "b", ana)
        #expect(ana.outcome(of: 2) == .logged(Version(2), skips: []))
        try stage.expectSame([ana, bob])
    }

    @Test func `what waits behind a failing append is refused with it`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        stage.holdsStorage = true
        stage.storage.faults = [.fail]
        try stage.insert(1, "a", ana)
        stage.submit(2, [try .set("a", "y")], ana)
        stage.performAll()
        #expect(ana.outcomes(of: 1).count == 1 && ana.outcomes(of: 2).count == 1)
        #expect(try stage.state.head == .zero)
        try stage.insert(3, "a", ana)
        try stage.expectSame([ana])
    }

    @Test func `joining while work is under way does not change what that work comes to`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", ana)
        stage.holdsStorage = true
        stage.submit(2, [try .delete("a", unlessEdited: true)], ana)
        stage.say(.presence(stage.list, editing: [try id("a")]), bob)
        stage.cut(try stage.join("cid"))
        let dora = try stage.connect("dora")
        try stage.open(dora)
        stage.say(.fates(1, stage.list, [try id("a")]), dora)
        stage.performAll()
        try stage.insert(3, "b", ana)
        try stage.expectSame([ana, bob, dora])
        #expect(ana.outcome(of: 2) == .logged(Version(2), skips: []))
        #expect(ana.outcome(of: 3) == .logged(Version(3), skips: []))
        #expect(try stage.state.elements.map(\.id.text) == ["b"])
    }

    @Test func `a mutation may need one that still waits for the log`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        stage.holdsStorage = true
        try stage.insert(1, "a", ana)
        stage.submit(2, [try .set("a", "y")], ana, if: Condition(needs: MutationNumber(1)))
        try stage.insert(1, "a", bob)
        stage.submit(2, [try .set("a", "z")], bob, if: Condition(needs: MutationNumber(1)))
        stage.performAll()
        #expect(ana.outcome(of: 2) == .logged(Version(2), skips: []))
        let skip = Skip(operation: 0, id: try id("a"), code: .noSuchElement)
        #expect(bob.outcome(of: 2) == .nothing(skips: [skip]))
        try stage.expectSame([ana, bob])
    }

    @Test func `CL1: time in entries never goes backwards, whatever the clock does`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        stage.now = stage.now.adding(milliseconds: 3_600_000)
        stage.submit(2, [try .delete("a")], ana)
        stage.now = stage.now.adding(milliseconds: -86_400_000)
        try stage.insert(3, "b", ana)
        let again = stage.restarted()
        let late = try again.join("ana")
        try again.insert(4, "c", late)
        let times = again.storage.entries(of: stage.list).map(\.at)
        #expect(times == times.sorted() && times.count == 4)
    }
}
