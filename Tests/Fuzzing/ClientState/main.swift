import FuzzCores
import FuzzShared

// What a client kept of a list, as a damaged disk gives it back: `KEY\nBYTES`, with a byte 0x1E
// between two. It is refused as unreadable, or the client goes on with it.
fuzz { bytes in
    var state: [String: [UInt8]] = [:]
    for item in bytes.split(separator: 0x1E).prefix(20) {
        guard let end = item.firstIndex(of: UInt8(ascii: "\n")) else { continue }
        state[String(decoding: item[..<end], as: UTF8.self)] = Array(item[(end + 1)...])
    }
    guard var client = FuzzedClient(state: state) else { return }
    client.connect()
    for _ in 0..<8 { client.work() }
    client.expectReadable()
}
