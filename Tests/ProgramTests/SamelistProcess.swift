import Foundation

/// A running `samelist` that is talked to line by line.
final class SamelistProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread: [UInt8] = []
    /// Event lines that came, oldest first.
    private(set) var events: [String] = []

    /// Seconds that a line may take.
    private static let patience = 20.0

    init(
        _ samelist: SamelistProgram, _ words: [String], variables: [String: String] = [:]
    ) throws {
        process.executableURL = Place.program("samelist")
        process.arguments = words
        process.environment = samelist.place.environment(server: samelist.server.url)
            .merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // Only the program has the end that it writes to, so that its end is the pipe's.
        try output.fileHandleForWriting.close()
    }

    deinit { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }

    /// Gives it a line, or several, and waits for nothing.
    func type(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8))
    }

    /// The answer to a command: its last line.
    @discardableResult
    func ask(_ command: String) throws -> String {
        try rows(of: command).last ?? ""
    }

    /// All lines of the answer to a command but events.
    func rows(of command: String) throws -> [String] {
        try type(command)
        var rows: [String] = []
        while true {
            let line = try line()
            if line.hasPrefix("* ") {
                events.append(line)
                continue
            }
            rows.append(line)
            if line.hasPrefix("ok") || line.hasPrefix("error") { return rows }
        }
    }

    /// The next event.
    func event() throws -> String {
        while events.isEmpty {
            let line = try line()
            guard line.hasPrefix("* ") else { throw Unexpected("\(line) is no event") }
            events.append(line)
        }
        return events.removeFirst()
    }

    /// The next line; throws at the end of the output, and where none comes in time.
    func line() throws -> String {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var source = pollfd(
                fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let left = Int32(max(0, deadline.timeIntervalSinceNow * 1_000))
            guard poll(&source, 1, left) > 0 else { throw Unexpected("no line came in time") }
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw Unexpected("the program ended") }
            unread.append(contentsOf: bytes)
        }
    }

    func signal(_ number: Int32) { Glibc.kill(process.processIdentifier, number) }

    /// Ends its input, and answers its exit code.
    func end() throws -> Int32 {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
