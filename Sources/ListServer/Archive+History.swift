internal import ListAuthority
internal import ListModel
internal import Storage

/// A question about the past of a list, and how far its answer is: newest entries first.
struct HistorySearch: Sendable {
    let name: ListName
    let id: ElementID?
    let limit: Int
    /// Entries below it are yet to be looked at; `nil`: the newest first.
    fileprivate(set) var before: Version?
    private(set) var found: [Entry] = []
    private var bytes = 0

    /// Entries that one step looks at.
    fileprivate static let stepCount: UInt64 = 1_000
    /// Entries of one answer.
    private static let mostEntries = 1_000
    /// Bytes of one answer, beyond which it ends early: the asker goes on from there.
    private static let mostBytes = 1 << 20

    init(of id: ElementID?, in name: ListName, before: Version?, limit: Int) {
        self.name = name
        self.id = id
        self.limit = max(0, min(limit, Self.mostEntries))
        self.before = before
    }

    fileprivate var isFull: Bool { found.count >= limit || bytes >= Self.mostBytes }

    fileprivate mutating func look(at entry: Entry, _ size: Int) {
        if let id, !entry.operations.contains(where: { $0.concerns(id) }) { return }
        found.append(entry)
        bytes += size
    }
}

extension Archive {
    /// Looks at the entries before those looked at last, in a window of the log: false where there
    /// is nothing more to look for.
    func look(_ search: inout HistorySearch) throws -> Bool {
        guard let log = logs[key(search.name)], log.head.number > 0 else { return false }
        let last = min(log.head.number, (search.before?.number ?? UInt64.max) &- 1)
        let first = max(log.first.number, last - min(last, HistorySearch.stepCount) + 1)
        guard !search.isFull, search.before != .zero, first <= last else { return false }
        for record in try records(of: search.name, first...last).reversed() {
            search.look(at: try decoder.decodeEntryRecord(record), record.count)
            if search.isFull { return false }
        }
        search.before = Version(first)
        return true
    }

    private func records(
        of name: ListName, _ versions: ClosedRange<UInt64>
    ) throws(StorageError) -> [[UInt8]] {
        var records: [[UInt8]] = []
        let count = Int(versions.upperBound - versions.lowerBound) + 1
        while records.count < count {
            let more = try storage.records(
                of: key(name), after: versions.lowerBound - 1 + UInt64(records.count),
                maxBytes: Self.stepBytes)
            if more.isEmpty { break }
            records += more
        }
        return Array(records.prefix(count))
    }
}

extension ResolvedOperation {
    /// Whether it did something to this element.
    func concerns(_ element: ElementID) -> Bool {
        switch self {
        case .insert(let id, _, _), .set(let id, _), .count(let id, _, _, _), .delete(let id),
            .restore(let id, _):
            id == element
        case .move(let ids, _), .forget(let ids): ids.contains(element)
        case .describe: false
        }
    }
}
