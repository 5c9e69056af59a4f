import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

/// Counts what a client is sent of its list.
private final class Received {
    var versions: [UInt64] = []
    var snapshots = 0

    init(_ person: Person) {
        person.node.onMessage = { [unowned self] message in
            switch message {
            case .entries(_, let entries): versions += entries.map(\.version.number)
            case .snapshot: snapshots += 1
            default: break
            }
        }
    }
}

@Suite("A client that comes back is sent what it lacks, and nothing else") struct PositionTests {
    @Test func `GA7 what came live moves the position: nothing of it is sent again`() throws {
        let world = World()
        let people = try world.people("ana", "bob", with: ["a"])
        let (ana, bob) = (people[0], people[1])
        for n in 1...100 { ana.set("a", ["n": .int(Int64(n))]) }
        try world.runUntilQuiet()
        let received = Received(bob)
        for _ in 1...2 {
            bob.node.cut()
            try world.runUntilQuiet()
            #expect(bob.replica?.isLive == true && bob.fields("a")?["n"] == 100)
        }
        bob.node.kill()
        bob.node.start()
        try world.runUntilQuiet()
        #expect(bob.replica?.isLive == true && bob.node.connects == 4)
        #expect(received.versions == [] && received.snapshots == 0)
        withExtendedLifetime(received) {}
    }

    @Test func `GA8 who never got an entry is sent exactly those that it missed`() throws {
        let world = World()
        let people = try world.people("ana", "bob")
        let (ana, bob) = (people[0], people[1])
        let received = Received(bob)
        bob.goOffline()
        for id in ["a", "b", "c"] as [ElementID] { ana.add(id) }
        try world.runUntilQuiet()
        bob.goOnline()
        try world.runUntilQuiet()
        #expect(received.versions == [1, 2, 3] && received.snapshots == 0)
        #expect(bob.ids == ["a", "b", "c"])
        withExtendedLifetime(received) {}
    }

    @Test(arguments: [3_600_000, -86_400_000])
    func `CL1 clocks that are wrong change neither order nor content`(_ error: Int64) throws {
        var conditions = Conditions()
        conditions.serverClock = error
        let world = World(conditions)
        let people = try world.people("ana", "bob", with: ["a", "b"])
        let (ana, bob) = (people[0], people[1])
        try ana.edit("a")
        try ana.type(["title": "mine"], into: "a")
        for n in 1...20 {
            // Whoever says something later is later, whatever the clocks say of it.
            world.conditions.serverClock = n % 2 == 0 ? 0 : error
            (n % 2 == 0 ? ana : bob).set("b", ["n": .int(Int64(n))])
            try world.runUntilQuiet()
            #expect(ana.fields("b")?["n"] == .int(Int64(n)))
        }
        bob.goOffline()
        bob.add("late")
        try world.run(for: 5_000)
        bob.goOnline()
        try ana.commit("a")
        try world.runUntilQuiet()
        #expect(bob.ids == ["a", "b", "late"] && ana.ids == bob.ids)
        #expect(bob.fields("a") == ["title": "mine"])
        #expect(ana.takeTold() == [] && bob.takeTold() == [], "no conflict where nobody disagrees")
        let times = world.server.disk.entries(of: "list").map(\.at)
        #expect(times == times.sorted())
    }

    @Test func `CL5 a list filled anew from what was exported holds nothing twice`() throws {
        let world = World()
        let people = try world.people("ana", "bob", "cid", with: ["a", "b", "c"])
        let (ana, bob, cid) = (people[0], people[1], people[2])
        cid.goOffline()
        cid.set("b", ["title": "his"])
        let rows = try #require(ana.replica?.list.elements)
        _ = ana.node.perform { core, now in core.ask({ .remove($0, "list") }, at: now) }
        try world.runUntilQuiet()
        ana.node.perform { core, now in
            core.close("list", at: now)
            try? core.open("list", create: true, at: now)
        }
        try world.runUntilQuiet()
        for row in rows { ana.add(row.id, row.fields) }
        try world.runUntilQuiet()
        cid.goOnline()
        for person in [bob, cid] {
            person.node.perform { core, now in try? core.open("list", at: now) }
        }
        try world.runUntilQuiet()
        for person in people {
            #expect(person.ids == ["a", "b", "c"] && person.replica?.isLive == true)
            #expect(person.fields("b") == ["title": "b"], "what was meant for the old list")
        }
        #expect(world.server.disk.list("list")?.elements.count == 3)
        #expect(cid.closings.map(\.code) == [.listDeleted])
    }
}
