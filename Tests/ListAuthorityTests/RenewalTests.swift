import ListAuthority
import ListModel
import ListProtocol
import Testing

/// Clients that stand where the log does not reach.
struct RenewalTests {
    private func filled(_ stage: Stage, _ count: UInt64) throws -> Peer {
        let ana = try stage.join("ana")
        for n in 1...count { try stage.insert(n, "e\(n)", ana) }
        return ana
    }

    /// The server starts again with the last entries lost.
    private func shortened(_ stage: Stage, by count: Int) -> Stage {
        stage.storage.logs[stage.list]?.records.removeLast(count)
        return stage.restarted()
    }

    @Test func `DB4: a client ahead of the log makes it another log of the same list`() throws {
        let stage = Stage()
        let ana = try filled(stage, 5)
        let old = try #require(stage.position(of: ana))
        let again = shortened(stage, by: 2)
        let bob = try again.join("bob")
        let back = try again.rejoin(ana)
        let epoch = try #require(again.storage.logs[again.list]).epoch
        #expect(epoch.list == old.epoch.list && epoch.log != old.epoch.log)
        #expect(bob.goodbye?.code == CloseCode.outOfStep.rawValue)
        let bobsBack = try again.rejoin(bob)
        #expect(back.replicas[again.list]?.epoch == epoch)
        #expect(bobsBack.replicas[again.list]?.snapshots == 2)
        // Versions that were lost are given again, to other entries.
        try again.insert(6, "e6", back)
        #expect(back.outcome(of: 6) == .logged(Version(4), skips: []))
        try again.expectSame([back, bobsBack])
        try again.expectSame([try again.restarted().join("cid")])
    }

    @Test func `DB4: work that waits for the log meanwhile is logged once`() throws {
        let stage = Stage()
        let ana = try filled(stage, 4)
        let again = shortened(stage, by: 2)
        let bob = try again.join("bob")
        again.holdsStorage = true
        try again.insert(1, "bobs", bob)
        let back = try again.rejoin(ana)
        #expect(again.held.count == 1, "the log must be free before it is looked at")
        again.performAll()
        let bobsBack = try again.rejoin(bob)
        try again.insert(1, "bobs", bobsBack)
        #expect(bobsBack.outcome(of: 1) == .logged(Version(3), skips: []))
        try again.expectSame([bobsBack, try again.rejoin(back)])
    }

    @Test func `DB4: what was lost is missed though as much was logged since`() throws {
        let stage = Stage()
        let ana = try filled(stage, 3)
        let old = try #require(stage.position(of: ana))
        let last = try #require(stage.storage.entries(of: stage.list).last).at
        stage.now = stage.now.adding(milliseconds: 5)
        let again = shortened(stage, by: 1)
        let bob = try again.join("bob")
        try again.insert(1, "bobs", bob)
        try again.insert(2, "more", bob)
        let back = try again.connect("ana")
        back.replicas = ana.replicas
        again.say(.open(.init(list: again.list, position: old, last: last)), back)
        #expect(back.replicas[again.list]?.epoch != old.epoch)
        #expect(bob.goodbye?.code == CloseCode.outOfStep.rawValue)
        try again.expectSame([back])
        // One who stands at an entry of the log is sent what is missing, as ever.
        let cid = try again.connect("cid")
        cid.replicas = back.replicas
        let now = try #require(again.storage.entries(of: again.list).last).at
        let position = try #require(again.position(of: back))
        again.say(.open(.init(list: again.list, position: position, last: now)), cid)
        #expect(cid.replicas[again.list]?.snapshots == back.replicas[again.list]?.snapshots)
    }

    @Test func `DB4: a failing disk renews nothing, and the client comes again`() throws {
        let stage = Stage()
        let ana = try filled(stage, 3)
        let again = shortened(stage, by: 1)
        _ = try again.join("bob")
        again.storage.refusal = Refusal(.storageFailed, "the disk is full")
        let back = try again.rejoin(ana)
        #expect(back.goodbye?.code == CloseCode.outOfStep.rawValue)
        #expect(again.storage.logs[again.list]?.epoch == stage.storage.logs[stage.list]?.epoch)
        let third = try again.rejoin(ana)
        try again.expectSame([third])
        #expect(again.storage.logs[again.list]?.epoch != stage.storage.logs[stage.list]?.epoch)
    }

    @Test func `GA12: a node that lags reads the log, and sends nothing that was seen`() throws {
        let stage = Stage()
        let ana = try filled(stage, 3)
        let lagging = stage.restarted()
        let bob = try lagging.join("bob")
        for n: UInt64 in 4...8 { try stage.insert(n, "e\(n)", ana) }
        lagging.storage = stage.storage
        let moved = try lagging.rejoin(ana)
        #expect(moved.replicas[lagging.list]?.versions == [])
        #expect(moved.replicas[lagging.list]?.snapshots == 1, "only that of the first node")
        #expect(bob.replicas[lagging.list]?.versions == (4...8).map { Version($0) })
        try lagging.expectSame([moved, bob])
    }
}
