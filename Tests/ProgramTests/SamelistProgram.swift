import Foundation
import Testing

/// `samelist` as a user calls it, against a server of the test's own.
struct SamelistProgram {
    let place: Place
    let server: TestServer

    struct Result {
        let status: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// Its lines as JSON objects, each of version 1.
        func objects(_ text: String) throws -> [[String: Any]] {
            try text.split(separator: "\n").map { line in
                let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
                let object = try #require(value as? [String: Any], "\(line)")
                #expect(object["v"] as? Int == 1)
                return object
            }
        }

        var objects: [[String: Any]] { get throws { try objects(output) } }
        var faults: [[String: Any]] { get throws { try objects(errors) } }
    }

    init() throws {
        place = try Place()
        server = try TestServer(in: place)
    }

    @discardableResult
    func callAsFunction(
        _ words: String..., input: String = "", variables: [String: String] = [:]
    ) throws -> Result {
        try run(words, input: input, variables: variables)
    }

    /// Runs it to its end, which comes within a minute.
    func run(
        _ words: [String], input: String = "", variables: [String: String] = [:]
    ) throws -> Result {
        let name = UUID().uuidString
        let (typed, said, told) = (
            place.path(name + ".in"), place.path(name + ".out"), place.path(name + ".err")
        )
        try Data(input.utf8).write(to: typed)
        for file in [said, told] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["60", Place.program("samelist").path] + words
        process.environment = place.environment(server: server.url).merging(variables) { $1 }
        process.currentDirectoryURL = place.folder
        process.standardInput = try FileHandle(forReadingFrom: typed)
        process.standardOutput = try FileHandle(forWritingTo: said)
        process.standardError = try FileHandle(forWritingTo: told)
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: said), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: told), as: UTF8.self))
    }

    /// Runs a line of a POSIX shell in which `samelist` is known.
    func shell(_ line: String) throws -> Result {
        let said = place.path(UUID().uuidString)
        try Data().write(to: said)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", line]
        var environment = place.environment(server: server.url)
        let folder = Place.program("samelist").deletingLastPathComponent().path
        environment["PATH"] = folder + ":" + (environment["PATH"] ?? "")
        process.environment = environment
        process.currentDirectoryURL = place.folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: said)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: said), as: UTF8.self), errors: "")
    }
}
