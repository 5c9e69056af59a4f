import Foundation
import ListServer
import Storage
import Testing

@testable import Samelist

/// The program in README.md, as it stands there.
@MainActor
@Suite(.timeLimit(.minutes(4)))
struct ReadMeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test func `the program is that of Examples/ReadMe, and short`() throws {
        let program = try text("Examples/ReadMe/main.swift")
        #expect(try text("README.md").contains("```swift\n\(program)```"))
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 41)
    }

    @Test func `it shows a live list, an editor and the vanish notice`() async throws {
        var options = ServerOptions()
        options.port = 0
        let server = try Server(options) { InMemoryLogStorage() }
        defer { server.stop() }
        let address = "ws://127.0.0.1:\(server.port)"
        let process = Process()
        let output = Pipe()
        process.executableURL = try program()
        process.arguments = [address]
        process.standardOutput = output
        try process.run()
        defer { process.terminate() }

        let bob = try await ListClient.connect(to: address, credentials: .name("bob"))
        defer { bob.stop() }
        let todos = try await bob.open("todos", as: Todo.self, ifMissing: .create)
        await until { todos[0].done == true }
        let cable = try #require(todos[0].element?.id)
        // The server knows that it is being edited, so the editor is open.
        await until { todos.editors(of: cable).map(\.text) == ["ana"] }
        try await todos.remove(cable).acknowledged()
        await until { todos.first?.title == "Order 2 cables" }
        let saved = try #require(todos[0].element?.id)
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        let said = String(decoding: bytes, as: UTF8.self)
        #expect(
            said == """
                [x] Order cable
                Editing it. Now remove it elsewhere: samelist rm todos \(cable)
                "Order cable" is gone: it was removed by bob.
                Saved what was typed as \(saved): Order 2 cables

                """)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private func program() throws -> URL {
        let tests = URL(filePath: try #require(ProcessInfo.processInfo.arguments.first))
        return tests.deletingLastPathComponent().appending(path: "ReadMe")
    }
}
