/// Where a server is: `ws://HOST:PORT`, `wss://HOST:PORT`, or `HOST:PORT`.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Its name or number.
    public let host: String
    /// Its port.
    public let port: UInt16
    /// Whether it is spoken to through TLS.
    public let isSecure: Bool

    /// The port where none is given.
    public static let defaultPort: UInt16 = 7420
    /// The server on this machine.
    public static let local = ServerAddress(host: "127.0.0.1", port: defaultPort, isSecure: false)

    private init(host: String, port: UInt16, isSecure: Bool) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }

    /// `nil` where the text is no such address.
    public init?(_ text: String) {
        var rest = text[...]
        var isSecure = false
        if let scheme = rest.firstRange(of: "://") {
            switch rest[..<scheme.lowerBound] {
            case "ws", "http": isSecure = false
            case "wss", "https": isSecure = true
            default: return nil
            }
            rest = rest[scheme.upperBound...]
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var host = rest
        var port = Self.defaultPort
        let isBracketed = rest.hasPrefix("[")
        if let colon = rest.lastIndex(of: ":"), !isBracketed || rest[..<colon].hasSuffix("]") {
            guard let number = UInt16(rest[rest.index(after: colon)...]), number > 0 else {
                return nil
            }
            port = number
            host = rest[..<colon]
        }
        if isBracketed {
            guard host.hasSuffix("]") else { return nil }
            host = host.dropFirst().dropLast()
        }
        let isName = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }
        guard !host.isEmpty, isName, isBracketed || !host.contains(":") else { return nil }
        self.init(host: String(host), port: port, isSecure: isSecure)
    }

    /// As a URL.
    public var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return (isSecure ? "wss://" : "ws://") + name + ":\(port)"
    }
}
