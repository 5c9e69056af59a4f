import Foundation
import Testing

@testable import Terminal

/// Something that happens to ana, and what she sees then.
struct Situation {
    let name: String
    let columns: Int
    let lines: Int
    let rows: [String]
    let play: (Table) throws -> Void

    init(
        _ name: String, _ columns: Int = 64, _ lines: Int = 10, rows: [String] = Table.usual,
        _ play: @escaping (Table) throws -> Void
    ) {
        self.name = name
        self.columns = columns
        self.lines = lines
        self.rows = rows
        self.play = play
    }

    func screen() throws -> String {
        let table = try Table(rows)
        _ = table.ana.frame(columns, lines)
        try play(table)
        let frame = table.ana.frame(columns, lines)
        #expect(FrameText.flaws(of: frame, columns, lines) == [], "\(name)")
        #expect(table.ana.frame(columns, lines) == frame, "\(name): looked at twice")
        return FrameText.text(of: frame, columns)
    }
}

/// The screens of a family of situations stand in one file of `Goldens`, to be read by people.
/// `SAMELIST_REGENERATE=1 swift test --filter ScreenTests` writes them; review the difference.
enum Goldens {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Goldens")

    static func check(_ family: String, _ situations: [Situation]) throws {
        let file = folder.appending(path: family + ".txt")
        var sections: [(name: String, screen: String)] = []
        for situation in situations { sections.append((situation.name, try situation.screen())) }
        #expect(Set(sections.map(\.name)).count == sections.count, "a name is there twice")
        if ProcessInfo.processInfo.environment["SAMELIST_REGENERATE"] == "1" {
            let text = sections.map { "## \($0.name)\n\($0.screen)\n" }.joined(separator: "\n")
            return try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let known = try read(file)
        for section in sections {
            let golden = known[section.name] ?? "nothing"
            #expect(section.screen == golden, "\(family): \(section.name)")
        }
        #expect(known.count == sections.count, "\(family) has screens of no situation")
    }

    private static func read(_ file: URL) throws -> [String: String] {
        let text = try String(contentsOf: file, encoding: .utf8)
        var known: [String: String] = [:]
        for section in text.components(separatedBy: "## ").dropFirst() {
            var lines = section.components(separatedBy: "\n")
            let name = lines.removeFirst()
            while lines.last == "" { lines.removeLast() }
            known[name] = lines.joined(separator: "\n")
        }
        return known
    }
}
