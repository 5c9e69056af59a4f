/// Where a server is: `ws://HOST:PORT`, `wss://HOST:PORT`, or `HOST:PORT`.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Its name or number.
    public let host: String
    /// Its port.
    public let port: UInt16
    /// Whether it is spoken to through TLS.
    public let isSecure: Bool

    /// The port where none is given; that of `wss` is 443, where proxies end TLS.
    public static let defaultPort: UInt16 = 7420
    /// The server on this machine.
    public static let local = ServerAddress(host: "127.0.0.1", port: defaultPort, isSecure: false)

    private static let securePort: UInt16 = 443

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
        var port = isSecure ? Self.securePort : Self.defaultPort
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
        guard isBracketed ? isIPv6(host) : isName(host) else { return nil }
        self.init(host: String(host), port: port, isSecure: isSecure)
    }

    /// As a URL.
    public var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return (isSecure ? "wss://" : "ws://") + name + ":\(port)"
    }
}

/// What names of machines and addresses of IPv4 are made of; others are told before they are looked
/// up.
private func isName(_ host: Substring) -> Bool {
    !host.isEmpty
        && host.utf8.allSatisfy {
            isLetter($0) || isDigit($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
        }
}

/// An address of IPv6, perhaps with a zone: `fe80::1%eth0`.
private func isIPv6(_ host: Substring) -> Bool {
    let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, address.contains(":") else { return false }
    let isAddress = address.utf8.allSatisfy {
        isDigit($0) || (0x61...0x66).contains($0 | 0x20) || $0 == 0x3A || $0 == 0x2E
    }
    return isAddress && parts.dropFirst().allSatisfy(isName)
}

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
