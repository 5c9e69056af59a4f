import ListServer
import Observation
import Storage

@testable import Samelist

/// One server, and the clients in it.
@MainActor
final class Room {
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
        let address = ServerAddress("ws://127.0.0.1:\(server.port)") ?? .local
        let client = try ListClient(connectingTo: address, as: name, keepingStateIn: nil)
        clients.append(client)
        return client
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
}
