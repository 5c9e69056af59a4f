import ListModel
import PairHarness
import Testing

@testable import ListReplica

/// Many do something to one element while its editor is away: each is named for what it did.
@Suite("Whom an editor names is who did it") struct AuthorTests {
    private func people() throws -> (ana: Person, bob: Person, eve: Person) {
        let people = try World().people("bob", "ana", "eve", with: ["x", "y"])
        return (people[1], people[0], people[2])
    }

    private func named(_ ana: Person) -> [String] {
        ana.takeTold().map { told in
            switch told.event {
            case .changed(_, let new, let by, _):
                "changed \(new.names.map(\.text)) by \(by?.text ?? "-")"
            case .conflict(let name, _, _, _, let by): "conflict \(name) by \(by?.text ?? "-")"
            case .vanished(let vanish): "vanished by \(vanish.by?.text ?? "-")"
            case .returned(let by): "returned by \(by?.text ?? "-")"
            case .hidden, .shown, .presence: "\(told.event)"
            }
        }
    }

    private func together(_ ana: Person, _ doing: (World) throws -> Void) throws {
        ana.goOffline()
        try ana.world.runUntilQuiet()
        try doing(ana.world)
        ana.goOnline()
        try ana.world.runUntilQuiet()
    }

    private func inTurn(_ world: World, _ steps: (() -> MutationNumber?)...) throws {
        for step in steps {
            _ = step()
            try world.runUntilQuiet()
        }
    }

    @Test(arguments: [Editor.Policy.live, .draft])
    func `who moved it has not changed it`(_ policy: Editor.Policy) throws {
        let (ana, bob, eve) = try people()
        try ana.edit("x", policy)
        try together(ana) { world in
            try inTurn(
                world, { eve.set("x", ["title": "eve's"]) },
                { bob.submit(Operation(.move(["x"], to: .last))) })
        }
        #expect(named(ana) == [#"changed ["title"] by eve"#])
    }

    @Test(arguments: [Editor.Policy.live, .draft])
    func `one's own pending work is not what is named after a snapshot`(
        _ policy: Editor.Policy
    ) throws {
        var conditions = Conditions()
        conditions.history = .entries(2)
        let people = try World(conditions).people("bob", "ana", with: ["x", "y"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("x", policy)
        ana.goOffline()
        ana.set("x", ["n": 1])
        try inTurn(ana.world, { bob.set("x", ["title": "bob's"]) })
        for n in 0..<400 { bob.set("y", ["n": .int(Int64(n))]) }
        try ana.world.runUntilQuiet()
        #expect(ana.world.server.disk.logs["list"]?.first != Version(1))
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(named(ana) == [#"changed ["title"] by bob"#])
    }

    @Test func `nor where the element returns with a backup`() throws {
        let (ana, bob, _) = try people()
        try inTurn(ana.world, { bob.set("x", ["title": "bob's"]) })
        let copy = try #require(ana.world.server.disk.backup("list"))
        try ana.edit("x", .live)
        try inTurn(ana.world, { bob.delete("x") })
        #expect(named(ana) == ["vanished by bob"])
        ana.goOffline()
        ana.set("x", ["n": 1])
        ana.world.server.kill()
        ana.world.server.disk.restore(copy, as: "list", "backup")
        ana.world.server.start()
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(named(ana).first == "returned by bob")
    }

    @Test func `a conflict is with whoever wrote that field`() throws {
        let (ana, bob, eve) = try people()
        try ana.edit("x")
        try ana.type(["title": "mine"], into: "x")
        try together(ana) { world in
            try inTurn(
                world, { eve.set("x", ["title": "eve's"]) }, { bob.set("x", ["n": 1]) })
        }
        #expect(named(ana) == [#"changed ["n"] by bob"#, "conflict title by eve"])
    }

    @Test func `who brought it back did not write it`() throws {
        let (ana, bob, eve) = try people()
        try ana.edit("x", .live)
        try inTurn(ana.world, { bob.delete("x") })
        try together(ana) { world in
            try inTurn(world, { eve.restore("x") }, { bob.set("x", ["title": "bob's"]) })
        }
        #expect(
            named(ana) == [
                "vanished by bob", "returned by eve", #"changed ["title"] by bob"#,
            ])
    }

    @Test(arguments: [false, true])
    func `what was written before it vanished is told of its writer when it returns`(
        _ isKilled: Bool
    ) throws {
        let (ana, bob, eve) = try people()
        try ana.edit("x")
        try ana.type(["title": "mine"], into: "x")
        try together(ana) { world in
            try inTurn(world, { eve.set("x", ["title": "eve's"]) }, { bob.delete("x") })
        }
        #expect(named(ana) == ["vanished by bob"])
        if isKilled {
            ana.node.kill()
            ana.node.start()
            try ana.world.runUntilQuiet()
        }
        try inTurn(ana.world, { bob.restore("x") })
        #expect(named(ana) == ["returned by bob", "conflict title by eve"])
    }

    @Test func `who restored it once has not, where it was deleted since`() throws {
        let (ana, bob, eve) = try people()
        try ana.edit("x", .snapshot)
        try together(ana) { world in
            try inTurn(world, { bob.delete("x") }, { bob.restore("x") }, { eve.delete("x") })
        }
        #expect(named(ana) == ["vanished by eve"])
        ana.node.perform { core, now in core.replicas["list"]?.wantsWhole = true }
        try together(ana) { world in try inTurn(world, { eve.restore("x") }) }
        #expect(named(ana) == ["returned by eve"])
    }

    @Test func `where a backup has it, that is by whoever the row names, not by who restores it`()
        throws
    {
        let (ana, bob, _) = try people()
        let copy = try #require(ana.world.server.disk.backup("list"))
        try ana.edit("x")
        try ana.type(["title": "mine"], into: "x")
        try inTurn(ana.world, { bob.delete("x") })
        #expect(named(ana) == ["vanished by bob"])
        ana.goOffline()
        _ = try ana.node.perform { core, now in
            try core.restoreWithDraft("x", in: "list", at: now)
        }
        bob.goOffline()
        ana.world.server.kill()
        ana.world.server.disk.restore(copy, as: "list", "backup")
        ana.world.server.start()
        bob.goOnline()
        try inTurn(ana.world, { bob.set("x", ["title": "bob's"]) })
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(named(ana).first == "returned by bob")
    }

    @Test func `a restoration after a snapshot is due to who restored where it differs`() throws {
        var before = ListState()
        let insert = ResolvedOperation.insert("x", after: .first, ["title": "X"])
        let client = try #require(ClientID("eve"))
        try before.apply(
            Entry(
                version: Version(1), at: .zero, by: "bob", client: client, n: MutationNumber(1),
                operations: [insert]))
        var authors = Authors()
        authors.note(whole: ListState(), over: before, [], under: ["x"])
        let restore = ResolvedOperation.restore("x", ["title": "X", "note": "new"])
        authors.note(
            restore,
            in: Entry(
                version: Version(9), at: .zero, by: "eve", client: client, n: MutationNumber(2),
                operations: [restore]))
        #expect(authors.writers(of: "x") == ["note": "eve"])
    }

    @Test func `what was written under a commit on its way is told of its writer when that fails`()
        throws
    {
        func element(_ title: Value, by: UserName) -> Element {
            Element(
                id: "x", fields: ["title": title], version: Version(2), placed: Version(1), by: by,
                at: .zero)
        }
        var editor = Editor(
            element("A", by: "ana"), policy: .draft, serial: 1, birth: .confirmed, isInView: nil)
        editor.type(["title": "mine"])
        editor.commit = Editor.Commit(n: MutationNumber(1), mode: .ifUnchanged)
        editor.commit?.written = ["title": "mine"]
        var authors = Authors()
        let operation = ResolvedOperation.set("x", ["title": "eve's"])
        authors.note(
            operation,
            in: Entry(
                version: Version(2), at: .zero, by: "eve", client: try #require(ClientID("eve")),
                n: MutationNumber(1), operations: [operation]))
        let mine = Look.living(element("mine", by: "ana"))
        #expect(editor.refresh(mine, .remote(by: [:], authors), isInView: nil) == [])
        editor.commit = nil
        let hers = Look.living(element("eve's", by: "bob"))
        #expect(
            editor.refresh(hers, .remote(by: [:]), isInView: nil) == [
                .conflict("title", base: "A", mine: "mine", theirs: "eve's", by: "eve")
            ])
    }
}
