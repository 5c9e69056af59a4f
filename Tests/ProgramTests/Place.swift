import Foundation

/// A folder of a test's own, gone with it, and the programs that were built beside the tests.
final class Place: Sendable {
    let folder: URL
    private static let programs = URL(fileURLWithPath: "/proc/self/exe")
        .resolvingSymlinksInPath().deletingLastPathComponent()

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("samelist-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> URL { folder.appendingPathComponent(name) }

    static func program(_ name: String) -> URL { programs.appendingPathComponent(name) }

    /// The surroundings of a user who has only this folder.
    func environment(server: String) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        for name in environment.keys where name.hasPrefix("SAMELIST_") { environment[name] = nil }
        environment["HOME"] = folder.path
        environment["XDG_STATE_HOME"] = path("state").path
        environment["SAMELIST_SERVER"] = server
        environment["TERM"] = "dumb"
        environment["LC_ALL"] = "C.UTF-8"
        return environment
    }
}

/// A server on a free port, ended with the test.
final class TestServer: @unchecked Sendable {
    // because a test, which alone changes it, uses it from one thread at a time.
    let place: Place
    private var process = Process()
    private(set) var port = 0

    init(in place: Place) throws {
        self.place = place
        try start()
    }

    deinit { stop() }

    /// Its process.
    var number: Int32 { process.processIdentifier }

    var url: String { "ws://127.0.0.1:\(port)" }

    func start() throws {
        process = Process()
        process.executableURL = Place.program("samelistd")
        process.arguments = [
            "serve", "--listen", "127.0.0.1:\(port)", "--data", place.path("data").path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = ""
        while !line.contains("\n") {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw Unexpected("the server ended: \(line)") }
            line += String(decoding: bytes, as: UTF8.self)
        }
        guard let found = line.firstMatch(of: /ws:\/\/127\.0\.0\.1:(\d+)/),
            let port = Int(found.1)
        else { throw Unexpected(line) }
        self.port = port
    }

    func stop() {
        guard process.isRunning else { return }
        goOn()
        process.terminate()
        process.waitUntilExit()
    }

    /// It accepts connections and says nothing, until it is let go on.
    func hang() { Glibc.kill(process.processIdentifier, SIGSTOP) }

    func goOn() { Glibc.kill(process.processIdentifier, SIGCONT) }

    /// As in a power cut.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
