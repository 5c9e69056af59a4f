import ListModel
import ListProtocol
import Testing

@testable import Terminal

@Suite("What other people wrote cannot steer a terminal") struct PrintingTests {
    static let hostile = [
        "\u{1B}[31mred", "bell\u{7}", "\u{9B}2J", "back\u{8}", "\u{202E}txt.exe", "a\u{2066}b",
        "line\nbreak", "\r over", "\u{200F}", "\u{FEFF}", "\u{E0041}", "\u{0}", "del\u{7F}",
        "\u{2028}", "tab\t",
    ]

    @Test(arguments: hostile) func `every spelling is safe`(text: String) {
        let fields: Fields = ["title": .text(text)]
        let element = Element(
            id: id("a"), fields: fields, version: .zero, placed: .zero, by: user("ana"),
            at: .zero)
        let row = RowText(element: element)
        let line = Line.row([.word(text, as: "id"), .fields(fields), .sentence(text)])
        let spelt = [
            Printing.masked(text), Printing.word(text), Printing.json(.text(text)), line.plain,
            line.json, row.line(RowText.Widths([row])), RowText.quoted(fields, id("a")),
            ShellQuoting.quoted(fields), Printing.object(row.members),
        ]
        for spelling in spelt {
            #expect(!spelling.unicodeScalars.contains(where: Printing.isUnsafe), "\(spelling)")
        }
        let columns = row.plain.split(separator: "\t", omittingEmptySubsequences: false)
        #expect(columns.count == 3)
    }

    @Test(arguments: hostile) func `JSON reads back as what it was`(text: String) throws {
        let value = Value.object(["x": .array([.text(text), .null, 1])])
        let bytes = Array(Printing.json(value).utf8)
        #expect(try MessageDecoder(limits: Limits()).decodeValue(bytes) == value)
    }

    @Test func `harmless text stays as it is`() {
        for text in ["Milk", "Käse", "日本", "👩‍👩‍👧", "e\u{301}", "עברית"] {
            #expect(Printing.masked(text) == text)
            #expect(Printing.word(text) == text)
        }
        #expect(Printing.word("two words") == "\"two words\"")
        #expect(Printing.word("") == "\"\"")
    }

    @Test func `a place is a word in JSON, and a flag where it is typed`() {
        let line = Line.row(Operation(.move([id("a")], to: .after(id("b")))).parts)
        #expect(line.plain == "move a --after b")
        #expect(line.json.contains("\"place\":\"after\"") && line.json.contains("\"anchor\":\"b\""))
    }

    @Test func `columns are those of the terminal`() {
        #expect(Columns.width(of: "abc") == 3)
        #expect(Columns.width(of: "日本") == 4)
        #expect(Columns.width(of: "e\u{301}") == 1)
        #expect(Columns.width(of: "हिन्दी") == 5)
        #expect(Columns.width(of: "👩‍👩‍👧‍👦") == 2)
        #expect(Columns.width(of: "👍🏽") == 2)
        #expect(Columns.padded("日", 4) == "日  ")
        #expect(Columns.cut("Order cable", to: 6) == "Order…")
        #expect(Columns.cut("日本語", to: 4) == "日…")
        #expect(Columns.cut("short", to: 5) == "short")
    }

    @Test func `a line has one shape plainly and one as JSON`() {
        let error = Line.error("removed", "k7 was deleted by bo")
        #expect(error.plain == "error removed k7 was deleted by bo")
        #expect(
            error.json
                == #"{"v":1,"ok":false,"code":"removed","sentence":"k7 was deleted by bo"}"#)
        let event = Line.event(
            "conflict",
            [
                .word("k7", as: "id"), .word("title", as: "field"), .value("a b", as: "mine"),
                .by(user("bo")),
            ])
        #expect(event.plain == #"* conflict k7 title mine="a b" by bo"#)
        #expect(
            event.json
                == #"{"v":1,"event":"conflict","id":"k7","field":"title","mine":"a b","by":"bo"}"#)
        #expect(Line.ok(.number(3, as: "count")).plain == "ok 3")
    }

    @Test func `words for a shell survive its reading`() {
        #expect(ShellQuoting.quoted("k7") == "k7")
        #expect(ShellQuoting.quoted("it's") == "'it'\\''s'")
        #expect(ShellQuoting.quoted("$HOME") == "'$HOME'")
        #expect(ShellQuoting.quoted("") == "''")
        let fields: Fields = ["n": "5", "done": .null, "title": "a b", "x": "\n"]
        #expect(
            ShellQuoting.quoted(fields) == #"done=null 'n="5"' 'title=a b' 'x="\n"'"#)
    }
}
