import Foundation
import Testing

struct Unexpected: Error {
    let what: String
    init(_ what: String) { self.what = what }
}

/// The program as it was built beside these tests, or that of `SAMELISTD`.
func samelistd() throws -> URL {
    if let path = ProcessInfo.processInfo.environment["SAMELISTD"] {
        return URL(fileURLWithPath: path)
    }
    let tests = URL(fileURLWithPath: try #require(ProcessInfo.processInfo.arguments.first))
    let program = tests.deletingLastPathComponent().appendingPathComponent("samelistd")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
        throw Unexpected("\(program.path) was not built")
    }
    return program
}

/// How a program that ran to its end did so.
struct Ended {
    let code: Int32
    let output: String
    let errors: String
}

/// A `samelistd` in a folder of its own, which goes away with it.
final class Daemon {
    let folder: URL
    private let ownsFolder: Bool
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private var read = ""

    /// - Parameters:
    ///   - folder: where it runs; a new one that goes away with it, if not given.
    ///   - errorFile: takes what it says on standard error, where that may be much.
    init(
        _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
        errorFile: FileHandle? = nil
    ) throws {
        self.folder = try folder ?? temporaryFolder()
        ownsFolder = folder == nil
        process.executableURL = try samelistd()
        process.arguments = arguments
        process.currentDirectoryURL = self.folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errorFile ?? errors
        // Or it would be waited for.
        if errorFile != nil { try errors.fileHandleForWriting.close() }
        try process.run()
        // Whatever hangs is ended, and then fails for what it did not do.
        let id = process.processIdentifier
        let process = process
        DispatchQueue.global().asyncAfter(deadline: .now() + 600) {
            if process.isRunning { kill(id, SIGKILL) }
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        if ownsFolder { try? FileManager.default.removeItem(at: folder) }
    }

    /// A server on a free port that says that it serves; the line in which it does, and the port.
    static func serving(
        _ arguments: [String] = [], in folder: URL? = nil, errorFile: FileHandle? = nil
    ) throws -> (daemon: Daemon, line: String, port: UInt16) {
        let daemon = try Daemon(
            ["serve", "--listen", "127.0.0.1:0"] + arguments, in: folder, errorFile: errorFile)
        let line = try daemon.line()
        guard let found = line.firstMatch(of: /wss?:\/\/127\.0\.0\.1:(\d+)/),
            let port = UInt16(found.1)
        else { throw Unexpected(line) }
        return (daemon, line, port)
    }

    /// Bytes of memory that it has.
    func memory() throws -> Int {
        let status = try String(
            contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        guard let found = status.firstMatch(of: /VmRSS:\s+(\d+) kB/), let count = Int(found.1)
        else { throw Unexpected(status) }
        return count << 10
    }

    func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// What it prints up to `mark`, a line if not given.
    func line(upTo mark: Character = "\n") throws -> String {
        while true {
            if let end = read.firstIndex(of: mark) {
                defer { read = String(read[read.index(after: end)...]) }
                return String(read[..<end])
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else {
                let errors = String(
                    decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
                throw Unexpected("it ended after \"\(read)\": \(errors)")
            }
            read += String(decoding: data, as: UTF8.self)
        }
    }

    /// The first line on standard error that is what is looked for.
    func errorLine(_ isIt: (String) -> Bool) throws -> String {
        var text = ""
        while true {
            let data = errors.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Unexpected("it never said so: \(text)") }
            text += String(decoding: data, as: UTF8.self)
            if let line = text.split(separator: "\n").map(String.init).first(where: isIt) {
                return line
            }
        }
    }

    /// Waits until it has ended by itself.
    func end() -> Ended {
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        let errors = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let code = process.terminationStatus
        return Ended(
            code: process.terminationReason == .exit ? code : 128 + code,
            output: read + String(decoding: rest, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self))
    }
}

/// Runs the program to its end.
func run(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
) throws -> Ended {
    try Daemon(arguments, in: folder, environment: environment).end()
}

func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("samelist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
}
