import ListAuthority
import ListModel
import ListProtocol
import Testing

struct LifecycleTests {
    @Test func `LI2: the last client leaves and another joins, a thousand times`() throws {
        let stage = Stage(history: .entries(10))
        let other = try stage.join("other")
        try stage.insert(1, "a", other)
        stage.cut(other)
        var n: UInt64 = 0
        for round in 0..<1_000 {
            let peer = try stage.join("ana")
            stage.submit(n + 1, [try .set("a", "t\(n)")], peer, heard: n)
            #expect(peer.replicas[stage.list]?.state.head == Version(n + 2))
            if round % 2 == 0 { stage.holdsStorage = true }
            stage.submit(n + 2, [try .set("a", "u\(n)")], peer, heard: n + 1)
            n += 2
            stage.cut(peer)
            if round % 3 == 0 { stage.pass(60_000) }
            stage.performAll()
            if round % 5 == 0 { stage.pass(60_000) }
        }
        #expect(stage.storage.loads > 100)
        #expect(try stage.state.head == Version(2_001))
    }

    @Test func `a list that nobody reads is put away, and comes back when asked for`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        stage.cut(ana)
        let next = stage.authority.nextTick(after: stage.now)
        #expect(next == stage.now.adding(milliseconds: 50), "presence of who left")
        stage.pass(50)
        #expect(stage.authority.nextTick(after: stage.now) == Timestamp(milliseconds: 1_060_000))
        stage.pass(60_000)
        #expect(stage.authority.nextTick(after: stage.now) == nil)
        let bob = try stage.join("bob")
        #expect(stage.storage.loads == 1)
        try stage.expectSame([bob])
        stage.pass(600_000)
        try stage.insert(1, "b", bob)
        #expect(stage.storage.loads == 1)
    }

    @Test func `a list is not put away while work on it is under way`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        stage.holdsStorage = true
        try stage.insert(1, "a", ana)
        stage.cut(ana)
        stage.pass(60_000)
        let next = stage.authority.nextTick(after: stage.now)
        #expect(next ?? .zero > stage.now, "time does nothing until the storage answers")
        stage.performAll()
        let bob = try stage.join("bob")
        #expect(stage.storage.loads == 0)
        try stage.expectSame([bob])
    }

    @Test func `DB6: a list that cannot be read is refused, and left as it is`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        try stage.insert(2, "b", ana)
        stage.storage.logs[stage.list]?.records[1] = [1, 2, 3]
        let records = stage.storage.logs[stage.list]?.records
        let again = stage.restarted()
        let back = try again.join("ana")
        try again.insert(3, "c", back)
        again.say(.create(1, stage.list, title: "New", schema: nil), back)
        again.say(.remove(2, stage.list), back)
        #expect(back.refusals == [.listUnreadable, .listUnreadable, .listUnreadable])
        guard case .refused(let refusal) = back.outcome(of: 3) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .listUnreadable)
        #expect(again.storage.logs[stage.list]?.records == records)
    }

    @Test func `FL7: a list whose loading failed is loaded again when asked for`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        let again = stage.restarted()
        again.storage.refusal = Refusal(.storageFailed, "the disk does not answer")
        let back = try again.join("ana")
        #expect(back.refusals == [.storageFailed])
        try again.open(back)
        try again.expectSame([back])
    }

    @Test func `a snapshot that is not whole is not served`() throws {
        let epoch = Epoch(list: "a", log: "b")
        let decoder = MessageDecoder(limits: Limits())
        let part = SnapshotPart(
            position: Position(epoch: epoch, version: Version(5)), index: 0, isLast: false,
            title: "", schema: nil, rows: [])
        let records = [
            MessageEncoder.encodeSnapshotRecord(part), MessageEncoder.encode(Sessions().value),
        ]
        for parts in [records, [records[1]], [records[0]], []] {
            #expect(throws: Refusal.self) {
                try StoredList(
                    epoch: epoch, first: Version(6), snapshotVersion: Version(5), parts: parts,
                    decoder: decoder)
            }
        }
    }

    @Test func `drain tells every client when to come back, not all at once`() throws {
        let stage = Stage()
        let peers = try (0..<3).map { try stage.join("c\($0)") }
        stage.tell(.drain(retry: 2_000))
        #expect(peers.map { $0.goodbye?.code } == Array(repeating: 1_001, count: 3))
        #expect(peers.map { $0.goodbye?.retry } == [2_000, 2_002, 2_004])
        try stage.insert(1, "a", peers[0])
        let late = try stage.connect("late", hello: false)
        #expect(late.goodbye?.code == 1_001)
        #expect(stage.storage.appends == 0)
    }

    @Test func `after a drain 500 clients a second come back, or more in ten seconds`() throws {
        for (count, span) in [(100, Int64(200)), (8_000, 10_000)] {
            let stage = Stage()
            for client in 0..<count { _ = try stage.connect("c\(client)", hello: false) }
            stage.tell(.drain(retry: 1_000))
            let retries = stage.closed.compactMap(\.1.retry)
            #expect(retries.count == count && retries.min() == 1_000)
            let last = try #require(retries.max())
            #expect(last < 1_000 + span && last > 1_000 + span * 9 / 10)
        }
    }

    @Test func `work under way at a drain is logged, and told after the restart`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        stage.holdsStorage = true
        try stage.insert(1, "a", ana)
        stage.tell(.drain(retry: 1_000))
        stage.performAll()
        #expect(ana.outcomes(of: 1).isEmpty)
        let again = stage.restarted()
        let back = try again.join("ana")
        try again.insert(1, "a", back)
        #expect(back.outcome(of: 1) == .logged(Version(1), skips: []))
        #expect(again.storage.entries(of: stage.list).count == 1)
    }

    @Test func `a connection opens so many lists at once`() throws {
        var limits = Limits()
        limits.openLists = 2
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        for name in ["m", "n"] {
            ana.replicas[try id(name)] = Peer.Copy()
            stage.say(.open(.init(list: try id(name), create: true)), ana)
        }
        #expect(ana.refusals == [.tooMany])
        try stage.open(ana)
        #expect(ana.refusals == [.tooMany], "one that is open already is no more")
        stage.say(.close(try id("m")), ana)
        stage.say(.open(.init(list: try id("n"))), ana)
        #expect(ana.refusals == [.tooMany])
    }

    @Test func `AU5: nothing crosses from one list to another`() throws {
        let stage = Stage()
        let ana = try stage.join("ana", presence: true)
        let bob = try stage.connect("bob")
        bob.replicas[try id("m")] = Peer.Copy()
        stage.say(.open(.init(list: try id("m"), create: true, presence: true)), bob)
        _ = (ana.takeMessages(), bob.takeMessages())
        try stage.insert(1, "a", ana)
        #expect(bob.takeMessages().isEmpty)
        stage.pass(100)
        #expect(bob.messages.count == 1)
        #expect(ana.messages.count == 3)
    }
}
