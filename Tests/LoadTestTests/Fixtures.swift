import ListModel
import ListProtocol

@testable import LoadTest

/// A log as a server would tell it: an insert each, then renames.
struct Told {
    let list: ListName
    let entries: [Entry]

    init(_ count: Int, list name: String = "food") throws {
        let list = try Self.need(ListName(name))
        let (by, client) = try (Self.need(UserName("ana")), Self.need(ClientID("ana")))
        self.list = list
        entries = try (1...count).map { number in
            let id = try Self.need(ElementID("row-\((number - 1) % 5)"))
            let fields = Fields([.title: .text("text \(number)")])
            return Entry(
                version: Version(UInt64(number)), at: Timestamp(milliseconds: Int64(number)),
                by: by, client: client, n: MutationNumber(UInt64(number)),
                operations: [number <= 5 ? .insert(id, after: .first, fields) : .set(id, fields)])
        }
    }

    /// Versions `first` to `last` in one frame.
    func frame(_ first: Int, _ last: Int) -> [UInt8] {
        MessageEncoder.encode(.entries(list, Array(entries[(first - 1)..<last])))
    }

    /// The list at a version.
    func state(at version: Int) throws -> ListState {
        var state = ListState()
        for entry in entries.prefix(version) { try state.apply(entry) }
        return state
    }

    /// A snapshot at a version, so many rows to a part.
    func snapshot(
        at version: Int, rowsInPart: Int = 2,
        changing: (inout [SnapshotPart.Row]) -> Void = { _ in }
    ) throws -> [[UInt8]] {
        var rows: [SnapshotPart.Row] = []
        func add(_ element: Element, _ grave: Grave??) {
            rows.append(grave == nil ? .element(element) : .grave(element.id, nil))
        }
        try state(at: version).forEach(add)
        changing(&rows)
        let epoch = try Self.need(Epoch("one.two"))
        let starts = Array(stride(from: 0, to: max(1, rows.count), by: rowsInPart))
        return starts.enumerated().map { index, start in
            let part = SnapshotPart(
                position: Position(epoch: epoch, version: Version(UInt64(version))), index: index,
                isLast: index == starts.count - 1, title: "", schema: nil,
                rows: Array(rows[start..<min(start + rowsInPart, rows.count)]))
            return MessageEncoder.encode(.snapshot(list, part))
        }
    }

    static func need<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Missing() }
        return value
    }

    struct Missing: Error {}
}

/// Clients of one list, by their cursors.
struct Readers {
    var log: SharedLog
    let decoder = MessageDecoder(limits: Limits())

    init(_ told: Told) { log = SharedLog(list: told.list) }

    /// What a client with all up to `cursor` makes of this frame.
    mutating func read(_ frame: [UInt8], after cursor: UInt64) -> SharedLog.Reading {
        frame.withUnsafeBytes { log.take($0, after: cursor, decoder) }
    }
}
