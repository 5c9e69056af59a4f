import ListModel
import ListProtocol
import Testing

/// Bytes that no honest peer sends: each gets its error, and the decoder goes on as if nothing
/// happened.
struct HostileInputTests {
    private let decoder = MessageDecoder(limits: Limits())

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]
        let code: Code
        let sentence: String
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], _ code: Code, _ sentence: String) {
            self.name = name
            self.bytes = bytes
            self.code = code
            self.sentence = sentence
        }

        init(_ name: String, _ text: String, _ code: Code, _ sentence: String) {
            self.init(name, Array(text.utf8), code, sentence)
        }

        /// A value of a field, in a message that is fine but for it.
        init(_ name: String, value: String, _ code: Code, _ sentence: String) {
            self.init(name, value: Array(value.utf8), code, sentence)
        }

        init(_ name: String, value: [UInt8], _ code: Code, _ sentence: String) {
            let head = #"{"t":"submit","list":"l","n":1,"ops":[{"set":"x","f":{"a":"#
            self.init(name, Array(head.utf8) + value + Array("}}]}".utf8), code, sentence)
        }
    }

    private static let hostile: [Case] = [
        Case("empty", "", .malformed, "is empty"),
        Case("blank", " \n\t ", .malformed, "is empty"),
        Case("an array", "[]", .malformed, "must be an object"),
        Case("a text", "\"hello\"", .malformed, "must be an object"),
        Case("two objects", #"{"t":"lists","r":1}{}"#, .malformed, "is not valid JSON"),
        Case("a trailing comma", #"{"t":"lists","r":1,}"#, .malformed, "is not valid JSON"),
        Case("a comment", #"{"t":"lists",/**/"r":1}"#, .malformed, "is not valid JSON"),
        Case(
            "a byte order mark", "\u{FEFF}{\"t\":\"lists\",\"r\":1}", .malformed,
            "is not valid JSON"),
        Case("a NUL behind", "{\"t\":\"lists\",\"r\":1}\0", .malformed, "is not valid JSON"),
        Case("a NUL in a text", value: "\"a\0b\"", .malformed, "control character"),
        Case("a line break in a text", value: "\"a\nb\"", .malformed, "control character"),
        Case("no kind", #"{"r":1}"#, .malformed, "\"t\" is missing"),
        Case(
            "an unknown kind", #"{"t":"frob","r":1}"#, .unknownMessage, "\"t\" is unknown: \"frob\""
        ),
        Case("a server's kind", #"{"t":"welcome"}"#, .unknownMessage, "\"welcome\""),
        Case("depth 10,000, arrays", value: deep("[", "]", 10_000), .malformed, "deeper than 64"),
        Case(
            "depth 10,000, objects", value: deep("{\"a\":", "}", 10_000, "1"), .malformed,
            "deeper than 64"),
        Case("depth 10,000, never closed", deep("[", "", 10_000), .malformed, "is not valid JSON"),
        Case("depth 65", value: deep("[", "]", 65), .malformed, "deeper than 64"),
        Case("2^64", value: "18446744073709551616", .malformed, "out of range"),
        Case("2^63", value: "9223372036854775808", .malformed, "beyond 64 signed bits"),
        Case("-2^63 - 1", value: "-9223372036854775809", .malformed, "out of range"),
        Case("1e400", value: "1e400", .malformed, "out of range"),
        Case("1e999999999999", value: "1e999999999999", .malformed, "out of range"),
        Case("NaN", value: "NaN", .malformed, "is not valid JSON"),
        Case("Infinity", value: "Infinity", .malformed, "is not valid JSON"),
        Case("-Infinity", value: "-Infinity", .malformed, "misspelt"),
        Case("a leading zero", value: "01", .malformed, "misspelt"),
        Case("a bare point", value: "1.", .malformed, "misspelt"),
        Case("hexadecimal", value: "0x1F", .malformed, "misspelt"),
        Case("two members of one name", value: #"{"b":1,"b":2}"#, .malformed, "member twice"),
        Case("the same name, escaped", value: #"{"b":1,"\u0062":2}"#, .malformed, "member twice"),
        Case(
            "the same name in an unknown member", #"{"t":"lists","r":1,"x":{"a":1,"a":1}}"#,
            .malformed, "member twice"),
        Case(
            "the same name, composed otherwise", value: "{\"\u{E9}\":1,\"e\u{301}\":2}", .malformed,
            "spelt in two ways"),
        Case("a lone high surrogate", value: #""\ud800""#, .malformed, "lone surrogate"),
        Case("a lone low surrogate", value: #""\udc00""#, .malformed, "lone surrogate"),
        Case("surrogates the wrong way", value: #""\udc00\ud800""#, .malformed, "lone surrogate"),
        Case("half an escape", value: #""\u12""#, .malformed, "bad escape"),
        Case("an overlong slash", value: [0x22, 0xC0, 0xAF, 0x22], .malformed, "valid UTF-8"),
        Case("an overlong NUL", value: [0x22, 0xE0, 0x80, 0x80, 0x22], .malformed, "valid UTF-8"),
        Case("an encoded surrogate", value: [0x22, 0xED, 0xA0, 0x80, 0x22], .malformed, "UTF-8"),
        Case("beyond Unicode", value: [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .malformed, "UTF-8"),
        Case("half a character", value: [0x22, 0xE2, 0x82, 0x22], .malformed, "valid UTF-8"),
    ]

    private static func deep(
        _ open: String, _ close: String, _ levels: Int, _ heart: String = ""
    ) -> String {
        String(repeating: open, count: levels) + heart + String(repeating: close, count: levels)
    }

    @Test(arguments: hostile) func `hostile bytes get their error`(hostile: Case) throws {
        let fault = Side.client.fault(of: hostile.bytes, by: decoder)
        #expect(fault?.code == hostile.code)
        #expect(fault?.sentence.contains(hostile.sentence) == true, "\(fault?.sentence ?? "none")")
        let server = Side.server.fault(of: hostile.bytes, by: decoder)
        #expect(server != nil)
        #expect(try decoder.decodeClientMessage(Array(#"{"t":"lists","r":1}"#.utf8)) == .lists(1))
    }

    @Test func `64 levels are fine, wherever a value stands`() throws {
        let value = try decoder.decodeValue(Array(Self.deep("[", "]", 64).utf8))
        let fields = Fields([.title: value])
        var samples = Samples(seed: 4)
        let submission = ClientMessage.submit(
            .init(
                list: samples.list(), n: samples.n(), heard: .zero,
                operations: [Operation(.set(samples.id(), fields), if: .init(fields: fields))]))
        #expect(
            try decoder.decodeClientMessage(MessageEncoder.encode(submission)) == submission)
        var entry = samples.entry()
        entry.operations = [.restore(samples.id(), fields)]
        let history = ServerMessage.history(1, samples.list(), [entry])
        #expect(try decoder.decodeServerMessage(MessageEncoder.encode(history)) == history)
    }

    @Test(arguments: Side.allCases)
    func `a message cut short at any byte is malformed`(side: Side) throws {
        for line in side.lines(of: try Goldens.read()) {
            let bytes = Array(line.utf8)
            for count in 0..<bytes.count {
                #expect(side.fault(of: Array(bytes[..<count]), by: decoder)?.code == .malformed)
            }
            #expect(side.fault(of: bytes, by: decoder) == nil)
        }
    }
}
