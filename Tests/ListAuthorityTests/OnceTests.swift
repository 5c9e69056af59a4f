import ListAuthority
import ListModel
import ListProtocol
import Testing

/// Every mutation takes effect once, whatever was lost or said again.
struct OnceTests {
    private func logged(_ outcome: Outcome?) -> Version? {
        guard case .logged(let version, _) = outcome else { return nil }
        return version
    }

    private func refusal(_ outcome: Outcome?) -> Code? {
        guard case .refused(let refusal) = outcome else { return nil }
        return refusal.code
    }

    @Test func `DU1: what was applied before the cut is answered from the log`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        ana.isStalled = true
        try stage.insert(1, "a", ana)
        stage.cut(ana)
        let back = try stage.rejoin(ana)
        try stage.insert(1, "a", back)
        #expect(logged(back.outcome(of: 1)) == Version(1))
        #expect(stage.storage.entries(of: stage.list).count == 1)
        try stage.expectSame([back])
    }

    @Test func `DU2: said again while it is on its way, it is answered once to who asked last`()
        throws
    {
        let stage = Stage()
        let ana = try stage.join("ana")
        stage.holdsStorage = true
        try stage.insert(1, "a", ana)
        let back = try stage.rejoin(ana)
        try stage.insert(1, "a", back)
        stage.performAll()
        #expect(ana.outcomes(of: 1).isEmpty && back.outcomes(of: 1).count == 1)
        #expect(logged(back.outcome(of: 1)) == Version(1))
        #expect(stage.storage.entries(of: stage.list).count == 1)
    }

    @Test func `DU6: a skip is told again with its answer, also after a restart`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        stage.submit(1, [try .insert("a"), try .set("b", "x")], ana)
        let first = ana.outcome(of: 1)
        let again = stage.restarted()
        let back = try again.join("ana")
        again.submit(1, [try .insert("a"), try .set("b", "x")], back)
        #expect(first != nil && back.outcome(of: 1) == first)
    }

    @Test func `DU6: however long a client sleeps, what it says again is known`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        ana.isStalled = true
        stage.submit(1, [try .insert("a"), .count(try id("a"), FieldName("n"), by: .int(1))], ana)
        stage.cut(ana)
        // A week, during which the list is put away.
        for _ in 1...7 { stage.pass(86_400_000) }
        let back = try stage.rejoin(ana)
        #expect(stage.storage.loads == 1)
        stage.submit(1, [try .insert("a"), .count(try id("a"), FieldName("n"), by: .int(1))], back)
        #expect(logged(back.outcome(of: 1)) == Version(1))
        #expect(try stage.state.elements.map { $0.fields["n"] } == [.int(1)])
        try stage.expectSame([back])
    }

    @Test func `DU7: a duplicate does not spoil what comes behind it`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        for n: UInt64 in [1, 2, 3, 4, 5, 5, 6] { try stage.insert(n, "e\(n)", ana) }
        #expect(logged(ana.outcome(of: 6)) == Version(6))
        #expect(ana.outcomes(of: 5).count == 2)
    }

    @Test func `the same number with another content is refused, logged or not yet`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        stage.holdsStorage = true
        try stage.insert(1, "a", ana)
        try stage.insert(1, "b", ana)
        #expect(refusal(ana.outcome(of: 1)) == .numberReused)
        stage.performAll()
        #expect(logged(ana.outcome(of: 1)) == Version(1))
        try stage.insert(1, "b", ana)
        #expect(refusal(ana.outcome(of: 1)) == .numberReused)
        try stage.expectSame([ana])
    }

    @Test func `what needs a number that is another's is refused, and not done on its strength`()
        throws
    {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        // The same client, set back: it gives 1 to other work, and 2 rests on that.
        let back = try stage.rejoin(ana)
        stage.submit(1, [try .count(id("a"), FieldName("n"), by: .int(1))], back)
        stage.submit(
            2, [try .set("a", "y")], back, if: Condition(needs: MutationNumber(1)))
        #expect(refusal(back.outcome(of: 1)) == .numberReused)
        #expect(refusal(back.outcome(of: 2)) == .numberReused)
        // Given anew, both are done.
        stage.submit(3, [try .count(id("a"), FieldName("n"), by: .int(1))], back)
        stage.submit(
            4, [try .set("a", "y")], back, if: Condition(needs: MutationNumber(3)))
        #expect(logged(back.outcome(of: 4)) == Version(3))
    }

    @Test func `a number that was never logged is resolved anew`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        stage.submit(1, [try .set("a", "y")], ana)
        try stage.insert(2, "a", ana)
        #expect(ana.outcome(of: 1) != nil && logged(ana.outcome(of: 1)) == nil)
        stage.submit(1, [try .set("a", "y")], ana)
        #expect(logged(ana.outcome(of: 1)) == Version(2))
    }

    @Test func `what was heard is forgotten, and not applied again`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        try stage.insert(2, "b", ana, heard: 1)
        try stage.insert(1, "a", ana)
        #expect(refusal(ana.outcome(of: 1)) == .numberReused)
        #expect(stage.storage.entries(of: stage.list).count == 2)
    }

    @Test func `what needs an insert that its client heard of is done`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        try stage.insert(2, "b", ana, heard: 1)
        stage.submit(
            3, [try .set("a", "y")], ana, heard: 1, if: Condition(needs: MutationNumber(1)))
        #expect(logged(ana.outcome(of: 3)) == Version(3))
    }

    @Test func `what needs an outcome that was heard, and that its client has lost, waits for it`()
        throws
    {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", bob)
        try stage.insert(1, "a", ana)
        #expect(refusal(ana.outcome(of: 1)) == .idTaken)
        try stage.insert(3, "b", ana, heard: 1)
        // Her state was set back: she has not heard that the insert was refused.
        stage.submit(2, [try .delete("a")], ana, if: Condition(needs: MutationNumber(1)))
        #expect(refusal(ana.outcome(of: 2)) == .numberReused)
        #expect(try stage.state.elements.map(\.id) == [id("a"), id("b")])
    }

    @Test func `unheard outcomes are bounded, and hearing them makes room`() throws {
        var limits = Limits()
        limits.unheard = 3
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        for n: UInt64 in 1...3 { try stage.insert(n, "e\(n)", ana) }
        try stage.insert(4, "e4", ana)
        #expect(refusal(ana.outcome(of: 4)) == .tooMany)
        try stage.insert(2, "e2", ana)
        #expect(logged(ana.outcome(of: 2)) == Version(2))
        try stage.insert(4, "e4", ana, heard: 2)
        #expect(logged(ana.outcome(of: 4)) == Version(4))
    }

    @Test func `DU5: log, snapshot and clients survive a restart as they were`() throws {
        let stage = Stage(history: .entries(10))
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "bobs", bob)
        for n: UInt64 in 1...200 { try stage.insert(n, "e\(n)", ana, heard: n < 10 ? 0 : n - 3) }
        stage.submit(201, [try .delete("e7")], ana, heard: 198)
        #expect(stage.storage.logs[stage.list]?.snapshot != nil)
        let again = stage.restarted()
        let back = try again.join("ana")
        for n: UInt64 in 199...200 {
            try again.insert(n, "e\(n)", back, heard: n - 3)
            #expect(logged(back.outcome(of: n)) == Version(n + 1))
        }
        let bobBack = try again.join("bob")
        try again.insert(1, "bobs", bobBack)
        #expect(logged(bobBack.outcome(of: 1)) == Version(1), "known from the snapshot alone")
        try again.insert(150, "e150", back)
        #expect(refusal(back.outcome(of: 150)) == .numberReused)
        again.say(.fates(1, stage.list, [try id("e7")]), back)
        guard case .fates(_, _, let fates) = back.messages.last,
            case .deleted(let grave)? = fates.first
        else {
            Issue.record("its fate is not known")
            return
        }
        #expect(grave.version == Version(202) && grave.last.fields["title"] == .text("x"))
        try again.expectSame([back])
        try again.insert(202, "new", back)
        try again.expectSame([back])
    }

    @Test func `DU5: killed between the log and the word of it, nothing is there twice`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", ana)
        stage.holdsStorage = true
        try stage.insert(2, "b", ana)
        // It is in the log, and the server dies before it is told.
        for work in stage.held { _ = stage.storage.perform(work) }
        let again = stage.restarted()
        let bobBack = try again.rejoin(bob, heard: 0)
        let back = try again.rejoin(ana, heard: 1)
        #expect(bobBack.replicas[again.list]?.versions == [Version(2)], "told once, as it stands")
        try again.insert(2, "b", back, heard: 1)
        #expect(logged(back.outcome(of: 2)) == Version(2))
        try again.insert(3, "c", back, heard: 2)
        #expect(again.storage.entries(of: again.list).map(\.n.number) == [1, 2, 3])
        #expect(bobBack.replicas[again.list]?.versions == [2, 3].map { Version($0) })
        try again.expectSame([back, bobBack])
    }

    @Test func `clients that were silent for too long are forgotten`() throws {
        var sessions = Sessions()
        for (client, at) in [("old", 10), ("new", 20)] {
            sessions.record(
                Entry(
                    version: Version(1), at: Timestamp(milliseconds: Int64(at)), by: try id("x"),
                    client: try id(client), n: MutationNumber(1), operations: []))
        }
        sessions.forget(before: Timestamp(milliseconds: 15))
        #expect(sessions.count == 1)
        let copy = try #require(Sessions(sessions.value))
        #expect(copy.isLogged(MutationNumber(1), by: try id("new")))
        #expect(copy.lastAt == Timestamp(milliseconds: 20))
        // What was sent before may be in the log; what was not cannot be.
        #expect(copy.standing(of: MutationNumber(1), by: try id("old"), again: true) == .forgotten)
        #expect(copy.standing(of: MutationNumber(2), by: try id("old")) == .new)
        #expect(copy.standing(of: MutationNumber(2), by: try id("new"), again: true) == .new)
    }

    @Test func `a client that was forgotten is told so until it counts on`() throws {
        var sessions = Sessions()
        func log(_ client: String, _ n: UInt64, at: Int64) throws {
            sessions.record(
                Entry(
                    version: Version(1), at: Timestamp(milliseconds: at), by: try id("x"),
                    client: try id(client), n: MutationNumber(n), operations: []))
        }
        try log("old", 3, at: 10)
        sessions.forget(before: Timestamp(milliseconds: 15))
        try log("old", 7, at: 20)
        let old: ClientID = try id("old")
        let copy = try #require(Sessions(sessions.value))
        for sessions in [sessions, copy] {
            #expect(sessions.standing(of: MutationNumber(3), by: old, again: true) == .forgotten)
            #expect(sessions.standing(of: MutationNumber(8), by: old, again: true) == .new)
            guard case .logged = sessions.standing(of: MutationNumber(7), by: old, again: true)
            else {
                Issue.record("what was logged since is not known")
                continue
            }
        }
    }
}

extension FieldName {
    init(_ text: StaticString) { self = FieldName("\(text)")! }
}

extension Fields {
    subscript(name: StaticString) -> Value? { self[FieldName(name)] }
}
