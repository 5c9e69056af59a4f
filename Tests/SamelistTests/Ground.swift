import Foundation
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
