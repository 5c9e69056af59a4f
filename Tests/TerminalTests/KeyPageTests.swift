import Foundation
import Testing

@testable import Terminal

@Suite("docs/terminal.md") struct KeyPageTests {
    @Test func `the page has the keys of the help, in its order`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/terminal.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) }
        let keys = KeyHelp.keys.map(\.keys)
        #expect(rows.filter { keys.contains($0) } == keys)
    }
}
