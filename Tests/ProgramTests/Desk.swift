import Foundation
import Testing

/// A server with a list of three rows, and screens on which people have it open.
struct Desk {
    let samelist: SamelistProgram

    init(_ rows: [(id: String, title: String)] = [("k7", "Milk"), ("m2", "Tea"), ("p9", "Jam")])
        throws
    {
        samelist = try SamelistProgram()
        var lines = ""
        for row in rows {
            let object: [String: Any] = ["id": row.id, "fields": ["title": row.title]]
            let bytes = try JSONSerialization.data(withJSONObject: object)
            lines += String(decoding: bytes, as: UTF8.self) + "\n"
        }
        if rows.isEmpty {
            try samelist("new", "food")
        } else {
            try samelist("import", "food", "-", "--format", "jsonl", "--create", input: lines)
        }
    }

    /// A person with the list on the whole screen.
    func screen(
        _ name: String = "ana", variables: [String: String] = [:], columns: Int = 80,
        lines: Int = 24, sees text: String = "online"
    ) throws -> Screen {
        let screen = try Screen(samelist, variables: variables, columns: columns, lines: lines)
        try open(on: screen, name, sees: text)
        return screen
    }

    func open(on screen: Screen, _ name: String = "ana", sees text: String = "online") throws {
        try screen.type("clear; samelist open food --as \(name); echo ended $?", "Enter")
        try screen.see(text)
    }

    /// The titles, as the server has them.
    func titles() throws -> [String] {
        try samelist("ls", "food", "--plain").lines.map {
            String($0.split(separator: "\t", omittingEmptySubsequences: false)[2])
        }
    }

    func bo(_ words: String...) throws { _ = try samelist.run(words + ["--as", "bo"]) }

    /// Until the server has these rows.
    func expect(_ titles: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let deadline = Date(timeIntervalSinceNow: 20)
        var seen: [String] = []
        repeat {
            seen = try self.titles()
            if seen == titles { return }
        } while Date() < deadline
        Issue.record("the server has \(seen)", sourceLocation: sourceLocation)
    }
}

extension Screen {
    /// Looks until a text is on the screen.
    func see(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expect({ $0.contains(text) }, sourceLocation: sourceLocation)
    }

    func see(no text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expect({ !$0.contains(text) }, sourceLocation: sourceLocation)
    }

    /// Until the selected row is this one.
    func see(selected title: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expect(
            { text in
                text.split(separator: "\n").contains { $0.hasPrefix(">") && $0.contains(title) }
            }, sourceLocation: sourceLocation)
    }

    /// The program has ended, with a status, and left the terminal as it was.
    func ended(_ status: Int32, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try see("ended \(status)\n$", sourceLocation: sourceLocation)
        try type("clear; stty -a | grep -oE ' -?(icanon|echo|icrnl)\\b' | tr -d '\\n'", "Enter")
        try see(" icrnl icanon echo$", sourceLocation: sourceLocation)
        #expect(try state().hasSuffix(" 0"), "the screen of its own is left")
    }
}
