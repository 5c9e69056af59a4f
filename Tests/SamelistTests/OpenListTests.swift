import ListModel
import ListReplica
import Samelist
import Testing

/// The library over a server in the same process, and over a real one and real sockets.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct OpenListTests {
    private let room = Room()

    @Test func `what one client inserts, another sees, and the outcome says at which version`()
        async throws
    {
        let (ana, bob) = try await room.two()
        let outcome = await ana.insert(["title": .text("Milk")], id: room.milk).outcome()
        #expect(outcome == .logged(Version(1), skips: []))
        await until { bob.count == 1 }
        #expect(bob[room.milk]?.fields[.title] == .text("Milk"))
        #expect(bob[0]?.id == room.milk)
        #expect(bob.index(of: room.milk) == 0)
    }

    @Test func `an editor is told once who deleted its element, and keeps its draft`() async throws
    {
        let (ana, bob) = try await room.two()
        _ = await ana.insert(["title": .text("Milk")], id: room.milk).outcome()
        await until { bob.count == 1 }
        let editor = try ana.edit(room.milk)
        try editor.type(["title": .text("Oat milk")])
        _ = await bob.remove([room.milk]).outcome()
        var events = editor.events.makeAsyncIterator()
        guard case .vanished(let vanish) = await events.next() else {
            Issue.record("the first event is no vanishing")
            return
        }
        #expect(vanish.cause == .deleted)
        #expect(vanish.by?.text == "bob")
        #expect(editor.value[.title] == .text("Oat milk"))
        #expect(throws: EditorFault.vanished(vanish)) { try editor.commit() }
        let saved = try await editor.saveAsNew(room.oat).outcome()
        #expect(saved == .logged(Version(3), skips: []))
        #expect(editor.isClosed)
        #expect(ana.elements.map(\.id) == [room.oat])
        await until { bob[room.oat]?.fields[.title] == .text("Oat milk") }
        #expect(await events.next() == nil)
    }

    @Test func `what an editor hears is noted as heard only after it was told`() async throws {
        let (ana, bob) = try await room.two()
        _ = await ana.insert(["title": .text("Milk")], id: room.milk).outcome()
        await until { bob.count == 1 }
        let editor = try ana.edit(room.milk)
        try editor.type(["title": .text("Oat milk")])
        let core = ana.client.core
        var wasNotedBefore: Bool?
        ana.client.onNews = { news in
            let isTold = news.contains { if case .editor = $0 { true } else { false } }
            if isTold, wasNotedBefore == nil { wasNotedBefore = core.takeWrites() == nil }
        }
        _ = await bob.remove([room.milk]).outcome()
        await until { editor.vanish != nil }
        #expect(wasNotedBefore == false)
    }

    @Test func `a conflict is told, and commit refuses until it is told what to do`() async throws {
        let (ana, bob) = try await room.two()
        _ = await ana.insert(["title": .text("Milk")], id: room.milk).outcome()
        await until { bob.count == 1 }
        let editor = try ana.edit(room.milk)
        try editor.type(["title": .text("Oat milk")])
        _ = await bob.set(room.milk, ["title": .text("Goat milk")]).outcome()
        var events = editor.events.makeAsyncIterator()
        guard case .conflict(let field, let base, _, let theirs, _) = await events.next() else {
            Issue.record("the first event is no conflict")
            return
        }
        #expect(field == .title && base == .text("Milk") && theirs == .text("Goat milk"))
        #expect(throws: EditorFault.conflict([.title])) { try editor.commit() }
        _ = await (try editor.commit(.overwrite))?.outcome()
        await until { bob[room.milk]?.fields[.title] == .text("Oat milk") }
    }

    @Test func `work done offline is shown at once and arrives once`() async throws {
        let (ana, bob) = try await room.two()
        ana.client.goOffline()
        let submission = ana.insert(["title": .text("Tea")], id: room.milk)
        #expect(ana.count == 1 && ana.pendingCount == 1)
        ana.client.goOnline()
        #expect(await submission.outcome() == .logged(Version(1), skips: []))
        await until { bob.count == 1 }
        #expect(ana.pendingCount == 0 && ana.count == 1)
    }

    @Test func `work waits for a server that was killed, and arrives once`() async throws {
        let (ana, bob) = try await room.two()
        _ = await ana.insert(["title": .text("Tea")], id: room.milk).outcome()
        await until { bob.count == 1 }
        room.killServer()
        await until { ana.client.connection != .online }
        let submission = ana.insert(["title": .text("Oats")], id: room.oat)
        #expect(ana.count == 2 && ana.pendingCount == 1)
        try room.startServer()
        #expect(await submission.outcome() == .logged(Version(2), skips: []))
        await until { bob.count == 2 }
        #expect(bob.elements.map(\.id) == [room.milk, room.oat])
    }

    @Test func `undo takes back one's own work, redo brings it again`() async throws {
        let (ana, _) = try await room.two()
        _ = await ana.insert(["title": .text("Tea")], id: room.milk).outcome()
        _ = await ana.undo()?.outcome()
        #expect(ana.count == 0)
        _ = await ana.redo()?.outcome()
        #expect(ana.elements.map(\.id) == [room.milk])
    }

    @Test func `a list that is not there is refused by name, and one's own name is checked`()
        async throws
    {
        let client = try room.client("ana")
        await #expect(throws: ListError.self) { try await client.open("nothing") }
        await #expect(throws: ListError.self) { try await client.open("No List") }
        #expect(throws: ListError.self) {
            try ListClient(connectingTo: .local, as: "", keepingStateIn: nil)
        }
    }
}
