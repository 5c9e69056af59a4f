import Foundation
import ListServer
import Observation
import Samelist
import Storage
import Testing

/// The programs of Examples/, run as processes against a real server. What each says stands in its
/// `expected.txt`; with SAMELIST_EXPECT=write that is written anew.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct ExampleTests {
    @Test(arguments: ["Users", "Texts", "Todos", "Labels"])
    func `an example says what it is there to show`(_ name: String) async throws {
        let server = try Self.serve()
        defer { server.stop() }
        let run = try ExampleRun(name, "ws://127.0.0.1:\(server.port)")
        var output = ""
        for await line in run.lines { output += line + "\n" }
        #expect(run.exitCode == 0)
        try Self.compare(output, with: name)
    }

    @Test func `the program of the README tells who deleted what it edits, and saves the draft`()
        async throws
    {
        let server = try Self.serve()
        defer { server.stop() }
        let address = "ws://127.0.0.1:\(server.port)"
        let run = try ExampleRun("FirstSteps", address)
        let bo = try await ListClient.connect(to: address, credentials: .name("bo"))
        let todos = try await bo.open("todos", as: Todo.self, ifMissing: .create)
        await until { todos.count == 1 }
        let id = todos[0].id
        let editor = try todos.edit(id, policy: .live)
        await until { editor.others.map(\.text) == ["ana"] }
        try todos.remove(id)
        var said = ""
        for await line in run.lines {
            said += line.replacing(id.text, with: "ID") + "\n"
        }
        #expect(run.exitCode == 0)
        try Self.compare(said, with: "FirstSteps")
        bo.stop()
    }

    @Test func `the program of the README is that of Examples, of at most 40 lines`() throws {
        let readme = try String(
            contentsOf: Tree.examples.appending(path: "../README.md"), encoding: .utf8)
        let program = try String(
            contentsOf: Tree.examples.appending(path: "FirstSteps/main.swift"), encoding: .utf8)
        #expect(readme.contains("```swift\n\(program)```"))
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 41)
    }

    private struct Todo: ListElement {
        var id = ElementID.new()
        var title: String
    }

    private static func compare(_ output: String, with name: String) throws {
        let file = Tree.examples.appending(path: "\(name)/expected.txt")
        if ProcessInfo.processInfo.environment["SAMELIST_EXPECT"] == "write" {
            try output.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(output == (try String(contentsOf: file, encoding: .utf8)))
    }

    private static func serve() throws -> Server {
        var options = ServerOptions()
        options.port = 0
        return try Server(options) { InMemoryLogStorage() }
    }
}

/// Returns once it holds; what it reads must be observable.
@MainActor
private func until(_ holds: @escaping @MainActor () -> Bool) async {
    for await isSo in Observations({ holds() }) where isSo { return }
}

private enum Tree {
    static let examples = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples")
}

/// An example that runs as a process beside these tests.
private final class ExampleRun {
    /// What it prints; ends with the process.
    let lines: AsyncStream<String>
    private let process = Process()

    init(_ name: String, _ server: String) throws {
        let tests = URL(filePath: try #require(ProcessInfo.processInfo.arguments.first))
        process.executableURL = tests.deletingLastPathComponent()
            .appending(path: "\(name)Example")
        process.arguments = [server]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        try process.run()
        let handle = output.fileHandleForReading
        Thread.detachNewThread {
            var text = ""
            while case let data = handle.availableData, !data.isEmpty {
                text += String(decoding: data, as: UTF8.self)
                while let end = text.firstIndex(of: "\n") {
                    continuation.yield(String(text[..<end]))
                    text = String(text[text.index(after: end)...])
                }
            }
            continuation.finish()
        }
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Waits for its end.
    var exitCode: Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
