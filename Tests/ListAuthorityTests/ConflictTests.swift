import ListAuthority
import ListModel
import ListProtocol
import Testing

/// Somebody else wrote first, or an answer of the storage was lost.
struct ConflictTests {
    @Test func `foreign entries are taken over, and our work is resolved behind them`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", ana)
        stage.storage.faults = [.conflict(try stage.foreign([.delete(try id("a"))]))]
        stage.submit(2, [try .set("a", "x"), try .insert("b")], ana)
        let skip = Skip(operation: 0, id: try id("a"), code: .removed, by: try id("other"))
        #expect(ana.outcome(of: 2) == .logged(Version(3), skips: [skip]))
        #expect(bob.replicas[stage.list]?.versions == [1, 2, 3].map { Version($0) })
        try stage.expectSame([ana, bob])
    }

    @Test func `work of which nothing is left behind foreign entries is answered so`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        stage.storage.faults = [.conflict(try stage.foreign([.delete(try id("a"))]))]
        stage.submit(2, [try .delete("a")], ana)
        #expect(ana.outcome(of: 2) == .nothing(skips: []))
        #expect(ana.outcomes(of: 2).count == 1)
        try stage.expectSame([ana])
    }

    @Test func `what needs refused work is resolved anew with it`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let insert = ResolvedOperation.insert(try id("a"), after: .first, [:])
        stage.storage.faults = [.conflict(try stage.foreign([insert]))]
        stage.holdsStorage = true
        try stage.insert(1, "a", ana)
        stage.submit(2, [try .set("a", "y")], ana, if: Condition(needs: MutationNumber(1)))
        stage.performAll()
        guard case .refused = ana.outcome(of: 1), case .nothing = ana.outcome(of: 2) else {
            Issue.record("\(ana.messages)")
            return
        }
        #expect(try stage.state.elements.first?.fields.isEmpty == true)
        try stage.expectSame([ana])
    }

    @Test func `DU5: an append whose answer was lost is found in the log, once`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        stage.holdsStorage = true
        stage.storage.faults = [.loseAnswer]
        try stage.insert(1, "a", ana)
        try stage.insert(2, "b", ana)
        stage.submit(3, [try .delete("a")], ana)
        stage.performAll()
        #expect((1...3).allSatisfy { ana.outcomes(of: $0).count == 1 })
        #expect(ana.outcome(of: 3) == .logged(Version(3), skips: []))
        #expect(stage.storage.entries(of: stage.list).map(\.n.number) == [1, 2, 3])
        try stage.expectSame([ana, bob])
    }

    @Test func `a lost answer of a description tells the creator that the list is there`() throws {
        let stage = Stage()
        let ana = try stage.connect("ana")
        stage.storage.faults = [.loseAnswer]
        stage.say(.create(1, stage.list, title: "Food", schema: nil), ana)
        #expect(ana.messages.last == .done(1, stage.list))
        #expect(stage.storage.entries(of: stage.list).count == 1)
    }

    @Test func `the same number with another content, logged through another node, is refused`()
        throws
    {
        let stage = Stage()
        let ana = try stage.join("ana")
        let insert = ResolvedOperation.insert(try id("z"), after: .first, [:])
        stage.storage.faults = [.conflict(try stage.foreign([insert], client: "ana", n: 1))]
        try stage.insert(1, "a", ana)
        guard case .refused(let refusal) = ana.outcome(of: 1) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .numberReused)
        #expect(try stage.state.elements.map(\.id.text) == ["z"])
        try stage.expectSame([ana])
    }

    @Test func `presence of an element ends when another node deletes it`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", ana)
        stage.say(.presence(stage.list, editing: [try id("a")]), bob)
        stage.storage.faults = [.conflict(try stage.foreign([.delete(try id("a"))]))]
        try stage.insert(2, "b", ana)
        stage.say(.who(1, stage.list), ana)
        guard case .who(_, _, let here) = ana.messages.last else { return }
        #expect(here.allSatisfy { $0.editing.isEmpty })
    }

    @Test func `a log that explains no conflict is read anew, and nobody goes round in circles`()
        throws
    {
        let stage = Stage()
        let ana = try stage.join("ana")
        for n in 1...3 { try stage.insert(UInt64(n), "e\(n)", ana) }
        // The storage came back without its last entries.
        stage.storage.logs[stage.list]?.records.removeLast(2)
        try stage.insert(4, "e4", ana)
        #expect(ana.goodbye?.code == CloseCode.outOfStep.rawValue)
        #expect(ana.outcomes(of: 4).isEmpty)
        stage.cut(ana)
        let back = try stage.rejoin(ana)
        try stage.insert(4, "e4", back)
        #expect(back.outcome(of: 4) == .logged(Version(2), skips: []))
        try stage.expectSame([back])
    }

    @Test func `where it is not known what was written, nothing is said of it`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        stage.holdsStorage = true
        stage.storage.faults = [.loseAnswer]
        try stage.insert(1, "a", ana)
        stage.perform()
        stage.run()
        stage.tell(.appendFailed(stage.list, .failed("the disk does not answer")))
        #expect(ana.goodbye?.code == CloseCode.outOfStep.rawValue)
        #expect(ana.outcomes(of: 1).isEmpty)
        stage.performAll()
        stage.cut(ana)
        let back = try stage.rejoin(ana)
        try stage.insert(1, "a", back)
        #expect(back.outcome(of: 1) == .logged(Version(1), skips: []))
        #expect(stage.storage.entries(of: stage.list).count == 1)
        try stage.expectSame([back])
    }
}
