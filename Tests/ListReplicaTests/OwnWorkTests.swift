import ListModel
import PairHarness
import Testing

@testable import ListReplica

/// One's own work lies over what others did, and comes to nothing: an editor hears of them then.
@Suite("Where own work comes to nothing, only who did something is named") struct OwnWorkTests {
    private struct Scene {
        let ana: Person
        let bob: Person
        let eve: Person

        /// Work of ana's that stays with her, since her disk does not take it.
        func keeping(_ work: () -> MutationNumber?) throws -> MutationNumber {
            ana.node.isDiskFull = true
            let n = try #require(work())
            try ana.world.run(for: 100)
            return n
        }

        func discard(_ n: MutationNumber) throws {
            #expect(ana.node.perform { core, now in core.discard(n, in: "list", at: now) })
            ana.node.isDiskFull = false
            try ana.world.run(for: 10_000)
        }

        func inTurn(_ steps: (() -> MutationNumber?)...) throws {
            for step in steps {
                _ = step()
                try ana.world.run(for: 1_000)
            }
        }

        var named: [String] {
            ana.takeTold().map { told in
                switch told.event {
                case .changed(_, let new, let by, _):
                    "changed \(new.names.map(\.text)) by \(by?.text ?? "-")"
                case .vanished(let vanish): "vanished by \(vanish.by?.text ?? "-")"
                case .returned(let by): "returned by \(by?.text ?? "-")"
                case .conflict, .hidden, .shown, .presence: "\(told.event)"
                }
            }
        }
    }

    private func scene(_ conditions: Conditions = Conditions()) throws -> Scene {
        let people = try World(conditions).people("bob", "ana", "eve", with: ["x", "y"])
        return Scene(ana: people[1], bob: people[0], eve: people[2])
    }

    @Test func `what was there before is nobody's change`() throws {
        let scene = try scene()
        try scene.inTurn({ scene.eve.set("x", ["n": 1]) })
        try scene.ana.edit("x", .live)
        let n = try scene.keeping { scene.ana.set("x", ["title": "mine"]) }
        try scene.discard(n)
        #expect(scene.named == [#"changed ["title"] by -"#])
    }

    @Test func `what was written under it meanwhile is named by its writer`() throws {
        let scene = try scene()
        try scene.ana.edit("x", .live)
        let n = try scene.keeping { scene.ana.set("x", ["title": "mine"]) }
        try scene.inTurn(
            { scene.bob.set("x", ["title": "bob's"]) }, { scene.eve.set("x", ["n": 1]) })
        #expect(scene.named == [#"changed ["n"] by eve"#])
        try scene.discard(n)
        #expect(scene.named == [#"changed ["title"] by bob"#])
    }

    @Test func `what a snapshot brought under it is named by whom the row names`() throws {
        var conditions = Conditions()
        conditions.history = .entries(2)
        let scene = try scene(conditions)
        try scene.ana.edit("x", .live)
        scene.ana.goOffline()
        let n = try scene.keeping { scene.ana.set("x", ["title": "mine"]) }
        try scene.inTurn({ scene.bob.set("x", ["title": "bob's"]) })
        for n in 0..<400 { scene.bob.set("y", ["n": .int(Int64(n))]) }
        scene.ana.goOnline()
        try scene.ana.world.run(for: 10_000)
        try scene.inTurn({ scene.eve.set("x", ["n": 1]) })
        #expect(scene.named == [#"changed ["n"] by eve"#])
        try scene.discard(n)
        #expect(scene.named == [#"changed ["title"] by bob"#])
    }

    @Test func `an element whose deletion was taken back returns by nobody`() throws {
        let scene = try scene()
        try scene.ana.edit("x", .live)
        let n = try scene.keeping { scene.ana.delete("x") }
        try scene.discard(n)
        #expect(scene.named == ["vanished by ana", "returned by -"])
    }

    @Test func `or by who restored it while the deletion lay over it`() throws {
        let scene = try scene()
        try scene.ana.edit("x", .live)
        let n = try scene.keeping { scene.ana.delete("x") }
        try scene.inTurn({ scene.bob.delete("x") }, { scene.eve.restore("x") })
        try scene.discard(n)
        #expect(scene.named == ["vanished by ana", "returned by eve"])
    }

    @Test func `what is restored on top of a grave was written by others`() throws {
        var conditions = Conditions()
        conditions.history = .entries(2)
        let scene = try scene(conditions)
        try scene.ana.edit("x", .live)
        scene.ana.goOffline()
        scene.ana.restore("x")
        try scene.inTurn(
            { scene.eve.set("x", ["title": "eve's"]) }, { scene.bob.delete("x") })
        for n in 0..<400 { scene.bob.set("y", ["n": .int(Int64(n))]) }
        try scene.ana.world.runUntilQuiet()
        scene.ana.goOnline()
        try scene.ana.world.runUntilQuiet()
        #expect(scene.named == [#"changed ["title"] by eve"#])
    }

    @Test func `an ID whose grave was forgotten comes back by who inserts it again`() throws {
        var authors = Authors()
        let operation = ResolvedOperation.insert("x", after: .first, [:])
        authors.note(
            operation,
            in: Entry(
                version: Version(2), at: .zero, by: "eve", client: try #require(ClientID("eve")),
                n: MutationNumber(1), operations: [operation]))
        #expect(authors.restorer(of: "x") == "eve")
    }

    @Test func `an editor opened while the list is fetched hears who deleted its element`() throws {
        var conditions = Conditions()
        conditions.history = .entries(2)
        let scene = try scene(conditions)
        scene.ana.goOffline()
        try scene.inTurn({ scene.bob.delete("x") })
        for n in 0..<400 { scene.bob.set("y", ["n": .int(Int64(n))]) }
        try scene.ana.world.runUntilQuiet()
        scene.ana.goOnline()
        try scene.ana.world.run(for: 1_000) {
            if case .opening? = scene.ana.replica?.sync { true } else { false }
        }
        try scene.ana.edit("x", .live)
        try scene.ana.world.runUntilQuiet()
        #expect(scene.named == ["vanished by bob"])
    }
}
