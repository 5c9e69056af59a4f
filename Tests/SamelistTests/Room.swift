import Foundation
import ListModel
import ListServer
import Observation
import Samelist
import SamelistTesting
import Testing

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

@MainActor
protocol RoomServer {
    func newClient(_ name: String) throws -> ListClient
    func kill()
    func startAgain() throws
    func end()
}

extension InMemoryServer: RoomServer {
    func newClient(_ name: String) throws -> ListClient { client(name) }
    func startAgain() { start() }
    func end() {}
}

/// A real server over real sockets, with a folder of its own.
@MainActor
final class SocketServer: RoomServer {
    private let folder: String
    private let port: UInt16
    private var server: Server

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/samelist-room-\(UUID())"
        server = try Self.serve(folder, on: 0)
        port = server.port
    }

    private static func serve(_ folder: String, on port: UInt16) throws -> Server {
        var options = ServerOptions()
        options.port = port
        return try Server(options, folder: folder)
    }

    func newClient(_ name: String) throws -> ListClient {
        let address = try #require(ServerAddress("ws://127.0.0.1:\(port)"))
        return try ListClient(connectingTo: address, as: name, keepingStateIn: nil)
    }

    func kill() { server.stop() }

    func startAgain() throws { server = try Self.serve(folder, on: port) }

    func end() {
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// Returns once it holds; what it reads must be observable. The suite's time limit ends a vain
/// wait.
@MainActor
func until(_ holds: @escaping @MainActor () -> Bool) async {
    for await _ in Observations({ holds() }) where holds() { return }
}
