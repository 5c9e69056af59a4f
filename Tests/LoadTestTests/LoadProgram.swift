import Foundation
import Testing

/// A program as it was built beside these tests, run to its end.
struct LoadProgram {
    let code: Int32
    let output: String
    let errors: String

    struct NotBuilt: Error { let path: String }

    static func path(_ name: String) throws -> URL {
        let tests = URL(fileURLWithPath: try #require(ProcessInfo.processInfo.arguments.first))
        let program = tests.deletingLastPathComponent().appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw NotBuilt(path: program.path)
        }
        return program
    }

    /// - Parameter temporary: where it makes its own folders.
    init(_ name: String, _ arguments: [String], temporary: URL? = nil) throws {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = try Self.path(name)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        if let temporary {
            process.environment = ProcessInfo.processInfo.environment.merging([
                "TMPDIR": temporary.path
            ]) { $1 }
        }
        try process.run()
        // Whatever hangs is ended, and then fails for what it did not do.
        let id = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 300) {
            if process.isRunning { kill(id, SIGTERM) }
        }
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        code = process.terminationStatus
        self.output = String(decoding: said, as: UTF8.self)
        self.errors = String(decoding: complained, as: UTF8.self)
    }

    /// What it printed as one object of JSON.
    func object() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }
}

/// What `samelist-load --json` said.
struct LoadResult {
    let program: LoadProgram
    let figures: [String: Double]
    let flaws: [String]
    let isProved: Bool

    init(_ arguments: String, server: UInt16? = nil, temporary: URL? = nil) throws {
        var words = arguments.split(separator: " ").map(String.init) + ["--json", "--quiet"]
        if let server { words += ["--server", "ws://127.0.0.1:\(server)"] }
        program = try LoadProgram("samelist-load", words, temporary: temporary)
        let object = try program.object()
        let figures = try #require(object["figures"] as? [String: Any])
        self.figures = figures.compactMapValues { ($0 as? NSNumber)?.doubleValue }
        flaws = try #require(object["flaws"] as? [String])
        isProved = object["proved"] as? Bool == true
    }

    subscript(name: String) -> Double { figures[name] ?? -1 }
}
