package import ListAuthority
package import ListModel
internal import ListProtocol

/// What a running server says of itself to its operator.
package struct ServerStatus: Sendable {
    package var version = ""
    /// When it said so.
    package var at = Timestamp.zero
    /// "ready", or why it takes no new work.
    package var state = ""
    package var figures = Figures()
    /// Of those in memory, at most so many as it tells of; those that most have open first.
    package var lists: [List] = []

    /// Counters are those since it was started.
    package struct Figures: Hashable, Sendable {
        package var startedAt: Int64 = 0
        package var connections: Int64 = 0
        package var connectionsBehind: Int64 = 0
        package var lists: Int64 = 0
        package var listsInMemory: Int64 = 0
        package var subscriptions: Int64 = 0
        package var subscriptionsBehind: Int64 = 0
        package var lagEntries: Int64 = 0
        package var lagMilliseconds: Int64 = 0
        package var messages: Int64 = 0
        package var bytesIn: Int64 = 0
        package var edits: Int64 = 0
        package var entries: Int64 = 0
        package var appendFailures: Int64 = 0
        package var deliveries: Int64 = 0
        package var bytesOut: Int64 = 0
        package var storageJobs: Int64 = 0
        package var memoryBytes: Int64 = 0
        package var cpuMilliseconds: Int64 = 0

        package init() {}
    }

    package struct List: Hashable, Sendable {
        package let tenant: String
        package let name: String
        package var version: Int64 = 0
        package var rows: Int64 = 0
        package var open: Int64 = 0
        package var behind: Int64 = 0
        package var lag: Int64 = 0
        package var waiting: Int64 = 0

        /// Tenants apart, as the storage has it.
        package var key: String { tenant.isEmpty ? name : "\(tenant)/\(name)" }
    }

    /// Lists that one answer tells of.
    static let mostLists = 1_000

    package init() {}
}

/// As JSON, with a member for each number.
extension ServerStatus {
    private static let numbers: [(String, WritableKeyPath<Figures, Int64> & Sendable)] = [
        ("started", \.startedAt), ("connections", \.connections),
        ("connections_behind", \.connectionsBehind), ("lists", \.lists),
        ("lists_in_memory", \.listsInMemory), ("subscriptions", \.subscriptions),
        ("subscriptions_behind", \.subscriptionsBehind), ("lag_entries", \.lagEntries),
        ("lag_ms", \.lagMilliseconds), ("messages", \.messages), ("bytes_in", \.bytesIn),
        ("edits", \.edits), ("entries", \.entries), ("append_failures", \.appendFailures),
        ("deliveries", \.deliveries), ("bytes_out", \.bytesOut), ("storage_jobs", \.storageJobs),
        ("memory_bytes", \.memoryBytes), ("cpu_ms", \.cpuMilliseconds),
    ]

    package var value: Value {
        var members: [String: Value] = [
            "v": .int(1), "version": .text(version), "at": .int(at.milliseconds),
            "state": .text(state), "top": .array(lists.map(\.value)),
        ]
        for (name, path) in Self.numbers { members[name] = .int(figures[keyPath: path]) }
        return .object(members)
    }

    /// `nil` for what `value` does not make.
    package init?(_ value: Value) {
        guard case .object(let members) = value, let version = members["version"]?.text,
            let state = members["state"]?.text, let at = members["at"]?.number,
            case .array(let lists)? = members["top"]
        else { return nil }
        self.version = version
        self.state = state
        self.at = Timestamp(milliseconds: at)
        for (name, path) in Self.numbers {
            figures[keyPath: path] = members[name]?.number ?? 0
        }
        self.lists = lists.compactMap(List.init)
    }
}

extension ServerStatus.List {
    private static let numbers: [(String, WritableKeyPath<Self, Int64> & Sendable)] = [
        ("version", \.version), ("rows", \.rows), ("open", \.open), ("behind", \.behind),
        ("lag", \.lag), ("waiting", \.waiting),
    ]

    init(_ standing: Standing, of tenant: Tenant) {
        self.init(tenant: tenant.text, name: standing.name.text)
        version = Int64(clamping: standing.version.number)
        rows = Int64(standing.count)
        open = Int64(standing.open)
        behind = Int64(standing.behind)
        lag = Int64(clamping: standing.lag)
        waiting = Int64(standing.waiting)
    }

    package var value: Value {
        var members: [String: Value] = ["list": .text(name)]
        if !tenant.isEmpty { members["tenant"] = .text(tenant) }
        for (name, path) in Self.numbers { members[name] = .int(self[keyPath: path]) }
        return .object(members)
    }

    init?(_ value: Value) {
        guard case .object(let members) = value, let name = members["list"]?.text else {
            return nil
        }
        self.init(tenant: members["tenant"]?.text ?? "", name: name)
        for (name, path) in Self.numbers { self[keyPath: path] = members[name]?.number ?? 0 }
    }
}

/// Who has a list open, by the server's word.
package struct ListReaders: Sendable {
    /// `nil`: nobody has it open, and it is not in memory.
    package var readers: [ListAuthority.Reader]

    /// Readers that one answer tells of.
    static let most = 1_000
}

extension ListReaders {
    var value: Value {
        .object([
            "v": .int(1),
            "readers": .array(
                readers.prefix(Self.most).map { reader in
                    .object([
                        "connection": .int(Int64(clamping: reader.connection.number)),
                        "client": .text(reader.client.text), "name": .text(reader.name.text),
                        "version": reader.version.map { .int(Int64(clamping: $0.number)) } ?? .null,
                    ])
                }),
        ])
    }

    init?(_ value: Value) {
        guard case .object(let members) = value, case .array(let readers)? = members["readers"]
        else { return nil }
        self.readers = readers.compactMap { reader in
            guard case .object(let parts) = reader, let number = parts["connection"]?.number,
                let client = parts["client"]?.text.flatMap(ClientID.init),
                let name = parts["name"]?.text.flatMap(UserName.init)
            else { return nil }
            return Reader(
                connection: ConnectionID(UInt64(clamping: number)), client: client, name: name,
                version: parts["version"]?.number.map { Version(UInt64(clamping: $0)) })
        }
    }
}

extension Value {
    fileprivate var number: Int64? {
        if case .int(let number) = self { return number }
        return nil
    }
}
