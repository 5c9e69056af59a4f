import ListModel
import ListReplica
import Samelist
import SamelistTesting
import Testing

/// What the stand-in for a server promises those who test their own screens with it.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct InMemoryServerTests {
    private let server = InMemoryServer()
    private let held = Held()
    private let milk = Fresh.element()

    private func two() async throws -> (OpenList, OpenList) {
        let ana = try await held.keep(server.client("ana")).open("food", create: true)
        let bob = try await held.keep(server.client("bob")).open("food")
        return (ana, bob)
    }

    private func add(_ id: ElementID, to list: OpenList) {
        list.insert(["title": .text("Milk")], id: id)
        server.settle()
    }

    @Test func `after settle everything has arrived and been decided, without a wait`()
        async throws
    {
        let (ana, bob) = try await two()
        ana.insert(["title": .text("Milk")], id: milk)
        #expect(ana.pendingCount == 1 && bob.count == 0)
        server.settle()
        #expect(ana.pendingCount == 0 && bob.count == 1)
    }

    @Test func `a client that is cut off goes on, and hears the difference when it is healed`()
        async throws
    {
        let (ana, bob) = try await two()
        add(milk, to: ana)
        let editor = try bob.edit(milk)
        try editor.type(["title": .text("Oat milk")])
        server.partition(bob.client)
        ana.remove([milk])
        server.settle()
        #expect(bob.client.connection != .online)
        #expect(ana.count == 0 && bob.count == 1 && editor.vanish == nil)
        server.heal(bob.client)
        server.settle()
        #expect(bob.client.connection == .online)
        #expect(bob.count == 0)
        #expect(editor.vanish?.cause == .deleted && editor.vanish?.by?.text == "ana")
        #expect(editor.value[.title] == .text("Oat milk"))
    }

    @Test func `what was on its way when the client was cut off arrives once when it is healed`()
        async throws
    {
        let (ana, bob) = try await two()
        ana.insert(["title": .text("Milk")], id: milk)
        server.partition(ana.client)
        server.settle()
        #expect(bob.count == 0 && ana.pendingCount == 1)
        server.heal(ana.client)
        server.settle()
        #expect(bob.count == 1 && ana.count == 1 && ana.pendingCount == 0)
    }

    @Test func `a server that was killed has what it logged, and clients come back by themselves`()
        async throws
    {
        let (ana, bob) = try await two()
        add(milk, to: ana)
        server.kill()
        server.settle()
        #expect(ana.client.connection != .online)
        ana.set(milk, ["title": .text("Oat milk")])
        server.settle()
        #expect(bob[milk]?.fields[.title] == .text("Milk"))
        server.start()
        server.settle()
        #expect(bob[milk]?.fields[.title] == .text("Oat milk"))
    }

    @Test func `a drained server sends everybody off in peace`() async throws {
        let (ana, bob) = try await two()
        add(milk, to: ana)
        server.drain()
        #expect(!server.isRunning)
        server.settle()
        #expect(ana.client.connection != .online && bob.client.connection != .online)
        server.start()
        server.settle()
        #expect(ana.client.connection == .online && bob.count == 1)
    }

    @Test func `a client that is launched again has its unsent work and its draft`() async throws {
        let (ana, bob) = try await two()
        add(milk, to: ana)
        try ana.edit(milk).type(["title": .text("Oat milk")])
        server.partition(ana.client)
        ana.insert(["title": .text("Tea")], id: Fresh.element())
        server.settle()
        let again = try await held.keep(server.relaunch(ana.client)).open("food")
        #expect(again.keptEditors == [milk])
        #expect(try again.edit(milk).value[.title] == .text("Oat milk"))
        server.settle()
        #expect(bob.count == 2 && again.count == 2)
    }

    @Test func `opening gives up after its patience, though no time passes`() async throws {
        let client = server.client("ana")
        server.partition(client)
        await #expect(throws: ListError.self) { try await client.open("food", create: true) }
    }

    @Test func `the clock moves only as far as it is told`() async throws {
        let (ana, _) = try await two()
        server.kill()
        server.settle()
        let before = ana.client.connection
        guard case .offline(let since, 0, .milliseconds(250)) = before else {
            Issue.record("not waiting for the first attempt: \(before)")
            return
        }
        server.settle()
        #expect(ana.client.connection == before)
        server.advance(by: .seconds(600))
        guard case .offline(since, 0, let pause?) = ana.client.connection else {
            Issue.record("not waiting for another attempt: \(ana.client.connection)")
            return
        }
        #expect(pause <= .seconds(15))
        server.start()
        server.settle()
        #expect(ana.client.connection == .online)
    }

    @Test func `changes of many clients, cut off now and then, end alike`() async throws {
        let first = try await held.keep(server.client("user0")).open("food", create: true)
        var lists = [first]
        for number in 1..<5 {
            lists.append(try await held.keep(server.client("user\(number)")).open("food"))
        }
        for number in 0..<300 {
            let list = lists[number % 5]
            if number % 7 == 6, let id = list[number % max(1, list.count)]?.id {
                list.remove([id])
            } else {
                list.insert(["n": .int(Int64(number))], at: number % 2 == 0 ? .first : .last)
            }
            if number % 13 == 0 { server.partition(list.client) }
            if number % 13 == 5 { for list in lists { server.heal(list.client) } }
        }
        for list in lists { server.heal(list.client) }
        server.settle()
        let ids = first.elements.map(\.id)
        #expect(ids.count > 150)
        for list in lists {
            #expect(list.elements.map(\.id) == ids)
            #expect(list.pendingCount == 0)
        }
    }
}

/// Lists as fields do not keep their clients alive.
@MainActor
private final class Held {
    private var clients: [ListClient] = []

    func keep(_ client: ListClient) -> ListClient {
        clients.append(client)
        return client
    }
}
