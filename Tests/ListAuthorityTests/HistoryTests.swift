import ListAuthority
import ListModel
import ListProtocol
import Testing

/// How far back catch-up reaches, and what is stored and forgotten when.
struct HistoryTests {
    /// Whether a client that stands at `version` is caught up by entries.
    private func catchesUp(_ stage: Stage, from version: UInt64) throws -> Bool {
        let peer = try stage.connect("late\(version)")
        var copy = Peer.Copy()
        let entries = stage.storage.entries(of: stage.list)
        for entry in entries.prefix(Int(version)) { try copy.state.apply(entry) }
        copy.isWhole = true
        peer.replicas[stage.list] = copy
        let epoch = try #require(stage.storage.logs[stage.list]).epoch
        try stage.open(peer, at: Position(epoch: epoch, version: Version(version)))
        #expect(peer.replicas[stage.list]?.state.head == (try stage.state.head))
        return peer.replicas[stage.list]?.snapshots == 0
    }

    private func filled(_ history: History, _ count: UInt64, limits: Limits = Limits()) throws
        -> Stage
    {
        let stage = Stage(limits: limits, history: history)
        let ana = try stage.join("ana")
        for n in 1...count { try stage.insert(n, "e\(n)", ana, heard: n - 1) }
        return stage
    }

    @Test func `a history of two entries gives two, to the entry`() throws {
        let stage = try filled(.entries(2), 10)
        #expect(try !catchesUp(stage, from: 7))
        #expect(try catchesUp(stage, from: 8))
        #expect(try catchesUp(stage, from: 9))
        #expect(try catchesUp(stage, from: 10))
    }

    @Test func `a history of no entries serves who missed nothing`() throws {
        let stage = try filled(.entries(0), 5)
        #expect(try catchesUp(stage, from: 5))
        #expect(try !catchesUp(stage, from: 4))
    }

    @Test func `a whole history gives all`() throws {
        let stage = try filled(.all, 30)
        #expect(try catchesUp(stage, from: 0))
    }

    @Test func `whoever lacks far more than the list holds gets the list`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        for n: UInt64 in 2...1_100 { stage.submit(n, [try .set("a", "t\(n)")], ana, heard: n - 1) }
        #expect(try !catchesUp(stage, from: 1))
        #expect(try catchesUp(stage, from: 200))
    }

    @Test func `the log is cut now and then, behind a stored snapshot`() throws {
        let stage = try filled(.entries(10), 300)
        let log = try #require(stage.storage.logs[stage.list])
        let snapshot = try #require(log.snapshot)
        #expect(log.first > Version(1) && log.first <= snapshot.version.next)
        #expect(log.head == Version(300) && log.records.count >= 10)
        #expect(try stage.state.count == 300)
        let bob = try stage.join("bob")
        try stage.expectSame([bob])
        stage.cut(bob)
        let cid = try stage.join("cid")
        for n: UInt64 in 1...10 { try stage.insert(n, "c\(n)", cid) }
        #expect(try stage.rejoin(bob).replicas[stage.list]?.snapshots == 1)
    }

    @Test func `a stored snapshot is of what is durable, with the work behind it in the log`()
        throws
    {
        let stage = Stage(history: .entries(2))
        let ana = try stage.join("ana")
        stage.holdsStorage = true
        for n: UInt64 in 1...400 {
            try stage.insert(n, "e\(n)", ana, heard: 0)
            if n % 3 == 0 {
                stage.perform()
                stage.run()
            }
        }
        stage.performAll()
        #expect(stage.storage.logs[stage.list]?.snapshot != nil)
        #expect(try stage.state.count == 400)
        #expect(try stage.state.head == Version(400))
    }

    @Test func `a history by age keeps the young and cuts the old, also after a restart`() throws {
        var stage = Stage(history: .age(10_000))
        for round in 0..<6 {
            let ana = try stage.join("ana")
            for step in 1...50 {
                let n = UInt64(round * 50 + step)
                stage.now = stage.now.adding(milliseconds: 100)
                try stage.insert(n, "e\(n)", ana, heard: n - 1)
            }
            stage.cut(ana)
            stage = stage.restarted(history: .age(10_000))
        }
        let log = try #require(stage.storage.logs[stage.list])
        #expect(log.first > Version(64))
        let oldest = try #require(stage.storage.entries(of: stage.list).first)
        #expect(oldest.at >= stage.now.adding(milliseconds: -10_000 - 100 * 300))
        let young = stage.storage.entries(of: stage.list).filter {
            $0.at > stage.now.adding(milliseconds: -10_000)
        }
        #expect(young.count == 100 || young.count == 99)
        #expect(try stage.state.count == 300)
    }

    @Test func `graves beyond their number are forgotten by an entry, the oldest first`() throws {
        var limits = Limits()
        limits.graves = 10
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        var n: UInt64 = 0
        for index in 1...30 {
            try stage.insert(n + 1, "e\(index)", ana, heard: n)
            stage.submit(n + 2, [try .delete("e\(index)")], ana, heard: n + 1)
            n += 2
        }
        let state = try stage.state
        #expect(state.graveCount <= 11)
        #expect(ana.replicas[stage.list]?.state.graveCount == state.graveCount)
        let forgets = stage.storage.entries(of: stage.list).filter { $0.n == .zero }
        #expect(!forgets.isEmpty && forgets.allSatisfy { $0.client.text == "samelistd" })
        stage.say(.fates(1, stage.list, [try id("e1"), try id("e30")]), ana)
        guard case .fates(_, _, let fates) = ana.messages.last else { return }
        #expect(fates.first == .unknown(try id("e1")))
        try stage.expectSame([ana])
    }

    @Test func `graves are forgotten also where work never rests`() throws {
        var limits = Limits()
        limits.graves = 10
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        stage.holdsStorage = true
        for n: UInt64 in 1...100 {
            stage.submit(n, [try .insert("e\(n)"), try .delete("e\(n)")], ana)
            if n % 5 == 0 {
                stage.perform()
                stage.run()
            }
        }
        stage.performAll()
        #expect(try stage.state.graveCount <= 11)
        try stage.expectSame([ana])
    }
}
