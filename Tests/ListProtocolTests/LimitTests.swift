import ListModel
import ListProtocol
import Testing

/// What goes beyond a limit is told with the number, and with what the message was about.
struct LimitTests {
    private let decoder = MessageDecoder(limits: Limits())

    private func fault(of text: String) -> DecodingFault? {
        Side.client.fault(of: Array(text.utf8), by: decoder)
    }

    private func submit(_ operations: String) -> DecodingFault? {
        fault(of: #"{"t":"submit","list":"food","n":9,"ops":["# + operations + "]}")
    }

    private func many(_ count: Int, _ make: (Int) -> String) -> String {
        (0..<count).map(make).joined(separator: ",")
    }

    private func expect(
        _ fault: DecodingFault?, _ code: Code, _ sentence: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(fault?.code == code, sourceLocation: location)
        #expect(fault?.sentence == sentence, sourceLocation: location)
    }

    @Test func `a message of 1 MiB is read, one byte more is too large`() {
        let head = #"{"t":"lists","r":1"#
        let room = (1 << 20) - head.utf8.count - 1
        #expect(fault(of: head + String(repeating: " ", count: room) + "}") == nil)
        expect(
            fault(of: head + String(repeating: " ", count: room + 1) + "}"), .tooLarge,
            "the JSON takes 1048577 bytes; the limit is 1048576")
    }

    @Test func `operations of a mutation are counted`() {
        #expect(submit(many(1_000) { #"{"delete":"k\#($0)"}"# }) == nil)
        let fault = submit(many(1_001) { #"{"delete":"k\#($0)"}"# })
        expect(fault, .tooMany, "\"ops\" holds 1001; the limit is 1000")
        #expect(fault?.list == ListName("food") && fault?.n == MutationNumber(9))
    }

    @Test func `elements of a move are counted`() {
        #expect(submit(#"{"move":["# + many(1_000) { "\"k\($0)\"" } + "]}") == nil)
        expect(
            submit(#"{"move":["# + many(1_001) { "\"k\($0)\"" } + "]}"), .tooMany,
            "\"ops[0].move\" holds 1001; the limit is 1000")
    }

    @Test func `fields are counted, also where there are very many`() {
        func insert(_ count: Int) -> String {
            #"{"insert":"x","f":{"# + many(count) { "\"a\($0)\":1" } + "}}"
        }
        #expect(submit(insert(64)) == nil)
        for count in [65, 50_000] {
            expect(
                submit(insert(count)), .tooMany,
                "\"ops[0].f\" holds \(count) fields; the limit is 64")
        }
    }

    @Test func `fields are measured as they are written`() {
        func set(_ count: Int) -> String {
            #"{"set":"x","f":{"a":""# + String(repeating: "m", count: count) + "\"}}"
        }
        #expect(submit(set(65_528)) == nil)
        expect(
            submit(set(65_529)), .tooLarge, "\"ops[0].f\" takes 65537 bytes; the limit is 65536")
        // Numbers grow when they are written out.
        let grown = submit(#"{"set":"x","f":{"a":["# + many(5_000) { _ in "1e15" } + "]}}")
        #expect(grown?.code == .tooLarge)
        // Escapes shrink.
        let escaped = String(repeating: "\\u0061", count: 65_528)
        #expect(submit(#"{"set":"x","f":{"a":""# + escaped + "\"}}") == nil)
    }

    @Test func `elements under editors and in questions are counted`() {
        let ids = many(1_001) { "\"k\($0)\"" }
        expect(
            fault(of: #"{"t":"presence","list":"food","editing":["# + ids + "]}"), .tooMany,
            "\"editing\" holds 1001; the limit is 1000")
        expect(
            fault(of: #"{"t":"open","list":"food","editing":["# + ids + "]}"), .tooMany,
            "\"editing\" holds 1001; the limit is 1000")
        expect(
            fault(of: #"{"t":"fates","r":3,"list":"food","ids":["# + ids + "]}"), .tooMany,
            "\"ids\" holds 1001; the limit is 1000")
    }

    @Test func `titles are measured`() {
        let title = String(repeating: "é", count: 513)
        expect(
            fault(of: #"{"t":"create","r":1,"list":"food","title":"\#(title)"}"#), .tooLarge,
            "\"title\" takes 1026 bytes; the limit is 1024")
        expect(
            submit(#"{"describe":{"title":"\#(title)"}}"#), .tooLarge,
            "\"ops[0].describe.title\" takes 1026 bytes; the limit is 1024")
    }

    @Test(arguments: [
        (#"{"t":"close","list":"No"}"#, "list"),
        (#"{"t":"close","list":""}"#, "list"),
        (#"{"t":"hello","v":1,"client":"a b","name":"ana"}"#, "client"),
        (#"{"t":"hello","v":1,"client":"a","name":"a\u0007"}"#, "name"),
        (#"{"t":"fates","r":1,"list":"food","ids":["a","b c"]}"#, "ids[1]"),
        (#"{"t":"submit","list":"food","n":1,"ops":[{"delete":"é"}]}"#, "ops[0].delete"),
        (#"{"t":"submit","list":"food","n":1,"ops":[{"set":"x","f":{"":1}}]}"#, "ops[0].f"),
        (
            #"{"t":"submit","list":"food","n":1,"ops":[{"delete":"x","at":"a"},{"restore":""}]}"#,
            "ops[1].restore"
        ),
    ])
    func `a name that breaks its rule is a bad name`(text: String, path: String) {
        let fault = fault(of: text)
        #expect(fault?.code == .badName)
        #expect(fault?.path == path)
    }

    @Test(arguments: [
        (#"{"t":"close","list":"@"}"#, "list"),
        (#"{"t":"hello","v":1,"client":"@","name":"ana"}"#, "client"),
        (#"{"t":"hello","v":1,"client":"a","name":"@"}"#, "name"),
        (#"{"t":"fates","r":1,"list":"food","ids":["a","@"]}"#, "ids[1]"),
        (#"{"t":"submit","list":"food","n":1,"ops":[{"insert":"@","f":{}}]}"#, "ops[0].insert"),
        (#"{"t":"submit","list":"food","n":1,"ops":[{"set":"x","f":{"@":1}}]}"#, "ops[0].f"),
        (
            #"{"t":"submit","list":"food","n":1,"ops":[{"move":["x"],"at":{"after":"@"}}]}"#,
            "ops[0].at.after"
        ),
    ])
    func `a name takes 64 bytes and not one more`(template: String, path: String) {
        func text(_ count: Int) -> String {
            template.replacing("@", with: String(repeating: "k", count: count))
        }
        #expect(fault(of: text(64)) == nil)
        for count in [65, 1_000, 500_000] {
            let fault = fault(of: text(count))
            #expect(fault?.code == .badName && fault?.path == path, "\(count) bytes")
            #expect(fault?.sentence.utf8.count ?? .max < 300, "it does not repeat the name")
        }
    }

    @Test(arguments: [
        "0", "-1", "1.0", "1e3", "9223372036854775808", "18446744073709551615", "1e400", "\"1\"",
        "true", "[]", "{}",
    ])
    func `a number that does not count mutations is malformed`(number: String) {
        let fault = fault(of: #"{"t":"submit","list":"food","n":\#(number),"ops":[]}"#)
        // Whoever counts from 0 hears of that number.
        #expect(fault?.code == .malformed && fault?.n == (number == "0" ? .zero : nil))
    }

    @Test func `the greatest numbers are read, and come back as they were`() throws {
        let line =
            #"{"t":"submit","list":"food","n":9223372036854775807,"#
            + #""heard":9223372036854775806,"ops":[{"delete":"x"}]}"#
        let message = try decoder.decodeClientMessage(Array(line.utf8))
        #expect(String(decoding: MessageEncoder.encode(message), as: UTF8.self) == line)
    }

    @Test(arguments: [
        (#"{"delete":"x","restore":"x"}"#, "\"ops[0]\" has two operations in one"),
        (#"{"forget":["x"]}"#, "\"ops[0].forget\" is the server's alone"),
        (
            #"{"insert":"x","f":{},"at":{"after":"a","before":"b"}}"#,
            "\"ops[0].at\" must be \"first\", \"last\", {\"after\":ID} or {\"before\":ID}"
        ),
        (
            #"{}"#,
            "\"ops[0]\" must be one of insert, set, count, move, delete, restore, describe"
        ),
        (#"{"count":"x","field":"a","by":"1"}"#, "\"ops[0].by\" must be a number"),
    ])
    func `an operation that cannot be is malformed`(operation: String, sentence: String) {
        expect(submit(operation), .malformed, sentence)
    }

    @Test func `a fault names request, list and number as far as they can be read`() {
        let fault = fault(of: #"{"t":"history","limit":"x","list":"food","r":12}"#)
        #expect(fault?.request == 12 && fault?.list == ListName("food") && fault?.n == nil)
        let other = self.fault(of: #"{"t":"who","r":"x","list":"No"}"#)
        #expect(other?.request == nil && other?.list == nil)
    }

    @Test func `a long list of another server's fields is still read`() throws {
        let fields = many(2_000) { "\"a\($0)\":1" }
        let entry =
            #"{"v":1,"at":1,"by":"a","c":"c","n":1,"ops":[{"restore":"x","f":{\#(fields)}}]}"#
        let message = #"{"t":"entries","list":"food","entries":[\#(entry)]}"#
        #expect(Side.server.fault(of: Array(message.utf8), by: decoder) == nil)
    }

    @Test func `records of another format are refused`() {
        for record in [[], [2], [1], [1, 0, 0], [0] + Array("{}".utf8)] as [[UInt8]] {
            #expect(throws: DecodingFault.self) { try decoder.decodeEntryRecord(record) }
            #expect(throws: DecodingFault.self) { try decoder.decodeSnapshotRecord(record) }
            #expect(throws: DecodingFault.self) { try decoder.decodeMutationRecord(record) }
            #expect(MessageEncoder.entryJSON(inRecord: record).isEmpty)
        }
    }
}
