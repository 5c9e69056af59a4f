import ListAuthority
import ListModel
import ListProtocol
import Testing

@Suite("Room for snapshots") struct SnapshotRoomTests {
    private let room = SnapshotRoom()
    private let other: ListName

    init() throws { other = try #require(ListName("other")) }

    /// A stage on which nobody has more than so many bytes of snapshots, with a list of some rows.
    private func stage(_ bytes: Int, rows: Int = 150) throws -> (Stage, ana: Peer) {
        var limits = Limits()
        limits.snapshotBytes = bytes
        limits.frameBytes = 500
        let stage = Stage(limits: limits, snapshotRoom: room)
        let ana = try stage.join("ana")
        try write(1...rows, stage, ana)
        return (stage, ana)
    }

    private func write(_ numbers: ClosedRange<Int>, _ stage: Stage, _ ana: Peer) throws {
        let text = Value.text(String(repeating: "t", count: 100))
        for n in numbers {
            stage.submit(
                UInt64(n), [try .insert("e\(n)", ["title": text])], ana, heard: UInt64(n - 1))
        }
    }

    /// Comes, and takes nothing.
    private func stalled(_ name: String, _ stage: Stage) throws -> Peer {
        let peer = try stage.connect(name)
        peer.isStalled = true
        try stage.open(peer)
        return peer
    }

    /// Makes another list, which has to be sent, too.
    private func open(_ list: ListName, _ name: String, _ stage: Stage) throws -> Peer {
        let peer = try stage.connect(name)
        peer.replicas[list] = Peer.Copy()
        stage.say(.open(.init(list: list, create: true)), peer)
        return peer
    }

    private func pass(_ milliseconds: Int64, _ stage: Stage) {
        stage.now = stage.now.adding(milliseconds: milliseconds)
        stage.tell(.tick)
    }

    @Test func `who comes while there is none waits, and is served once there is`() throws {
        let (stage, ana) = try stage(1)
        let bob = try stalled("bob", stage)
        #expect(room.bytes > 500)
        // Too much was written since for the one that bob is given.
        try write(151...300, stage, ana)
        let cid = try open(other, "cid", stage)
        #expect(cid.replicas[other]?.isCaughtUp == false)
        #expect(stage.authority.nextTick(after: stage.now) == stage.now.adding(milliseconds: 50))

        pass(50, stage)
        #expect(cid.replicas[other]?.isCaughtUp == false)
        stage.wake(bob)
        #expect(bob.replicas[stage.list]?.isCaughtUp == true)
        pass(50, stage)
        #expect(cid.replicas[other]?.isCaughtUp == true)
        #expect(stage.closed.isEmpty)
        try stage.expectSame([ana, bob])
    }

    @Test func `an older snapshot with the entries since will do where there is no room`() throws {
        let (stage, ana) = try stage(1)
        let bob = try stalled("bob", stage)
        let bytes = room.bytes
        try write(151...300, stage, ana)
        let cid = try stage.join("cid")
        #expect(room.bytes == bytes && cid.replicas[stage.list]?.isCaughtUp == true)
        stage.wake(bob)
        try stage.expectSame([ana, bob, cid])
    }

    @Test func `snapshots that nobody is being given make room`() throws {
        let (stage, ana) = try stage(1)
        _ = try stage.join("bob")
        #expect(room.bytes > 0)
        try write(151...300, stage, ana)
        let cid = try stage.join("cid")
        #expect(cid.replicas[stage.list]?.isCaughtUp == true)
        try stage.expectSame([ana, cid])
    }

    @Test func `who takes nothing while others wait is sent away after ten seconds`() throws {
        let (stage, _) = try stage(1)
        let bob = try stalled("bob", stage)
        // A minute in which nobody waits is nobody's loss.
        pass(60_000, stage)
        let cid = try open(other, "cid", stage)
        #expect(cid.replicas[other]?.isCaughtUp == false)
        pass(9_000, stage)
        #expect(stage.closed.isEmpty && cid.replicas[other]?.isCaughtUp == false)
        // One part is enough.
        bob.isStalled = false
        stage.take(bob, bytes: 10)
        bob.isStalled = true
        pass(9_000, stage)
        #expect(stage.closed.isEmpty)
        pass(2_000, stage)
        #expect(stage.closed.map(\.0.number) == [bob.number])
        #expect(stage.closed.map(\.1.code) == [CloseCode.tooSlow.rawValue])
        pass(50, stage)
        #expect(cid.replicas[other]?.isCaughtUp == true)
    }

    @Test func `who left while waiting is not waited for`() throws {
        let (stage, ana) = try stage(1)
        let bob = try stalled("bob", stage)
        let cid = try open(other, "cid", stage)
        stage.cut(cid)
        stage.cut(bob)
        pass(50, stage)
        #expect(stage.authority.nextTick(after: stage.now) != stage.now.adding(milliseconds: 50))
        stage.cut(ana)
        #expect(room.bytes == 0)
    }
}
