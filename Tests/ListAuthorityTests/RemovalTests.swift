import ListAuthority
import ListModel
import ListProtocol
import Testing

struct RemovalTests {
    private func gone(_ peer: Peer) -> ServerMessage.Gone? {
        for case .gone(_, let gone) in peer.messages { return gone }
        return nil
    }

    @Test func `deleting a list tells all who have it open, when it is gone`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        stage.holdsStorage = true
        stage.say(.remove(1, stage.list), bob)
        #expect(gone(ana) == nil)
        stage.performAll()
        let expected = ServerMessage.Gone(code: .listDeleted, by: try id("bob"), at: stage.now)
        #expect(gone(ana) == expected && gone(bob) == expected)
        #expect(bob.messages.last == .done(1, stage.list))
        #expect(stage.storage.logs.isEmpty)
    }

    @Test func `a deletion is remembered, also after a restart`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        stage.cut(ana)
        stage.say(.remove(1, stage.list), bob)
        for stage in [stage, stage.restarted()] {
            let back = try stage.rejoin(ana)
            #expect(gone(back)?.by?.text == "bob")
            #expect(stage.storage.logs.isEmpty, "nobody who knew it brings it back by coming back")
            let cid = try stage.connect("cid")
            try stage.open(cid, create: false)
            #expect(cid.refusals == [.listDeleted])
            stage.cut(back)
        }
    }

    @Test func `CL5: a list made anew is another one, and whoever knew the old one is told`() throws
    {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        for n: UInt64 in 1...20 { try stage.insert(n, "e\(n)", bob) }
        stage.cut(ana)
        let old = try #require(stage.position(of: ana)).epoch
        stage.say(.remove(1, stage.list), bob)
        try stage.open(bob)
        try stage.insert(1, "new", bob)
        #expect(bob.outcome(of: 1) == .logged(Version(1), skips: []))
        let back = try stage.rejoin(ana)
        #expect(gone(back)?.by?.text == "bob")
        stage.submit(1, [try .delete("new")], back, epoch: old)
        guard case .refused(let refusal) = back.outcome(of: 1) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .listDeleted)
        try stage.open(back)
        try stage.expectSame([back, bob])
    }

    @Test func `what waits for a list's last entries does not wait for those of the next`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        bob.isStalled = true
        for n: UInt64 in 1...20 { try stage.insert(n, "e\(n)", ana) }
        stage.say(.ping(7, stage.list), bob)
        stage.say(.remove(1, stage.list), ana)
        try stage.open(bob)
        stage.wake(bob)
        #expect(bob.messages.contains(.pong(7, stage.list, Version(20))))
        #expect(bob.replicas[stage.list]?.isCaughtUp == true)
    }

    @Test func `what comes while a list is being deleted waits for what becomes of it`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        stage.holdsStorage = true
        stage.storage.refusal = Refusal(.storageFailed, "the disk is full")
        stage.say(.remove(1, stage.list), bob)
        try stage.insert(1, "a", ana)
        #expect(ana.outcomes(of: 1).isEmpty)
        stage.performAll()
        #expect(bob.refusals == [.storageFailed])
        #expect(ana.outcome(of: 1) == .logged(Version(1), skips: []))
        stage.holdsStorage = true
        stage.say(.remove(2, stage.list), bob)
        try stage.insert(2, "b", ana)
        stage.say(.remove(3, stage.list), ana)
        stage.performAll()
        guard case .refused(let refusal) = ana.outcome(of: 2) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .listDeleted)
        #expect(ana.refusals == [.listDeleted])
    }

    @Test func `work under way when a list is deleted is told if it was logged, else refused`()
        throws
    {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        stage.holdsStorage = true
        try stage.insert(1, "a", ana)
        try stage.insert(2, "b", ana)
        stage.say(.remove(1, stage.list), bob)
        stage.performAll()
        #expect(ana.outcome(of: 1) == .logged(Version(1), skips: []))
        guard case .refused(let refusal) = ana.outcome(of: 2) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .listDeleted)
        #expect(stage.storage.appends == 1)
    }

    @Test func `deleting what is not there is refused`() throws {
        let stage = Stage()
        let ana = try stage.connect("ana")
        stage.say(.remove(1, stage.list), ana)
        #expect(ana.refusals == [.noSuchList])
    }

    @Test func `a list whose log explains nothing can be deleted meanwhile`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        for n: UInt64 in 1...3 { try stage.insert(n, "e\(n)", ana) }
        stage.storage.logs[stage.list]?.records.removeLast(2)
        stage.holdsStorage = true
        try stage.insert(4, "e4", ana)
        stage.say(.remove(1, stage.list), ana)
        stage.performAll()
        #expect(ana.messages.last == .done(1, stage.list))
        #expect(gone(ana)?.by?.text == "ana")
        guard case .refused(let refusal) = ana.outcome(of: 4) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .listDeleted)
    }
}
