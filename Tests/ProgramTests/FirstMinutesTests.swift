import Foundation
import Testing

/// The recording in the README, played again.
@Suite("The first five minutes", .enabled(if: hasTmux)) struct FirstMinutesTests {
    /// What differs from run to run.
    private static func settled(_ text: String) -> String {
        text.replacing(/\d\d:\d\d:\d\d/, with: "TIME").replacing(/\b[a-z0-9]{8}\b/, with: "ID")
            .replacing(/retry in \d+ s/, with: "retry").replacing(/\ +/, with: " ")
    }

    /// The lines of the recording that programs wrote, and the commands.
    private static func recording() throws -> (said: [String], typed: [String]) {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let block = try #require(text.components(separatedBy: "```text\n").dropFirst().first)
        let lines = try #require(block.components(separatedBy: "\n```").first)
            .components(separatedBy: "\n").filter { !$0.isEmpty }
        let typed = lines.filter { $0.hasPrefix("bob$ ") }.map { String($0.dropFirst(5)) }
        let others = ["bob$ ", "ana$ ", "$ ", "samelistd ", "^C ", "      "]
        let said = lines.filter { line in !others.contains { line.hasPrefix($0) } }
        return (said, typed)
    }

    @Test func `the README tells them as they are`() throws {
        let (said, typed) = try Self.recording()
        #expect(said.count > 25 && typed.count == 5)
        let samelist = try SamelistProgram()
        var seen = ""
        // samelist rm LIST ID
        let recorded = typed[3].split(separator: " ")[3]
        var id = ""
        let bob = { (index: Int) in
            let line = typed[index].replacing(recorded, with: id)
            seen += try samelist.shell(line).output
        }
        try bob(0)
        try bob(1)
        let ana = try Screen(samelist)
        try ana.type("clear; samelist open incident-42 --as ana", "Enter")
        let look = { (text: String) in
            try ana.see(text)
            seen += try ana.text() + "\n"
        }
        try look("> [ ] Page on-call")
        try ana.type("jje", "C-u")
        try ana.type("Order 2 cables for rack 7")
        try look("rack 7")
        try bob(2)
        id = String(
            try samelist("ls", "incident-42", "--plain").lines.last?.prefix { $0 != "\t" } ?? "")
        try bob(3)
        try look("n save as new row")
        try ana.type("n")
        try look("Saved as new row")
        try bob(4)
        samelist.server.stop()
        try ana.see("offline since")
        try ana.type("u")
        try look("retry in")
        seen = Self.settled(seen)
        for line in said {
            let line = Self.settled(line)
            #expect(seen.contains(line), "\(line)")
        }
    }
}
