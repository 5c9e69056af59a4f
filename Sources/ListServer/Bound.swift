internal import ListModel

/// A limit of the server that its operator can set, by `--limit`.
package struct Bound: Sendable {
    package let name: String
    /// What it counts.
    package let what: String
    /// What becomes of who goes beyond.
    package let beyond: String
    package let range: ClosedRange<Int>
    let path: any WritableKeyPath<Limits, Int> & Sendable

    /// Without being set.
    package var usual: Int { Limits()[keyPath: path] }

    private init(
        _ name: String, _ path: any WritableKeyPath<Limits, Int> & Sendable,
        _ range: ClosedRange<Int>, _ what: String, _ beyond: String
    ) {
        self.name = name
        self.path = path
        self.range = range
        self.what = what
        self.beyond = beyond
    }

    /// Our clients reckon with messages and mutations of the usual size before they have met the
    /// server, so these cannot be less; they take in 4 MiB as one message, so that cannot be much
    /// more.
    package static let all = [
        Bound(
            "message", \.messageBytes, 1 << 20...2 << 20, "bytes of one message", "closed, 1009"),
        Bound(
            "element", \.elementBytes, 1 << 10...512 << 10, "bytes of one element's fields",
            "`too_large`"),
        Bound("fields", \.fields, 1...10_000, "fields of one element", "`too_many`"),
        Bound(
            "operations", \.operations, 1_000...100_000, "operations of one mutation",
            "`too_many`"),
        Bound("length", \.elements, 1...10_000_000, "elements of one list", "`too_many`"),
        Bound("lists", \.lists, 1...10_000_000, "lists of one tenant", "`too_many`"),
        Bound(
            "open-lists", \.openLists, 1...10_000, "lists that one connection has open",
            "`too_many`"),
        Bound(
            "snapshot-bytes", \.snapshotBytes, 1 << 20...1 << 40,
            "bytes of lists that are being sent whole",
            "waits for its turn; who takes nothing for 10 s meanwhile: closed, 4100"),
        Bound(
            "connections", \.connections, 1...1_000_000, "connections in all",
            "dropped when they come"),
        Bound(
            "connections-per-address", \.connectionsPerAddress, 1...1_000_000,
            "connections of one address but this machine's own", "HTTP 429"),
        Bound(
            "connections-per-user", \.connectionsPerUser, 1...1_000_000,
            "connections of one token's name", "`too_many`; closed, 4102"),
        Bound(
            "handshake-seconds", \.handshakeSeconds, 1...3_600,
            "seconds until a socket is a WebSocket", "dropped"),
        Bound(
            "hello-seconds", \.helloSeconds, 1...3_600, "seconds from there to hello",
            "`hello_first`; closed, 4103"),
        Bound(
            "messages-per-second", \.messagesPerSecond, 1...1_000_000,
            "messages of one connection",
            "`too_many_requests`; the hundredth, or what is no question: closed, 4101"),
        Bound(
            "edits-per-second", \.editsPerSecond, 1...1_000_000, "mutations of one connection",
            "`too_many_requests`; closed, 4101"),
        Bound(
            "bytes-per-second", \.bytesPerSecond, 1 << 10...1 << 40, "bytes from one connection",
            "`too_many_requests`; closed, 4101"),
    ]

    /// A row of docs/limits.md.
    package var row: String { "| \(name) | \(Self.grouped(usual)) | \(what) | \(beyond) |" }

    /// Thousands apart.
    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }
}

extension Limits {
    /// By the names of `Bound.all`, where they are not the usual ones.
    init(_ bounds: [String: Int]) {
        self.init()
        for bound in Bound.all { bounds[bound.name].map { self[keyPath: bound.path] = $0 } }
    }
}
