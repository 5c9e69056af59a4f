import Foundation
import ListModel
import ListServer
import Storage
import Testing

@testable import Samelist

/// How a client stands with its server, and what is thrown where it cannot.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)))
struct ConnectionTests {
    private func server(port: UInt16 = 0) throws -> Server {
        var options = ServerOptions()
        options.port = port
        return try Server(options) { InMemoryLogStorage() }
    }

    private func connect(_ server: String, as name: String = "ana", state: StatePlace = .memory)
        async -> Result<ListClient, ListError>
    {
        do throws(ListError) {
            return .success(
                try await ListClient.connect(to: server, credentials: .name(name), state: state))
        } catch {
            return .failure(error)
        }
    }

    private func code(_ result: Result<ListClient, ListError>) -> ListError.Code? {
        if case .failure(let error) = result { return error.code }
        return nil
    }

    @Test func `connecting returns once the server has answered`() async throws {
        let server = try server()
        let client = try await connect("ws://127.0.0.1:\(server.port)").get()
        #expect(client.connection == .online && client.trouble == nil)
        let list = try await client.open("todos", as: Todo.self, ifMissing: .create)
        client.goOffline()
        try list.append(Todo(title: "Milk"))
        guard case .offline(let since, 1, nil) = client.connection else {
            Issue.record("\(client.connection)")
            return
        }
        #expect(abs(since.timeIntervalSinceNow) < 60)
        client.goOnline()
        await until { client.connection == .online && list.pendingCount == 0 }
        server.stop()
        await until { if case .offline = client.connection { true } else { false } }
        client.stop()
        #expect(list.closeReason?.code == .closed)
    }

    @Test func `what cannot work says why`() async throws {
        #expect(code(await connect("no server")) == .badAddress)
        #expect(code(await connect("127.0.0.1:1", as: "")) == .badName)
        #expect(code(await connect("ws://127.0.0.1:1")) == .unreachable)
        #expect(code(await connect("ws://name.invalid:1")) == .unknownHost)
        let server = try server()
        #expect(code(await connect("wss://127.0.0.1:\(server.port)")) == .untrusted)
        let client = try await connect("127.0.0.1:\(server.port)").get()
        func thrown(_ body: () async throws(ListError) -> Void) async -> ListError.Code? {
            do { try await body() } catch { return error.code }
            return nil
        }
        #expect(
            await thrown { () throws(ListError) in
                _ = try await client.open("none", as: Todo.self)
            } == .noSuchList)
        #expect(
            await thrown { () throws(ListError) in
                _ = try await client.open("No List", as: Todo.self)
            } == .badName)
        #expect(
            await thrown { () throws(ListError) in try await client.delete("none") } == .noSuchList)
        client.stop()
        server.stop()
    }

    @Test func `a wait for a server that does not answer can be cancelled`() async throws {
        let client = try ListClient(
            connectingTo: ServerAddress("127.0.0.1:1") ?? .local, as: "ana", keepingStateIn: nil)
        let task = Task { try await client.open("todos", as: Todo.self) }
        task.cancel()
        await #expect { try await task.value } throws: {
            ($0 as? ListError)?.code == .cancelled
        }
        client.stop()
    }

    @Test func `with a copy of an earlier run, work begins without a server`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/samelist-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try server()
        let address = "ws://127.0.0.1:\(server.port)"
        let before = try await connect(address, state: .folder(folder)).get()
        let list = try await before.open("todos", as: Todo.self, ifMissing: .create)
        try await list.append(Todo(title: "Milk")).acknowledged()
        before.stop()
        server.stop()
        let after = try await connect(address, state: .folder(folder)).get()
        guard case .offline = after.connection else {
            Issue.record("\(after.connection)")
            return
        }
        #expect(after.trouble?.isTemporary == true)
        let copy = try await after.open("todos", as: Todo.self)
        #expect(copy.map(\.title) == ["Milk"])
        try copy.append(Todo(title: "Tea"))
        #expect(copy.pendingCount == 1)
        await #expect {
            try await after.open("another", as: Todo.self)
        } throws: {
            ($0 as? ListError)?.isTemporary == true
        }
        after.stop()
    }

    @Test func `a server that is about to end says so`() async throws {
        let server = try server()
        let client = try await connect("127.0.0.1:\(server.port)").get()
        server.drain { _ in }
        await until { if case .draining = client.connection { true } else { false } }
        client.stop()
        server.stop()
    }

    @Test func `every code of the pure parts has its word here, and words are stable`() {
        for code in ListModel.Code.allCases {
            switch code {
            case .noSuchAnchor, .numberReused, .notOpen, .helloFirst, .unknownMessage: break
            default: #expect(ListError.Code(code).rawValue == code.rawValue)
            }
        }
        #expect(Set(ListError.Code.allCases.map(\.rawValue)).count == ListError.Code.allCases.count)
        for code in ListError.Code.allCases {
            #expect(code.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F })
        }
    }

    @Test func `no more than so much waits for the server`() async throws {
        let server = try server()
        let client = try await connect("127.0.0.1:\(server.port)").get()
        let list = try await client.open("todos", as: Todo.self, ifMissing: .create)
        client.goOffline()
        let milk = try list.append(Todo(title: "Milk"))
        list.list.limits.pending = 10
        for n in 1..<10 { try list.update(milk.id) { $0.count = n } }
        let error = try #require(throws: ListError.self) {
            try list.update(milk.id) { $0.done = true }
        }
        #expect(error.code == .queueFull && error.isTemporary)
        client.stop()
        server.stop()
    }
}
