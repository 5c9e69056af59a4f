import ListModel
import PairHarness
import Testing

@testable import Terminal

@Suite("A row in a file") struct RowFileTests {
    private func text(_ fields: Fields) -> String { RowFile.text(of: fields, heading: "Row k7") }

    @Test func `it reads like the configuration`() {
        let row: Fields = ["title": "Order cable", "cups": 2, "note": "one\n\n  two", "done": true]
        let lines = text(row).split(separator: "\n", omittingEmptySubsequences: false).prefix(8)
        #expect(
            lines == [
                "title = Order cable", "cups = 2", "done = true", "note =", "    one", "",
                "      two", "",
            ])
    }

    private static let texts = [
        "", " ", "x", " padded ", "\"quoted\"", "\"", "2", "true", "null", "{}", "[1]", "=", "a=b",
        "# no comment", "\u{1B}[2J", "\u{202E}bidi", "\u{FEFF}mark", "one\ntwo", "\none", "one\n",
        "one\n\n\ntwo", "one\n \ntwo", "one\n\ttwo", "\r\n", "a\r\nb", "one\n# two\nthree = 3",
        "\u{301}accent", "one\n\u{301}two", "\u{A0}hard", "\u{2028}", "\u{85}", "日本語", "👩‍👩‍👧‍👦",
        "\\", "\\\"", "\"a\" b", String(repeating: "long ", count: 2_000) + ".",
    ]

    @Test func `every text comes back, as a title, a field and a name`() throws {
        for text in Self.texts {
            var row: Fields = ["title": .text(text), "note": .text(text)]
            if let name = FieldName(text) { row[name] = .text(text) }
            let written = self.text(row)
            #expect(try RowFile.fields(in: written) == row, "\(written)")
            #expect(try RowFile.fields(in: written.replacing("\n", with: "\r\n")) == row)
            let unsafe = written.unicodeScalars.filter { $0 != "\n" && $0 != "\t" }
                .filter(Printing.isUnsafe)
            #expect(unsafe.isEmpty)
        }
    }

    @Test(arguments: 1...30) func `random rows come back, and nothing is changed`(seed: UInt64)
        throws
    {
        var random = Randomness(seed: seed)
        let scalars: [Unicode.Scalar] = [
            "a", " ", "\n", "\t", "\r", "=", "\"", "\\", "#", "{", "1", "\u{301}", "\u{200D}", "é",
            "\u{1B}", ":", "'",
        ]
        for _ in 0..<200 {
            var row = Fields()
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let texts = (0..<2).map { _ in
                    String(
                        String.UnicodeScalarView(
                            (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
                                scalars.randomElement(using: &random)
                            }))
                }
                row[FieldName(texts[0]) ?? .title] = .text(texts[1])
            }
            let written = text(row)
            #expect(try RowFile.fields(in: written) == row, "\(written)")
            #expect(try RowFile.changes(from: written, to: written) == Fields())
        }
    }

    @Test func `values of every kind come back unchanged`() throws {
        let row: Fields = [
            "title": 42, "a": .double(0.5), "b": .array([1, "x"]), "c": .object(["d": .null]),
            "e": "2", "f": false,
        ]
        #expect(try RowFile.changes(from: text(row), to: text(row)) == Fields())
        let other = text(row).replacing("title = 42", with: "title = 43")
        #expect(try RowFile.changes(from: text(row), to: other) == ["title": "43"])
    }

    @Test func `what somebody changes is a change, and nothing else is`() throws {
        let old = text(["title": "Milk", "cups": 2, "note": "one\ntwo"])
        #expect(
            try RowFile.changes(
                from: old, to: "title=Oat milk\nnote = \n\tone\n   two\n\n  three\n")
                == ["title": "Oat milk", "note": "one\ntwo\n\nthree", "cups": .null])
        #expect(
            try RowFile.changes(from: old, to: "\u{FEFF}title =\ncups =\nnew = \"2\"\nnote=x")
                == ["title": "", "cups": .null, "new": "2", "note": "x"])
        #expect(try RowFile.changes(from: old, to: "# all gone\n\n") == Fields())
        #expect(try RowFile.changes(from: old, to: "") == Fields())
    }

    @Test(arguments: [
        ("title Milk", 1), ("title = Milk\n    more", 2), ("a = 1\na = 2", 2), (" = 2", 1),
        ("= 2", 1), ("\"open = 2", 1), ("a = 1\n\nnope", 3),
    ]) func `a line that is none is named`(text: String, line: Int) throws {
        let fault = #expect(throws: RowFile.Fault.self) { try RowFile.fields(in: text) }
        #expect(fault?.line == line)
    }
}
