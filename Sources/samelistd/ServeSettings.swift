internal import ListServer
internal import ProgramArguments

/// What `serve` was told by flags, else by variables, else by default.
struct ServeSettings {
    var listen = ListenAddress(host: "127.0.0.1", port: 7420)
    var folder = "./samelist-data"
    var history = KeptHistory.all
    var logLevel = Log.Level.info

    /// - Parameter environment: the value of a variable, if it has one.
    init(
        _ arguments: Arguments, environment: (String) -> String?
    ) throws(UsageError) {
        func given(_ flag: Flag, _ variable: String) -> (value: String, name: String)? {
            if let value = arguments[flag] { return (value, "--\(flag.name)") }
            return environment(variable).map { ($0, variable) }
        }
        if let (value, name) = given(.listen, "SAMELIST_LISTEN") {
            listen = try ListenAddress(value, from: name)
        }
        if let (value, name) = given(.data, "SAMELIST_DATA") {
            guard !value.isEmpty else { throw UsageError("\(name) needs the name of a folder.") }
            folder = value
        }
        if let (value, name) = given(.history, "SAMELIST_HISTORY") {
            history = try KeptHistory(value, from: name)
        }
        if let (value, name) = given(.logLevel, "SAMELIST_LOG_LEVEL") {
            guard let level = Log.Level(rawValue: value) else {
                throw UsageError(
                    "\(name) is debug, info, warning or error, not \(masked(value)).")
            }
            logLevel = level
        }
    }
}

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
        guard isLoopback else {
            throw UsageError(
                "\(name): \(masked(self.host)) can be reached from other machines, and this "
                    + "version has no tokens and no TLS yet; use 127.0.0.1, [::1] or localhost.")
        }
    }

    private var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// What clients are told to connect to.
    var url: String { "ws://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// How much of each log is kept.
enum KeptHistory: Equatable {
    case all
    case entries(Int)
    case milliseconds(Int64)

    init(_ text: String, from name: String) throws(UsageError) {
        let units: [Character: Int64] = [
            "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
        ]
        if text == "all" {
            self = .all
        } else if let count = Int(text), count > 0 {
            self = .entries(count)
        } else if let unit = text.last.flatMap({ units[$0] }),
            let count = Int64(text.dropLast()), (1...1_000_000).contains(count)
        {
            self = .milliseconds(count * unit)
        } else {
            throw UsageError(
                "\(name) is a number of entries, an age such as 30d, 12h, 90m or 45s, or all, "
                    + "not \(masked(text)).")
        }
    }
}
