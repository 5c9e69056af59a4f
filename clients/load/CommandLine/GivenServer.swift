/// A server that runs already: `ws://HOST:PORT`, `wss://HOST:PORT` or `HOST:PORT`.
struct GivenServer: Equatable, Sendable {
    let host: String
    let port: UInt16
    let isSecure: Bool

    /// `nil` where the text is no such address. An IPv6 address stands in brackets.
    init?(_ text: String) {
        var rest = text[...]
        isSecure = rest.hasPrefix("wss://")
        for scheme in ["ws://", "wss://"] where rest.hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let colon = rest.lastIndex(of: ":"),
            let port = UInt16(rest[rest.index(after: colon)...]), port > 0
        else { return nil }
        var host = rest[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, isBracketed == host.contains(":"), !host.contains("/") else {
            return nil
        }
        self.port = port
        self.host = String(host)
    }

    /// Whether it is on this machine for certain.
    var isHere: Bool {
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || (48...57) ~= $0 })
    }
}
