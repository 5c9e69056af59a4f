import ListModel
import ListReplica
import ListServer
import Observation
import Samelist
import Storage
import Testing

/// The library over a real server and real sockets; the log is in memory.
@MainActor
@Suite(.timeLimit(.minutes(1)))
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
        await #expect(throws: ClientFault.self) { try await client.open("nothing") }
        await #expect(throws: ClientFault.self) { try await client.open("No List") }
        #expect(throws: ClientFault.self) {
            try ListClient(connectingTo: .local, as: "", keepingStateIn: nil)
        }
    }
}

/// One server, and the clients in it.
@MainActor
private final class Room {
    let milk = Fresh.element()
    let oat = Fresh.element()
    private var server: Server?
    private var clients: [ListClient] = []

    isolated deinit {
        for client in clients { client.stop() }
        server?.stop()
    }

    func client(_ name: String) throws -> ListClient {
        var options = ServerOptions()
        options.port = 0
        let server = try self.server ?? Server(options) { InMemoryLogStorage() }
        self.server = server
        let address = try #require(ServerAddress("ws://127.0.0.1:\(server.port)"))
        let client = try ListClient(connectingTo: address, as: name, keepingStateIn: nil)
        clients.append(client)
        return client
    }

    /// Ana's and bob's copy of one list.
    func two() async throws -> (OpenList, OpenList) {
        let ana = try await client("ana").open("food", create: true)
        let bob = try await client("bob").open("food")
        return (ana, bob)
    }
}

/// Returns once it holds; what it reads must be observable. The suite's time limit ends a vain
/// wait.
@MainActor
private func until(_ holds: @escaping @MainActor () -> Bool) async {
    for await _ in Observations({ holds() }) where holds() { return }
}
