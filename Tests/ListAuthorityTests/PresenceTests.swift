import ListAuthority
import ListModel
import ListProtocol
import Testing

struct PresenceTests {
    private func changes(_ peer: Peer) -> [PresenceChange] {
        peer.messages.compactMap { message in
            guard case .presence(_, let change) = message else { return nil }
            return change
        }
    }

    private func editing(_ stage: Stage, _ peer: Peer) throws -> [[String]] {
        stage.say(.who(99, stage.list), peer)
        guard case .who(99, _, let here) = peer.messages.last else { return [] }
        return here.map { $0.editing.map(\.text) }
    }

    @Test func `whoever asks is told all who are there, then who comes, edits and leaves`() throws {
        let stage = Stage()
        let ana = try stage.join("ana", presence: true)
        try stage.insert(1, "a", ana)
        let bob = try stage.join("bob")
        stage.pass(100)
        _ = ana.takeMessages()
        stage.say(.presence(stage.list, editing: [try id("a")]), bob)
        #expect(ana.messages.isEmpty)
        stage.pass(100)
        let editing = Presence(session: bob.number, name: try id("bob"), editing: [try id("a")])
        #expect(changes(ana) == [PresenceChange(isWhole: false, here: [editing], left: [])])
        _ = ana.takeMessages()
        stage.cut(bob)
        stage.pass(100)
        #expect(changes(ana) == [PresenceChange(isWhole: false, here: [], left: [bob.number])])
        #expect(changes(bob).isEmpty)
    }

    @Test func `many changes between two ticks are told at once`() throws {
        let stage = Stage()
        let ana = try stage.join("ana", presence: true)
        stage.pass(100)
        _ = ana.takeMessages()
        let others = try (0..<50).map { try stage.join("c\($0)") }
        stage.cut(others[0])
        #expect(stage.authority.nextTick(after: stage.now) == stage.now.adding(milliseconds: 50))
        stage.pass(50)
        #expect(changes(ana).count == 1 && changes(ana)[0].here.count == 49)
        #expect(stage.authority.nextTick(after: stage.now) == nil)
    }

    @Test func `presence ends with its element, and is not said of what is not there`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        stage.say(.presence(stage.list, editing: [try id("a"), try id("zz")]), ana)
        #expect(try editing(stage, ana) == [["a"]])
        stage.submit(2, [try .delete("a")], ana)
        #expect(try editing(stage, ana) == [[]])
        stage.say(.presence(stage.list, editing: [try id("a")]), ana)
        #expect(try editing(stage, ana) == [[]])
    }

    @Test func `presence outlives a deletion that failed, not an insertion that did`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        try stage.insert(1, "a", ana)
        stage.holdsStorage = true
        stage.storage.faults = [.fail]
        stage.submit(2, [try .delete("a"), try .insert("b")], ana)
        stage.say(.presence(stage.list, editing: [try id("a"), try id("b")]), ana)
        stage.performAll()
        #expect(try editing(stage, ana) == [["a"]])
    }

    @Test func `opening again keeps the presence, and leaves no shadow of it`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        try stage.insert(1, "a", ana)
        stage.say(.presence(stage.list, editing: [try id("a")]), ana)
        try stage.open(ana)
        #expect(try editing(stage, bob) == [["a"], []])
        stage.say(.presence(stage.list, editing: []), ana)
        stage.submit(1, [try .delete("a", unlessEdited: true)], bob)
        #expect(bob.outcome(of: 1) == .logged(Version(2), skips: []))
    }

    @Test func `presence in a list that is not open is refused`() throws {
        let stage = Stage()
        _ = try stage.join("ana")
        let bob = try stage.connect("bob")
        stage.say(.presence(stage.list, editing: []), bob)
        #expect(bob.refusals == [.notOpen])
    }

    @Test func `presence ends when the list is closed`() throws {
        let stage = Stage()
        let ana = try stage.join("ana")
        let bob = try stage.join("bob")
        stage.say(.close(stage.list), bob)
        #expect(try editing(stage, ana).count == 1)
        stage.say(.close(stage.list), bob)
        #expect(bob.refusals.isEmpty)
    }

    @Test func `a connection says of so many elements that it edits them`() throws {
        var limits = Limits()
        limits.editing = 2
        let stage = Stage(limits: limits)
        let ana = try stage.join("ana")
        for n: UInt64 in 1...3 { try stage.insert(n, "e\(n)", ana) }
        let ids: [ElementID] = try (1...3).map { try id("e\($0)") }
        stage.say(.presence(stage.list, editing: ids), ana)
        #expect(try editing(stage, ana) == [["e1", "e2"]])
        stage.say(.fates(1, stage.list, ids), ana)
        #expect(ana.refusals == [.tooMany])
    }
}
