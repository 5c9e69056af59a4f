import Foundation
import ListModel
import ListProtocol

/// The examples of docs/protocol.md: the lines of its blocks `json client` and `json server`.
struct Goldens {
    let client: [String]
    let server: [String]

    static let page = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../docs/protocol.md").standardized

    static func read() throws -> Goldens {
        let text = try String(contentsOf: page, encoding: .utf8)
        return Goldens(client: lines(of: "client", in: text), server: lines(of: "server", in: text))
    }

    private static func lines(of side: String, in page: String) -> [String] {
        page.components(separatedBy: "```json \(side)\n").dropFirst().flatMap { block in
            block.components(separatedBy: "\n```")[0].split(separator: "\n").map(String.init)
        }
    }
}

/// Both directions of the codec under one roof, for tests that treat them alike.
enum Side: CaseIterable {
    case client
    case server

    func lines(of goldens: Goldens) -> [String] {
        switch self {
        case .client: goldens.client
        case .server: goldens.server
        }
    }

    /// Decodes, and encodes what came of it.
    func recode(_ bytes: [UInt8], by decoder: MessageDecoder) throws(DecodingFault) -> [UInt8] {
        switch self {
        case .client: MessageEncoder.encode(try decoder.decodeClientMessage(bytes))
        case .server: MessageEncoder.encode(try decoder.decodeServerMessage(bytes))
        }
    }

    func fault(of bytes: [UInt8], by decoder: MessageDecoder) -> DecodingFault? {
        do {
            _ = try recode(bytes, by: decoder)
            return nil
        } catch {
            return error
        }
    }
}
