import Foundation
import ListServer
import Storage
import Testing

/// The programs of Examples/, run as processes against a real server. What each says stands in its
/// `expected.txt`; with SAMELIST_EXPECT=write that is written anew.
@Suite(.timeLimit(.minutes(2)))
struct ExampleTests {
    @Test(arguments: ["Users", "Texts", "Todos", "Labels", "Row"])
    func `an example says what it is there to show`(_ name: String) throws {
        var options = ServerOptions()
        options.port = 0
        let server = try Server(options) { InMemoryLogStorage() }
        defer { server.stop() }
        let output = try run(name, "ws://127.0.0.1:\(server.port)")
        let file = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Examples/\(name)/expected.txt")
        if ProcessInfo.processInfo.environment["SAMELIST_EXPECT"] == "write" {
            try output.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(output == (try String(contentsOf: file, encoding: .utf8)))
    }

    /// Runs the program that was built beside these tests, to its end.
    private func run(_ name: String, _ server: String) throws -> String {
        let tests = URL(filePath: try #require(ProcessInfo.processInfo.arguments.first))
        let process = Process()
        process.executableURL = tests.deletingLastPathComponent()
            .appending(path: "\(name)Example")
        process.arguments = [server]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // One that hangs is ended, and then fails for what it did not say.
        let id = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 90) {
            if process.isRunning { kill(id, SIGKILL) }
        }
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: said, as: UTF8.self)
    }
}
