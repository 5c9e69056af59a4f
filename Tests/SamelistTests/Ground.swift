import Foundation
import ListServer
import Samelist
import SamelistTesting
import Testing

/// On what a test stands.
enum Ground: String, CaseIterable {
    /// `InMemoryServer`.
    case inMemory
    /// A real server over real sockets, with its lists on disk.
    case sockets

    /// That of the running test.
    @TaskLocal static var current = Ground.sockets

    @MainActor
    func serve() throws -> any RoomServer {
        switch self {
        case .inMemory: InMemoryServer()
        case .sockets: try SocketServer()
        }
    }
}

/// Runs each test of a suite on `InMemoryServer` and then on a real server, so that what users test
/// on the one holds on the other. SAMELIST_GROUND=inMemory, or =sockets, runs it on one of them.
struct BothGrounds: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await body() }
        let chosen = ProcessInfo.processInfo.environment["SAMELIST_GROUND"]
        for ground in Ground.allCases where chosen == nil || chosen == ground.rawValue {
            try await Ground.$current.withValue(ground) { try await body() }
        }
    }
}

extension Trait where Self == BothGrounds {
    static var onBothGrounds: BothGrounds { BothGrounds() }
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
