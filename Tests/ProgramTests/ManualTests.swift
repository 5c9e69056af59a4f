import Foundation
import Testing

@Suite("The manual pages") struct ManualTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/man")

    private func output(_ program: String, _ words: [String]) throws -> (String, Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        try pipe.fileHandleForWriting.close()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }

    @Test(arguments: [("samelist", "samelist.1"), ("samelistd", "samelistd.8")])
    func `the programs print them: make man`(program: String, page: String) throws {
        let (text, status) = try output(Place.program(program).path, ["help", "man"])
        #expect(status == 0)
        let kept = try String(contentsOf: folder.appendingPathComponent(page), encoding: .utf8)
        #expect(text == kept)
    }

    @Test(
        .enabled(if: access("/usr/bin/groff", X_OK) == 0, "groff is not installed"),
        arguments: ["samelist.1", "samelistd.8"])
    func `troff finds nothing to warn of`(page: String) throws {
        let path = folder.appendingPathComponent(page).path
        let (said, status) = try output(
            "/usr/bin/groff", ["-ww", "-z", "-man", "-Tutf8", path])
        #expect(said == "")
        #expect(status == 0)
    }
}
