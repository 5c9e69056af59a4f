import ListAuthority
import ListModel
import ListProtocol
import Testing

/// What a mutation comes to, and what its author is told of it.
struct OutcomeTests {
    private func stage() throws -> (Stage, ana: Peer, bob: Peer) {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", ana)
        try stage.insert(2, "b", ana)
        return (stage, ana, bob)
    }

    @Test func `VA3: a write to what was deleted is skipped, and what comes behind it flows`()
        throws
    {
        let (stage, ana, bob) = try stage()
        stage.submit(1, [try .delete("a")], bob)
        stage.submit(3, [try .set("a", "mine")], ana)
        try stage.insert(4, "c", ana)
        let skip = Skip(operation: 0, id: try id("a"), code: .removed, by: try id("bob"))
        #expect(ana.outcome(of: 3) == .nothing(skips: [skip]))
        #expect(ana.outcome(of: 4) == .logged(Version(4), skips: []))
        try stage.expectSame([ana, bob])
    }

    @Test func `VA8: of two deletions at once one is logged and one is nothing to do`() throws {
        let (stage, ana, bob) = try stage()
        stage.holdsStorage = true
        stage.submit(3, [try .delete("a")], ana)
        stage.submit(1, [try .delete("a")], bob)
        stage.performAll()
        #expect(ana.outcome(of: 3) == .logged(Version(3), skips: []))
        #expect(bob.outcome(of: 1) == .nothing(skips: []))
        #expect(ana.replicas[stage.list]?.versions.count == 3)
    }

    @Test func `OP1: a refused mutation changes nothing and blocks nothing`() throws {
        let (stage, ana, bob) = try stage()
        stage.submit(1, [try .insert("c"), try .insert("a")], bob)
        guard case .refused(let refusal) = bob.outcome(of: 1) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .idTaken && refusal.id?.text == "a")
        try stage.insert(2, "d", bob)
        #expect(try stage.state.elements.map(\.id.text) == ["a", "b", "d"])
        try stage.expectSame([ana, bob])
    }

    @Test func `atomic: the first skip refuses the whole`() throws {
        let (stage, ana, bob) = try stage()
        stage.submit(1, [try .set("a", "y"), try .set("zz", "y")], bob, atomic: true)
        guard case .refused(let refusal) = bob.outcome(of: 1) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .skippedInAtomic)
        #expect(try stage.state.head == Version(2))
        try stage.expectSame([ana, bob])
    }

    @Test func `CO7: what has changed since is told with the element as it is now`() throws {
        let (stage, ana, bob) = try stage()
        stage.submit(3, [try .set("a", "new")], ana)
        let old = Condition(version: Version(1))
        for n: UInt64 in [1, 2] {
            stage.submit(n, [try .delete("a")], bob, if: old)
            let answer = try #require(bob.outcomes(of: n).first)
            #expect(answer.current.first?.fields["title"] == .text("new"))
            let skip = Skip(operation: 0, id: try id("a"), code: .changedSince, by: try id("ana"))
            #expect(answer.outcome == .nothing(skips: [skip]))
        }
    }

    @Test func `what was changed by work under way is told when that is durable`() throws {
        let (stage, ana, bob) = try stage()
        stage.holdsStorage = true
        stage.submit(3, [try .set("a", "new")], ana)
        stage.submit(1, [try .delete("a")], bob, if: Condition(version: Version(1)))
        #expect(bob.outcomes(of: 1).isEmpty)
        stage.performAll()
        #expect(bob.outcomes(of: 1).first?.current.first?.version == Version(3))
    }

    @Test func `whoever deletes is told who was editing`() throws {
        let (stage, ana, bob) = try stage()
        let cid = try stage.join("cid")
        for peer in [ana, bob, cid] {
            stage.say(.presence(stage.list, editing: [try id("a")]), peer)
        }
        stage.submit(3, [try .delete("a")], ana)
        #expect(ana.outcomes(of: 3).first?.told.map(\.text) == ["bob", "cid"])
    }

    @Test func `what somebody else is editing may be spared`() throws {
        let (stage, ana, bob) = try stage()
        stage.say(.presence(stage.list, editing: [try id("a")]), ana)
        stage.submit(1, [try .delete("a", unlessEdited: true)], bob)
        let skip = Skip(operation: 0, id: try id("a"), code: .beingEdited, by: try id("ana"))
        #expect(bob.outcome(of: 1) == .nothing(skips: [skip]))
        stage.submit(3, [try .delete("a", unlessEdited: true)], ana)
        #expect(ana.outcome(of: 3) == .logged(Version(3), skips: []))
    }

    @Test func `one's own editor on a connection that was replaced spares nothing`() throws {
        let (stage, ana, bob) = try stage()
        stage.say(.presence(stage.list, editing: [try id("a")]), ana)
        let back = try stage.rejoin(ana)
        stage.submit(3, [try .delete("a", unlessEdited: true)], back)
        #expect(back.outcome(of: 3) == .logged(Version(3), skips: []))
        try stage.expectSame([back, bob])
    }

    @Test func `a mutation without a number, or with too many operations, is refused`() throws {
        var limits = Limits()
        limits.operations = 2
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        try stage.insert(0, "a", ana)
        stage.submit(1, try ["b", "c", "d"].map { try .insert($0) }, ana)
        for n: UInt64 in [0, 1] {
            guard case .refused(let refusal) = ana.outcome(of: n) else {
                Issue.record("not refused")
                continue
            }
            #expect(refusal.code == .tooMany)
        }
        #expect(try stage.state.head == .zero)
    }

    @Test func `a list need not be open for a mutation`() throws {
        let (stage, ana, bob) = try stage()
        let cid = try stage.connect("cid")
        try stage.insert(1, "c", cid)
        #expect(cid.outcome(of: 1) == .logged(Version(3), skips: []))
        #expect(cid.messages.count == 2)
        try stage.expectSame([ana, bob])
    }

    @Test func `a mutation for no list, or for another list of that name, is refused`() throws {
        let (stage, ana, _) = try stage()
        stage.submit(3, [try .delete("a")], ana, epoch: Epoch(list: "other", log: "x"))
        stage.say(
            .submit(.init(list: try id("m"), n: MutationNumber(4), heard: .zero, operations: [])),
            ana)
        let codes = [UInt64(3), 4].compactMap { n -> Code? in
            guard case .refused(let refusal) = ana.outcome(of: n) else { return nil }
            return refusal.code
        }
        #expect(codes == [.listDeleted, .noSuchList])
    }

    @Test func `history is answered from the log, newest first`() throws {
        let (stage, ana, _) = try stage()
        stage.say(.history(5, stage.list, of: nil, before: nil, limit: 1), ana)
        guard case .history(5, _, let entries) = ana.messages.last else {
            Issue.record("no history")
            return
        }
        #expect(entries.map(\.version) == [Version(2)])
    }
}
