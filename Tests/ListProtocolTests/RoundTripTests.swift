import ListModel
import ListProtocol
import Testing

/// What is encoded decodes to what it was, over random words; the seed stands in each failure.
struct RoundTripTests {
    private static let seeds = Array(UInt64(0)..<20)
    private let decoder = MessageDecoder(limits: Limits())

    @Test(arguments: seeds) func `every client message comes back as it was`(seed: UInt64) throws {
        var samples = Samples(seed: seed)
        for _ in 0..<200 {
            let message = samples.clientMessage()
            let bytes = MessageEncoder.encode(message)
            #expect(try decoder.decodeClientMessage(bytes) == message, "seed \(seed)")
            #expect(MessageEncoder.encode(try decoder.decodeClientMessage(bytes)) == bytes)
        }
    }

    @Test(arguments: seeds) func `every server message comes back as it was`(seed: UInt64) throws {
        var samples = Samples(seed: seed)
        for _ in 0..<200 {
            let message = samples.serverMessage()
            let bytes = MessageEncoder.encode(message)
            #expect(try decoder.decodeServerMessage(bytes) == message, "seed \(seed)")
            #expect(MessageEncoder.encode(try decoder.decodeServerMessage(bytes)) == bytes)
        }
    }

    @Test(arguments: seeds) func `every record comes back as it was`(seed: UInt64) throws {
        var samples = Samples(seed: seed)
        for _ in 0..<100 {
            var entry = samples.entry()
            entry.heard = MutationNumber(samples.next())
            entry.digest = samples.next()
            let record = MessageEncoder.encodeEntryRecord(entry)
            #expect(try decoder.decodeEntryRecord(record) == entry, "seed \(seed)")

            let part = samples.part(graveDetails: true)
            let stored = MessageEncoder.encodeSnapshotRecord(part)
            #expect(try decoder.decodeSnapshotRecord(stored) == part, "seed \(seed)")

            let mutation = samples.mutation()
            let pending = MessageEncoder.encodeMutationRecord(mutation)
            #expect(try decoder.decodeMutationRecord(pending) == mutation, "seed \(seed)")
        }
    }

    @Test(arguments: seeds) func `every line of an export comes back as it was`(seed: UInt64) throws
    {
        var samples = Samples(seed: seed)
        for _ in 0..<100 {
            let part = samples.part(graveDetails: true)
            var lines: [ExportLine] = [
                .begin(format: ExportLine.format, at: Timestamp(milliseconds: 7)),
                .list(
                    ExportLine.List(
                        name: samples.list(), tenant: samples.maybe { $0.text() },
                        title: part.title, schema: part.schema, version: part.position.version,
                        at: Timestamp(milliseconds: 9))),
            ]
            for row in part.rows {
                switch row {
                case .element(var element):
                    // No element has a field that is null.
                    element.fields = element.fields.withoutNulls
                    lines.append(.element(element))
                case .grave(_, let grave):
                    guard let grave, grave.last.fields.withoutNulls == grave.last.fields else {
                        continue
                    }
                    lines.append(.grave(grave))
                }
            }
            var count = ExportLine.Count()
            count.elements = lines.count
            for line in lines + [.end(count)] {
                let bytes = MessageEncoder.encode(line)
                #expect(!bytes.contains(UInt8(ascii: "\n")))
                #expect(try decoder.decodeExportLine(bytes) == line, "seed \(seed)")
            }
        }
    }

    @Test(arguments: seeds) func `every value comes back as it was`(seed: UInt64) throws {
        var samples = Samples(seed: seed)
        for _ in 0..<500 {
            let value = samples.value()
            #expect(try decoder.decodeValue(MessageEncoder.encode(value)) == value, "seed \(seed)")
        }
    }

    @Test func `a frame of records is the message of their entries, byte for byte`() {
        var samples = Samples(seed: 1)
        let list: ListName = samples.list()
        for count in 0..<4 {
            let entries = (0..<count).map { _ in samples.entry() }
            let frame = MessageEncoder.entriesFrame(
                list: list, records: entries.map(MessageEncoder.encodeEntryRecord))
            #expect(frame == MessageEncoder.encode(.entries(list, entries)))
        }
    }

    @Test func `a grave on the wire is its ID`() throws {
        var samples = Samples(seed: 2)
        let grave = samples.grave()
        var part = samples.part(graveDetails: false)
        part.rows = [.grave(grave.id, grave)]
        let bytes = MessageEncoder.encode(.snapshot(samples.list(), part))
        guard case .snapshot(_, let read) = try decoder.decodeServerMessage(bytes) else {
            Issue.record("no snapshot")
            return
        }
        #expect(read.rows == [.grave(grave.id, nil)])
    }

    @Test(arguments: [
        ("1e5", "100000"), ("-0", "0"), ("-0.0", "0"), ("1.0", "1"), ("1E+2", "100"),
        ("9007199254740993", "9007199254740993"), ("1e17", "100000000000000000"), ("1e20", "1e+20"),
        ("5e-324", "5e-324"),
        ("-9223372036854775808", "-9223372036854775808"), ("1e-400", "0"), ("0.10", "0.1"),
        ("123456789012345678.0", "123456789012345680"), ("9e15", "9000000000000000"),
    ])
    func `a number has one spelling`(read: String, written: String) throws {
        let value = try decoder.decodeValue(Array(read.utf8))
        #expect(String(decoding: MessageEncoder.encode(value), as: UTF8.self) == written)
    }

    @Test func `texts are escaped only where they must be`() {
        let text = Value.text("\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é\u{2028}👩‍🚀")
        let json = #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}é\u{2028}👩‍🚀\""
        #expect(String(decoding: MessageEncoder.encode(text), as: UTF8.self) == json)
    }
}
