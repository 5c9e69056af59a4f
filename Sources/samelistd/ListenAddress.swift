internal import ProgramArguments

/// `HOST:PORT`, with an IPv6 address in brackets.
struct ListenAddress {
    let host: String
    let port: UInt16

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    init(_ text: String, from name: String) throws(UsageError) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let port = UInt16(text[text.index(after: colon)...])
        else {
            throw UsageError(
                "\(name) is HOST:PORT, such as 127.0.0.1:7420, not \(masked(text)).")
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        self.init(host: String(host), port: port)
    }

    /// Whether this machine alone can reach it.
    var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// What clients are told to connect to.
    func url(isSecure: Bool) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return (isSecure ? "wss" : "ws") + "://\(name):\(port)"
    }
}
