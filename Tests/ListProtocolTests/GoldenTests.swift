import Foundation
import ListModel
import ListProtocol
import Testing

/// The page and the codec say the same. `SAMELIST_REGENERATE=1 swift test --filter GoldenTests`
/// writes the codec's word into the page; review the difference.
struct GoldenTests {
    private let decoder = MessageDecoder(limits: Limits())

    @Test(arguments: Side.allCases)
    func `every example is encoded as it stands in the page`(side: Side) throws {
        let lines = side.lines(of: try Goldens.read())
        #expect(lines.count >= 15)
        var changes: [(String, String)] = []
        for line in lines {
            let written = String(
                decoding: try side.recode(Array(line.utf8), by: decoder), as: UTF8.self)
            if written != line { changes.append((line, written)) }
        }
        if ProcessInfo.processInfo.environment["SAMELIST_REGENERATE"] == "1" {
            try Self.replace(changes)
        } else {
            for (line, written) in changes { #expect(line == written) }
        }
    }

    @Test func `every kind of message has an example`() throws {
        let goldens = try Goldens.read()
        var samples = Samples(seed: 3)
        for _ in 0..<500 {
            let client = MessageEncoder.encode(samples.clientMessage())
            #expect(goldens.client.contains { $0.hasPrefix(Self.head(of: client)) })
            let server = MessageEncoder.encode(samples.serverMessage())
            #expect(goldens.server.contains { $0.hasPrefix(Self.head(of: server)) })
        }
    }

    @Test func `every code of the wire stands in the page`() throws {
        let page = try String(contentsOf: Goldens.page, encoding: .utf8)
        for code in Code.allCases where code != .unreachable {
            #expect(page.contains(code.rawValue))
        }
        for code in CloseCode.allCases where code.rawValue >= 4000 {
            #expect(page.contains(String(code.rawValue)))
        }
    }

    /// `{"t":"kind"`.
    private static func head(of message: [UInt8]) -> String {
        String(decoding: message.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
    }

    private static func replace(_ changes: [(String, String)]) throws {
        var page = try String(contentsOf: Goldens.page, encoding: .utf8)
        for (line, written) in changes {
            page = page.replacing("\n\(line)\n", with: "\n\(written)\n")
        }
        try page.write(to: Goldens.page, atomically: true, encoding: .utf8)
    }
}
