import Foundation
import ListModel
import ListProtocol
import Storage
import Testing
import Threads
import WebSockets

@testable import ListServer

/// A folder that goes away with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("samelist-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Every file but locks, with its bytes.
    func contents() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where !name.hasSuffix(".lock") {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
        }
        return files
    }
}

/// Servers on a free port, and the loop of their clients; all ended with its last reference.
final class Bench: Sendable {
    let loop: EventLoop
    private let running = Locked<[Server]>([])

    init() throws { loop = try EventLoop() }

    deinit {
        loop.stop()
        for server in running.withLock({ $0 }) { server.stop() }
    }

    /// A server over an in-memory store with faults to plant, or over what `open` opens.
    func server(
        _ configure: (inout ServerOptions) -> Void = { _ in },
        open: () throws(StorageError) -> sending any LogStorage
    ) throws -> Server {
        var options = ServerOptions()
        options.port = 0
        // Tests that wait for others may hold all threads up for long.
        options.bounds["hello-seconds"] = 600
        configure(&options)
        let server = try Server(options, limits: options.limits, open: open)
        running.withLock { $0.append(server) }
        return server
    }

    func server(
        in folder: TemporaryFolder, _ configure: (inout ServerOptions) -> Void = { _ in }
    ) throws -> Server {
        try server(configure) { () throws(StorageError) in
            try SQLiteLogStorage.open(folder: folder.path)
        }
    }

    /// Ends a server with this.
    func keep(_ server: Server) { running.withLock { $0.append(server) } }

    func server(_ faults: StorageFaults = StorageFaults()) throws -> Server {
        try server { InMemoryLogStorage(faults: faults) }
    }

    /// A client that has said hello and been welcomed.
    func client(
        _ name: String, token: String? = nil, of server: Server, id: String? = nil
    ) async throws -> TestClient {
        let client = TestClient(loop, port: server.port)
        #expect(try await client.event() == .opened)
        client.send(
            .hello(
                ClientMessage.Hello(
                    client: try #require(ClientID(id ?? name)),
                    name: try #require(UserName(name)), token: token)))
        let answer = try await client.next()
        guard case .welcome = answer else { throw Unexpected("no welcome for \(name): \(answer)") }
        return client
    }
}

struct Unexpected: Error {
    let what: String
    init(_ what: String) { self.what = what }
}

let todo = name("todo")

/// The name of a list, known to be one.
func name(_ text: String) -> ListName {
    guard let name = ListName(text) else { preconditionFailure("\(text) names no list") }
    return name
}

func id(_ text: String) throws -> ElementID { try #require(ElementID(text)) }

func titled(_ text: String) -> Fields { Fields([.title: .text(text)]) }

func insert(_ text: String, at place: Place = .last) throws -> ListModel.Operation {
    ListModel.Operation(.insert(try id(text), at: place, titled("Title of \(text)")))
}

func submission(
    _ n: UInt64, _ operations: [ListModel.Operation], to list: ListName = todo, heard: UInt64 = 0
) -> ClientMessage {
    .submit(
        ClientMessage.Submission(
            list: list, n: MutationNumber(n), heard: MutationNumber(heard),
            operations: operations))
}
