import ListAuthority
import ListModel
import ListProtocol
import Testing

struct CatchUpTests {
    /// A list of `count` elements with entries of a size, written by `ana`.
    private func filled(_ stage: Stage, _ count: Int, bytes: Int = 10) throws -> Peer {
        let ana = try stage.join("ana")
        let text = Value.text(String(repeating: "t", count: bytes))
        for n in 1...count {
            stage.submit(
                UInt64(n), [try .insert("e\(n)", ["title": text])], ana, heard: UInt64(n - 1))
        }
        return ana
    }

    @Test func `an empty list is a snapshot of one part and a word that this is all`() throws {
        let peer = try Stage().join("ana")
        let copy = try #require(peer.replicas[Stage.list])
        #expect(copy.snapshots == 1 && copy.parts == 1 && copy.isCaughtUp && copy.versions == [])
    }

    @Test func `FL4: a snapshot comes in bounded parts, all at one version`() throws {
        var limits = Limits()
        limits.frameBytes = 4_096
        let stage = Stage(limits: limits)
        _ = try filled(stage, 300, bytes: 100)
        let bob = try stage.join("bob")
        try stage.expectSame([bob])
        #expect(bob.replicas[stage.list]?.parts ?? 0 > 10)
        #expect(bob.frames.allSatisfy { $0.count <= 4_096 + 512 })
    }

    @Test func `a part holds at least one element, however large`() throws {
        var limits = Limits()
        limits.frameBytes = 100
        let stage = Stage(limits: limits)
        // Whoever stays keeps the parts made for him in use.
        stage.cut(try filled(stage, 3, bytes: 5_000))
        let bob = try stage.join("bob")
        try stage.expectSame([bob])
        #expect(bob.replicas[stage.list]?.parts == 3)
    }

    @Test func `GA8: a client that was away is sent exactly the entries it missed`() throws {
        let stage = Stage()
        let ana = try filled(stage, 3)
        let bob = try stage.join("bob")
        stage.cut(bob)
        for n in 4...6 { try stage.insert(UInt64(n), "e\(n)", ana) }
        let back = try stage.rejoin(bob)
        #expect(back.replicas[stage.list]?.versions == [4, 5, 6].map { Version($0) })
        #expect(back.replicas[stage.list]?.snapshots == 1)
        try stage.expectSame([back])
    }

    @Test func `GA7: a client that missed nothing is sent nothing but the word`() throws {
        let stage = Stage()
        let ana = try filled(stage, 100)
        stage.cut(ana)
        let once = try stage.rejoin(ana, heard: 100)
        stage.cut(once)
        let twice = try stage.rejoin(once, heard: 100)
        #expect(twice.messages.count == 2)
        let position = Position(epoch: try epoch(stage), version: Version(100))
        let word = ServerMessage.caughtUp(
            stage.list, position, logged: [], highest: MutationNumber(100))
        #expect(twice.messages.last == word)
    }

    private func epoch(_ stage: Stage) throws -> Epoch {
        try #require(stage.storage.logs[stage.list]).epoch
    }

    @Test func `the word names the client's mutations that are in the log`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        for n in 1...4 { try stage.insert(UInt64(n), "e\(n)", ana) }
        stage.submit(5, [try .set("e1", "x")], ana)
        stage.cut(ana)
        let back = try stage.rejoin(ana, heard: 2)
        guard case .caughtUp(_, _, let logged, let highest) = back.messages.last else {
            Issue.record("not caught up")
            return
        }
        #expect(logged == [3, 4].map { MutationNumber($0) })
        #expect(highest == MutationNumber(4), "5 came to nothing, and may be used")
        let bob = try stage.join("bob")
        guard case .caughtUp(_, _, _, highest: .zero) = bob.messages.last else {
            Issue.record("bob has done nothing: \(bob.messages)")
            return
        }
    }

    @Test func `DU6 the highest number logged is told, though its outcome was heard`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        for n in 1...4 { try stage.insert(UInt64(n), "e\(n)", ana) }
        stage.submit(5, [try .insert("e5")], ana, heard: 4)
        stage.cut(ana)
        let back = try stage.rejoin(ana, heard: 1)
        guard case .caughtUp(_, _, let logged, let highest) = back.messages.last else {
            Issue.record("not caught up")
            return
        }
        #expect(logged == [MutationNumber(5)] && highest == MutationNumber(5))
    }

    @Test func `what memory no longer holds is read from the storage in pages`() throws {
        let stage = Stage()
        let ana = try filled(stage, 1)
        let bob = try stage.join("bob")
        stage.cut(bob)
        let text = Value.text(String(repeating: "t", count: 60_000))
        for n in 2...40 {
            stage.submit(UInt64(n), [try .insert("e\(n)", ["title": text])], ana)
        }
        let back = try stage.rejoin(bob)
        #expect(stage.storage.reads > 5)
        #expect(back.replicas[stage.list]?.snapshots == 1)
        #expect(back.replicas[stage.list]?.versions.count == 39)
        try stage.expectSame([back])
    }

    @Test func `a history that was cut while it was read turns into a snapshot`() throws {
        let stage = Stage()
        let ana = try filled(stage, 1)
        let bob = try stage.join("bob")
        stage.cut(bob)
        let text = Value.text(String(repeating: "t", count: 60_000))
        for n in 2...40 {
            stage.submit(UInt64(n), [try .insert("e\(n)", ["title": text])], ana)
        }
        stage.holdsStorage = true
        let back = try stage.rejoin(bob)
        stage.storage.logs[stage.list]?.records.removeFirst(30)
        stage.storage.logs[stage.list]?.first = Version(31)
        stage.submit(41, [try .delete("e1")], ana)
        stage.performAll()
        #expect(back.replicas[stage.list]?.snapshots == 2)
        #expect(back.replicas[stage.list]?.isCaughtUp == true)
        #expect(
            back.replicas[stage.list]?.state.elements == ana.replicas[stage.list]?.state.elements)
    }

    @Test func `an outcome waits for a snapshot that takes the place of entries`() throws {
        let stage = Stage()
        let ana = try filled(stage, 1)
        let bob = try stage.join("bob")
        bob.isStalled = true
        let text = Value.text(String(repeating: "t", count: 60_000))
        for n in 2...40 {
            stage.submit(UInt64(n), [try .insert("e\(n)", ["title": text])], ana)
        }
        stage.storage.logs[stage.list]?.records.removeFirst(30)
        stage.storage.logs[stage.list]?.first = Version(31)
        try stage.insert(1, "bobs", bob)
        for _ in 0..<200 { stage.take(bob, bytes: 1_000) }
        #expect(bob.outcomes(of: 1).count == 1)
        #expect(bob.replicas[stage.list]?.snapshots == 2)
        #expect(bob.replicas[stage.list]?.isCaughtUp == true)
    }

    @Test func `another epoch, or a position ahead of the log, is answered with a snapshot`() throws
    {
        let stage = Stage()
        _ = try filled(stage, 3)
        let peer = try stage.connect("bob")
        let epoch = try epoch(stage)
        try stage.open(
            peer, at: Position(epoch: Epoch(list: epoch.list, log: "z"), version: Version(2)))
        #expect(peer.replicas[stage.list]?.snapshots == 1)
        let ahead = try stage.connect("cid")
        try stage.open(ahead, at: Position(epoch: epoch, version: Version(9)))
        #expect(ahead.replicas[stage.list]?.snapshots == 1)
        try stage.expectSame([peer, ahead])
    }

    @Test func `opening again while records are on their way takes the later position`() throws {
        let stage = Stage()
        let ana = try filled(stage, 1)
        let bob = try stage.join("bob")
        let text = Value.text(String(repeating: "t", count: 60_000))
        for n in 2...60 {
            stage.submit(UInt64(n), [try .insert("e\(n)", ["title": text])], ana)
        }
        let early = try #require(stage.position(of: bob))
        stage.holdsStorage = true
        try stage.open(bob, at: Position(epoch: early.epoch, version: Version(1)))
        bob.replicas[stage.list] = try replica(of: stage, at: 10, early.epoch)
        try stage.open(bob, at: Position(epoch: early.epoch, version: Version(10)))
        stage.performAll()
        try stage.expectSame([bob])
        #expect(bob.replicas[stage.list]?.versions.first == Version(11))
    }

    private func replica(of stage: Stage, at version: Int, _ epoch: Epoch) throws -> Peer.Copy {
        var copy = Peer.Copy()
        for entry in stage.storage.entries(of: stage.list).prefix(version) {
            try copy.state.apply(entry)
        }
        copy.epoch = epoch
        copy.isWhole = true
        return copy
    }

    @Test func `closing a list before it has come leaves it closed`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.restartedWithHeldLoad("bob")
        bob.stage.say(.close(stage.list), bob.peer)
        bob.stage.performAll()
        let cid = try bob.stage.join("cid")
        try bob.stage.insert(1, "a", cid)
        #expect(bob.peer.replicas[stage.list]?.versions == [])
        _ = ana
    }
}

extension Stage {
    /// A server that starts again, with a client whose list is still being loaded.
    fileprivate func restartedWithHeldLoad(_ client: String) throws -> (stage: Stage, peer: Peer) {
        let stage = restarted()
        stage.holdsStorage = true
        return (stage, try stage.join(client))
    }
}
