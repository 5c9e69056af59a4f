import Foundation
import ListAuthority
import ListModel
import Testing

/// A file of the language that ../shared/transcripts/README.md describes.
struct Transcript: Sendable, CustomTestStringConvertible {
    let path: String
    let list: ListName
    let rows: [String]
    let history: History
    let steps: [Step]

    struct Step: Sendable {
        let number: Int
        let who: String
        let mark: Character
        let rest: String
    }

    var testDescription: String { path }

    init(_ file: URL, under folder: URL) throws {
        path = String(file.path.dropFirst(folder.path.count + 1))
        var list = "list"
        var rows: [String] = []
        var history = History.all
        var steps: [Step] = []
        let text = try String(contentsOf: file, encoding: .utf8)
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let head = line.prefix { $0 != " " }
            let rest = line.dropFirst(head.count).trimmingCharacters(in: .whitespaces)
            switch (head, steps.isEmpty) {
            case ("list", true): list = rest
            case ("row", true): rows.append(rest)
            case ("serve", true): history = try Self.history(rest)
            default:
                guard let mark = head.last, ">*<=:~".contains(mark) else {
                    throw Broken("\(path):\(index + 1): not a transcript line: \(line)")
                }
                steps.append(
                    Step(number: index + 1, who: String(head.dropLast()), mark: mark, rest: rest))
            }
        }
        guard let name = ListName(list) else { throw Broken("\(path): \(list) is no list name") }
        self.list = name
        self.rows = rows
        self.history = history
        self.steps = steps
    }

    private static func history(_ arguments: String) throws -> History {
        let words = arguments.split(separator: " ")
        guard words.count == 2, words[0] == "--history", let count = Int(words[1]) else {
            throw Broken("only --history N is known here, not \(arguments)")
        }
        return .entries(count)
    }
}

extension Transcript {
    /// Those kept here and, where this stands beside ../shared, those there.
    static let all: [Transcript] = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let own = tests.appending(path: "Transcripts")
        let shared = tests.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "shared/transcripts")
        return under(own) + under(shared)
    }()

    private static func under(_ folder: URL) -> [Transcript] {
        let walk = FileManager.default.enumerator(atPath: folder.path)
        var found: [Transcript] = []
        while let path = walk?.nextObject() as? String {
            guard path.hasSuffix(".transcript") else { continue }
            do {
                found.append(try Transcript(folder.appending(path: path), under: folder))
            } catch {
                Issue.record("\(error)")
            }
        }
        return found.sorted { $0.path < $1.path }
    }
}
