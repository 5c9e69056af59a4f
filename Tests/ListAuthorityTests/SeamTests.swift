import ListAuthority
import ListModel
import ListProtocol
import Testing

/// Where a snapshot ends and entries begin, for fast and for slow readers.
struct SeamTests {
    @Test func `GA1 GA2: 200 clients who join while work goes on miss nothing`() throws {
        var limits = Limits()
        limits.frameBytes = 1_024
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        var peers = [ana]
        var n: UInt64 = 0
        for index in 0..<200 {
            stage.holdsStorage = true
            n += 1
            try stage.insert(n, "e\(n)", ana)
            let peer = try stage.connect("c\(index)")
            peer.isStalled = index % 3 == 0
            try stage.open(peer)
            n += 1
            try stage.insert(n, "e\(n)", ana)
            stage.performAll()
            peers.append(peer)
            if index % 7 == 0 { for peer in peers { stage.take(peer, bytes: 600) } }
        }
        for peer in peers { stage.wake(peer) }
        try stage.expectSame(peers)
        #expect(peers.allSatisfy { $0.replicas[stage.list]?.snapshots == 1 })
        // The same seam when they come back, in the middle of an append.
        for index in stride(from: 1, to: peers.count, by: 40) {
            stage.cut(peers[index])
            stage.holdsStorage = true
            n += 1
            try stage.insert(n, "e\(n)", ana)
            peers[index] = try stage.rejoin(peers[index])
            stage.performAll()
            #expect(peers[index].replicas[stage.list]?.versions == [Version(n)])
        }
        try stage.expectSame(peers)
    }

    @Test func `FL2 GA13: a slow reader gets all in order and keeps nobody waiting`() throws {
        var limits = Limits()
        limits.frameBytes = 2_048
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        let slow = try stage.join("slow")
        slow.isStalled = true
        for n in 1...2_000 {
            try stage.insert(UInt64(n), "e\(n)", ana)
            if n % 50 == 0 { stage.take(slow, bytes: 1_000) }
            #expect(ana.replicas[stage.list]?.state.head == Version(UInt64(n)))
        }
        #expect(slow.replicas[stage.list]?.state.head ?? .zero < Version(2_000))
        stage.wake(slow)
        try stage.expectSame([ana, slow])
        #expect(slow.replicas[stage.list]?.versions.count == 2_000)
    }

    @Test func `what a reader takes at once is bounded`() throws {
        var limits = Limits()
        limits.frameBytes = 1_000
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        let slow = try stage.join("slow")
        slow.isStalled = true
        for n in 1...500 { try stage.insert(UInt64(n), "e\(n)", ana) }
        while true {
            let before = slow.frames.count
            guard stage.take(slow, bytes: 2_500) > 0 else { break }
            #expect(slow.frames[before...].reduce(0) { $0 + $1.count } <= 2_500)
        }
        try stage.expectSame([slow])
    }

    @Test func `a frame longer than the budget goes alone`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let slow = try stage.join("slow")
        slow.isStalled = true
        let text = Value.text(String(repeating: "t", count: 5_000))
        for n in 1...3 { stage.submit(UInt64(n), [try .insert("e\(n)", ["title": text])], ana) }
        while stage.take(slow, bytes: 10) > 0 {}
        try stage.expectSame([slow])
    }

    @Test func `FL1: whoever does not take its messages is closed, to come back`() throws {
        var limits = Limits()
        limits.outbox = 10
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        ana.isStalled = true
        for n in 1...11 { stage.say(.ping(UInt64(n), nil), ana) }
        #expect(stage.closed.map(\.1.code) == [CloseCode.tooSlow.rawValue])
        ana.isStalled = false
        while stage.take(ana, bytes: 10) > 0 {}
        #expect(ana.goodbye?.retry == 1_000)
        #expect(ana.messages.last.map { if case .goodbye = $0 { true } else { false } } == true)
    }

    @Test func `FL1: what waits for a connection is bounded in bytes too`() throws {
        var limits = Limits()
        limits.outboxBytes = 100_000
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        let text = Value.text(String(repeating: "t", count: 50_000))
        stage.submit(1, [try .insert("a", ["title": text]), try .delete("a")], ana)
        stage.submit(2, [try .insert("b", ["title": text])], ana)
        stage.submit(3, [try .delete("b")], ana)
        ana.isStalled = true
        for n in 1...4 { stage.say(.fates(UInt64(n), stage.list, [try id("b")]), ana) }
        #expect(stage.closed.map(\.1.code) == [CloseCode.tooSlow.rawValue])
    }

    @Test func `entries are encoded once, and frames shared by all who stand there`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", ana)
        let (mine, his) = (try #require(ana.frames.dropLast().last), try #require(bob.frames.last))
        mine.withUnsafeBufferPointer { mine in
            his.withUnsafeBufferPointer { his in #expect(mine.baseAddress == his.baseAddress) }
        }
    }
}
