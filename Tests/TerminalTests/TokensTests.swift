import ListModel
import Testing

@testable import Terminal

@Suite("Words and values of a command") struct TokensTests {
    @Test func `spaces part words, but not within quotes`() {
        #expect(Tokens.split("a  b\tc") == ["a", "b", "c"])
        #expect(Tokens.split("x=\"a b\" c") == ["x=\"a b\"", "c"])
        #expect(Tokens.split("x=\"say \\\"hi\\\"\"") == ["x=\"say \\\"hi\\\"\""])
        #expect(Tokens.split("") == [])
        #expect(Tokens.split("\"open") == nil)
    }

    static let values: [(String, Value)] = [
        ("2", 2), ("-0.5", .double(-0.5)), ("true", true), ("null", .null), ("\"2\"", "2"),
        ("plain", "plain"), ("two words", "two words"), ("", ""), ("1e999", "1e999"),
        ("[1,2]", .array([1, 2])), ("{\"a\":1}", .object(["a": 1])), ("{bad", "{bad"),
        (#""C:\dir name""#, #"C:\dir name"#), (#""C:\a\\b \"q\"""#, #"C:\a\b "q""#),
        ("\"a\tb\"", "a\tb"), (#""a"b"#, #""a"b"#), (#"""#, #"""#), (#""a\""#, #""a\""#),
        (#""a" "b""#, #""a" "b""#), ("0x10", "0x10"), ("01", "01"), ("True", "True"),
    ]

    @Test(arguments: values) func `a value is JSON where it is JSON`(text: String, value: Value) {
        #expect(Tokens.value(text) == value)
    }

    static let spelt: [Value] = [
        "\u{1B}", "a\nb", "\"quoted\"", "\"C:\\dir\"", "\"", " 5", "5 ",
    ]

    @Test(arguments: values.map(\.1) + spelt)
    func `a value reads back from its spelling`(value: Value) {
        #expect(Tokens.value(Tokens.spelling(of: value)) == value)
    }

    @Test func `an assignment has a name`() {
        #expect(Tokens.assignment("a=b=c")?.1 == "b=c")
        #expect(Tokens.assignment("a=")?.1 == "")
        #expect(Tokens.assignment("\"two words\"=1")?.0 == name("two words"))
        #expect(Tokens.assignment("=1") == nil)
        #expect(Tokens.assignment("none") == nil)
    }
}
