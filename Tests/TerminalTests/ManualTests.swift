import Foundation
import ProgramArguments
import Testing

@testable import Terminal

@Suite("The manual") struct ManualTests {
    @Test func `samelist 1 is up to date: make man`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/man/samelist.1")
        #expect(try String(contentsOf: file, encoding: .utf8) == VerbHelp.manual)
    }

    @Test func `it tells every verb, flag and exit code`() {
        let page = VerbHelp.manual.replacing("\\-", with: "-")
        for verb in Verb.all {
            #expect(page.contains(".SS \"\(verb.name)"))
            for flag in verb.flags + Flag.everywhere { #expect(page.contains("--\(flag.name)")) }
        }
        for code in ExitCode.allCases { #expect(page.contains(".B \"\(code.rawValue)\"")) }
    }

    @Test func `no text can become a request of troff`() {
        let page = ManualPage(
            name: "x", section: 1, summary: "a-b", version: "1", synopsis: [".so /etc/passwd"],
            sections: [
                ("S", [.paragraph("'ft \\n"), .tagged("\"a\"", ".x"), .lines(["  .y", "-"])])
            ])
        #expect(page.text.contains("\n\\&.so /etc/passwd\n"))
        #expect(page.text.contains("\n\\&\\(aqft \\en\n"))
        #expect(page.text.contains("\n.B \"\\(dqa\\(dq\"\n\\&.x\n"))
        #expect(page.text.contains("\n\\&  .y\n\\-\n"))
    }
}
