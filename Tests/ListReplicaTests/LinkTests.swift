import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("A client comes back, and no more often than it should") struct LinkTests {
    private func opens(_ person: Person) -> Int {
        person.node.sent.count { if case .open = $0 { true } else { false } }
    }

    @Test func `RE1 RE4 one join a restart`() throws {
        let world = World()
        let ana = try world.people("ana", with: ["a"])[0]
        for restarts in 1...2 {
            world.server.kill()
            try world.run(for: 3_000)
            world.server.start()
            try world.run(for: 60_000)
            #expect(opens(ana) == 1 + restarts)
            #expect(ana.replica?.isLive == true)
            #expect(world.server.connectionCount == 1)
        }
        ana.set("a", ["title": "after"])
        try world.runUntilQuiet()
        #expect(world.server.disk.list("list")?["a"]?.fields == ["title": "after"])
    }

    @Test func `RE3 offline and online in one breath`() throws {
        let world = World()
        let ana = try world.people("ana", with: ["a"])[0]
        ana.goOffline()
        ana.goOnline()
        try world.runUntilQuiet()
        #expect(opens(ana) == 2 && ana.replica?.isLive == true)
        ana.set("a", ["title": "after"])
        try world.runUntilQuiet()
        #expect(world.server.disk.list("list")?["a"]?.fields == ["title": "after"])
    }

    @Test func `RE5 connecting twice makes one connection`() throws {
        let world = World()
        let people = [Person(world, "ana"), Person(world, "bob")]
        people[0].node.start()
        people[0].goOnline()
        people[0].goOnline()
        people[1].node.start()
        try world.runUntilQuiet()
        #expect(people[0].node.connects == 1 && world.server.connectionCount == 2)
        people[1].add("a")
        try world.runUntilQuiet()
        #expect(people[0].ids == ["a"])
    }

    @Test func `RE6 the old connection looks alive`() throws {
        let world = World()
        let people = try world.people("ana", "bob", with: ["a"])
        people[0].node.cut(notice: 0, serverNotice: 60_000)
        people[1].set("a", ["title": "meanwhile"])
        try world.run(for: 2_000)
        #expect(people[0].fields("a") == ["title": "meanwhile"])
        #expect(people[0].node.connects == 2 && people[0].replica?.isLive == true)
        // Greeting and opening: two ways there and back, whatever became of the old connection.
        world.conditions.latency = 100...100
        people[0].node.cut(notice: 0, serverNotice: 60_000)
        try world.run(for: 2_000) {
            if case .greeting = people[0].node.core?.link.state { true } else { false }
        }
        let begun = world.now.milliseconds
        try world.run(for: 2_000) { people[0].replica?.isLive == true }
        #expect(world.now.milliseconds - begun <= 420)
        try world.run(for: 60_000)
        #expect(people[0].node.connects == 3 && world.server.connectionCount == 2)
    }

    /// A hello that was on its way when its connection was given up counts as newer than the next.
    @Test(arguments: [[2_000], [500, 1_000, 1_500]] as [[Int64]])
    func `RE6 a client that is replaced by its own late hellos comes back`(late: [Int64]) throws {
        let world = World()
        let ana = try world.people("ana", with: ["a"])[0]
        ana.goOffline()
        try world.runUntilQuiet()
        world.conditions.latency = 100...100
        ana.goOnline()
        for late in late {
            try world.run(for: 150)
            ana.node.stalledUntil = world.now.adding(milliseconds: late)
            try world.run(for: 100)
            ana.goOffline()
            ana.node.stalledUntil = world.now
            ana.goOnline()
        }
        try world.run(for: 30_000)
        #expect(ana.replica?.isLive == true && world.server.connectionCount == 1)
        if late.count == 1 { #expect(ana.node.connects == 4) }
    }

    @Test func `RE7 RE8 what was sent into a dead connection arrives once`() throws {
        let world = World()
        let people = try world.people("ana", "bob", with: ["a"])
        people[0].node.cut(notice: 10_000, serverNotice: 0)
        for n in 0..<5 {
            people[0].submit(Operation(.count("a", "n", by: 1)))
            try world.run(for: 1_000 + Int64(n))
        }
        try world.runUntilQuiet()
        #expect(people[1].fields("a")?["n"] == 5)
        #expect(people[0].replica?.unresolved.isEmpty == true)
        world.conditions.latency = 50...50
        people[0].submit(Operation(.count("a", "n", by: 1)))
        try world.run(for: 60)
        world.server.kill()
        world.startServer(after: 500)
        try world.runUntilQuiet()
        #expect(people[1].fields("a")?["n"] == 6)
    }

    @Test func `RE9 what cannot be understood is asked for thrice more, then said`() throws {
        let world = World()
        let ana = try world.people("ana", with: ["a"])[0]
        ana.goOffline()
        ana.set("a", ["title": "kept"])
        ana.goOnline()
        for round in 1...4 {
            #expect(ana.failures.isEmpty, "round \(round)")
            try world.run(for: 30_000) { ana.node.core?.link.isOnline == true }
            ana.node.perform { core, now in core.handle(.garbled("no JSON"), at: now) }
        }
        try world.run(for: 60_000)
        #expect(ana.failures.map(\.code) == [.malformed])
        #expect(ana.node.connects == 5)
        #expect(ana.fields("a") == ["title": "kept"])
        ana.goOnline()
        try world.runUntilQuiet()
        #expect(world.server.disk.list("list")?["a"]?.fields == ["title": "kept"])
    }

    @Test func `pauses double, spread, and end at a bound`() {
        for jitter in [Int64(0), 999] {
            var link = Link(jitter: { jitter })
            var now = Timestamp.zero
            var pauses: [Int64] = []
            link.wake(now)
            for _ in 0..<10 {
                let isDue = link.shouldConnect(now)
                #expect(isDue)
                link.cut(now, retry: nil, "the server went")
                guard case .waiting(let until) = link.state else { return }
                pauses.append(until.milliseconds - now.milliseconds)
                now = until
            }
            #expect(pauses.first == 250 * (500 + jitter) / 1_000)
            #expect(pauses.last == 15_000 * (500 + jitter) / 1_000)
            #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    @Test func `a connection that is lost at once does not start the pauses anew`() {
        var link = Link(jitter: { 500 })
        var now = Timestamp.zero
        var pauses: [Int64] = []
        link.wake(now)
        for round in 0..<4 {
            _ = link.shouldConnect(now)
            link.connected(now)
            link.welcomed(now)
            now = now.adding(milliseconds: round == 3 ? Link.steadyTime : 100)
            link.cut(now, retry: nil, "the server went")
            guard case .waiting(let until) = link.state else { return }
            pauses.append(until.milliseconds - now.milliseconds)
            now = until
        }
        #expect(pauses == [250, 500, 1_000, 250])
    }

    @Test(arguments: [UInt16(4300), 4303, 4999, 1008])
    func `a code that says stop is obeyed until the user asks again`(_ code: UInt16) throws {
        let world = World()
        let ana = try world.people("ana", with: ["a"])[0]
        ana.node.perform { core, now in
            core.handle(.disconnected(code: code, sentence: "no"), at: now)
        }
        try world.run(for: 120_000)
        #expect(ana.node.connects == 1)
        guard case .refused = ana.node.core?.link.state else {
            Issue.record("\(ana.node.core?.link.state as Any)")
            return
        }
        ana.goOnline()
        try world.runUntilQuiet()
        #expect(ana.replica?.isLive == true)
    }

    @Test func `a server that goes away says when to come back`() throws {
        let world = World()
        let ana = try world.people("ana", with: ["a"])[0]
        try world.server.drain()
        world.server.start()
        let left = world.now
        try world.run(for: 1_000) { ana.node.core?.link.isOnline == false }
        try world.run(for: 30_000) { ana.node.core?.link.isOnline == true }
        let away = world.now.milliseconds - left.milliseconds
        #expect((900..<1_500).contains(away), "\(away) ms")
    }

    @Test func `a server that never answers is given up and tried again`() {
        var link = Link(jitter: { 0 })
        link.wake(.zero)
        let isDue = link.shouldConnect(.zero)
        #expect(isDue)
        let late = Timestamp.zero.adding(milliseconds: Link.patience)
        #expect(!link.isOverdue(Timestamp(milliseconds: Link.patience - 1)))
        #expect(link.isOverdue(late) && link.nextTick == late)
        link.connected(late)
        #expect(!link.isOverdue(late))
        #expect(link.isOverdue(late.adding(milliseconds: Link.patience)))
    }
}
