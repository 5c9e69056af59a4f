import ListModel
import Testing

@testable import Terminal

@Suite("Whole lists in files") struct FileFormatTests {
    static let rows = [
        FileRow(id: id("k7"), fields: ["title": "Milk", "done": true, "cups": 2]),
        FileRow(id: id("a,\"b"), fields: ["title": "say \"hi\", you", "n": "5", "e": ""]),
        FileRow(id: id("empty"), fields: [:]),
        FileRow(
            id: id("odd"),
            fields: [
                "title": "\u{1B}[31m\r\nline two\n", "o": .object(["b": .array([1, .null])]),
                "d": .double(0.1), "x": " padded ", "id": "field", "é": 1, "e\u{301}": 2,
                "quote": "\"", "bidi": "\u{202E}x",
            ]),
    ]

    @Test(arguments: [FileFormat.jsonl, .csv]) func `rows come back exactly`(format: FileFormat)
        throws
    {
        let plain = Self.rows.map { row in
            // JSON objects in memory take the two spellings of é for one name.
            FileRow(id: row.id, fields: row.fields.without(name("e\u{301}")))
        }
        #expect(try format.rows(of: format.text(of: plain)) == plain)
    }

    @Test func `two spellings of one accented name stay two`() throws {
        #expect(try FileFormat.csv.rows(of: FileFormat.csv.text(of: Self.rows)) == Self.rows)
    }

    @Test func `a check list keeps titles and boxes`() throws {
        let text = FileFormat.markdown.text(of: Self.rows)
        #expect(text.hasPrefix("- [x] Milk\n- [ ] say \"hi\", you\n- [ ] empty\n"))
        let rows = try FileFormat.markdown.rows(of: text)
        #expect(rows[0] == FileRow(id: nil, fields: ["title": "Milk", "done": true]))
        #expect(rows.count == 4)
    }

    @Test func `check lists are taken as people write them`() throws {
        let text = "# Food\r\n\r\n* [X] one\r\n  + two\n12) [ ] three\n-none\ntext\n- \n"
        let rows = try FileFormat.markdown.rows(of: text)
        #expect(rows.map(\.fields[.title]) == ["one", "two", "three"])
        #expect(rows.map(\.line) == [3, 4, 5])
        #expect(rows[0].fields[RowText.done] == true)
    }

    @Test func `JSON lines of other programs are taken`() throws {
        let rows = try FileFormat.jsonl.rows(of: "\n{\"title\":\"a\",\"n\":null}\r\n{\"v\":1}")
        #expect(rows == [FileRow(id: nil, fields: ["title": "a"]), FileRow(id: nil, fields: [:])])
        #expect(rows.map(\.line) == [2, 3])
    }

    @Test func `CSV of other programs is taken`() throws {
        let rows = try FileFormat.csv.rows(of: "\u{FEFF}title,id\n\"a\nb\",k\n,\n\nlast,\"z\"")
        #expect(
            rows == [
                FileRow(id: id("k"), fields: ["title": "a\nb"]),
                FileRow(id: id("z"), fields: ["title": "last"]),
            ])
        #expect(rows.map(\.line) == [2, 6])
        // Found by Tests/Fuzzing: a row of no cell was one that was not written again.
        #expect(try FileFormat.csv.rows(of: "id,ti\n\n,\n,\"\"\n,x\n,,,\n").map(\.line) == [5])
    }

    static let malformed: [(FileFormat, String, Int)] = [
        (.jsonl, "{\"id\":\"a\"}\n{\"id\":\"a b\"}\n", 2), (.jsonl, "[]\n", 1),
        (.jsonl, "{\"id\":5}", 1), (.jsonl, "{}\n\n{", 3), (.jsonl, "{\"\":1}", 1),
        (.jsonl, "{\"a\":1,\"a\":2}", 1), (.csv, "id,title\na,b,c\n", 2),
        (.csv, "id,title\na,\"b\n", 2), (.csv, "id,title\na,\"b\"c\n", 2),
        (.csv, "id,title\nx,a\"b\n", 2), (.csv, "id,\n", 1), (.csv, "id\n\"a b\"\n", 2),
    ]

    @Test(arguments: malformed) func `a line that is none is named`(
        format: FileFormat, text: String, line: Int
    ) {
        let fault = #expect(throws: MalformedLine.self) { try format.rows(of: text) }
        #expect(fault?.line == line)
    }

    @Test func `the format goes by the file's name`() {
        #expect(FileFormat(fileName: "a.b.CSV") == .csv)
        #expect(FileFormat(fileName: "x.md") == .markdown)
        #expect(FileFormat(fileName: "x.ndjson") == .jsonl)
        #expect(FileFormat(fileName: "csv.txt") == nil)
    }
}

extension Fields {
    fileprivate func without(_ name: FieldName) -> Fields {
        var fields = self
        fields[name] = nil
        return fields
    }
}
