import Foundation
import Observation

@testable import Samelist

/// One server, and the clients in it.
@MainActor
final class Room {
    let milk = Fresh.element()
    let oat = Fresh.element()
    private let ground = Ground.current
    private var server: (any RoomServer)?
    private var clients: [ListClient] = []

    isolated deinit {
        for client in clients { client.stop() }
        server?.end()
    }

    func client(_ name: String) throws -> ListClient {
        let server = try server ?? ground.serve()
        self.server = server
        let client = try server.newClient(name)
        clients.append(client)
        return client
    }

    /// A client that nobody but the caller holds.
    func fleeting(_ name: String) throws -> ListClient {
        let server = try server ?? ground.serve()
        self.server = server
        return try server.newClient(name)
    }

    /// A list as one client has it; the first one makes it.
    func list<Item: ListElement>(
        as name: String = "ana", _ list: String = "todos", of type: Item.Type = Item.self
    ) async throws -> LiveList<Item> {
        try await client(name).open(list, as: type, ifMissing: .create)
    }

    /// Ana's and bob's copy of one list.
    func two() async throws -> (OpenList, OpenList) {
        let ana = try await client("ana").open("food", create: true)
        let bob = try await client("bob").open("food")
        return (ana, bob)
    }

    /// Ends the server without a word to anybody.
    func killServer() { server?.kill() }

    func startServer() throws { try server?.startAgain() }
}

/// Returns once it holds; what it reads must be observable. The suite's time limit ends a vain
/// wait.
@MainActor
func until(_ holds: @escaping @MainActor () -> Bool) async {
    for await _ in Observations({ holds() }) where holds() { return }
}

struct Todo: ListElement, Hashable {
    var id = ElementID.new()
    var title: String
    var done = false
    var owner: String?
    var count = 0

    static var defaults: Todo? { Todo(title: "") }
}

struct Numbered: ListElement {
    var id: Int
    var title: String
}

struct Unique: ListElement {
    var id = UUID()
    var title: String
}
