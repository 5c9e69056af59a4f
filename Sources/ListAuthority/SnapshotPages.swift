internal import ListModel
internal import ListProtocol

/// How much the snapshots take that are kept for those who are being given them; confined like its
/// authorities, which may share it.
package final class SnapshotRoom {
    package fileprivate(set) var bytes = 0
    package init() {}
}

/// A whole list at one version, encoded once in bounded parts, shared by all who join meanwhile.
final class SnapshotPages {
    let version: Version
    let frames: [[UInt8]]
    let byteCount: Int
    private let room: SnapshotRoom

    init(
        of list: ListState, named name: ListName, at position: Position, limits: Limits,
        in room: SnapshotRoom
    ) {
        version = position.version
        frames = Self.parts(of: list, at: position, frameBytes: limits.frameBytes, details: false)
            .map { MessageEncoder.encode(.snapshot(name, $0)) }
        byteCount = frames.reduce(0) { $0 + $1.count }
        self.room = room
        room.bytes += byteCount
    }

    deinit { room.bytes -= byteCount }

    /// The records of a stored snapshot: rows with all that is known of graves, then the clients.
    static func records(
        of list: ListState, _ sessions: Sessions, at position: Position, limits: Limits
    ) -> [[UInt8]] {
        parts(of: list, at: position, frameBytes: limits.frameBytes, details: true)
            .map { MessageEncoder.encodeSnapshotRecord($0) }
            + [MessageEncoder.encode((Faults.has(.clientsForgotten) ? Sessions() : sessions).value)]
    }

    private static func parts(
        of list: ListState, at position: Position, frameBytes: Int, details: Bool
    ) -> [SnapshotPart] {
        var parts: [[SnapshotPart.Row]] = [[]]
        var bytes = 0
        func add(_ element: Element, _ grave: Grave??) {
            let row: SnapshotPart.Row
            var size = element.id.text.utf8.count + 48
            if grave != nil, Faults.has(.gravesForgotten) { return }
            if let grave {
                row = .grave(element.id, details ? grave : nil)
                size += details ? element.fields.byteCount : 0
            } else {
                row = .element(element)
                size += element.fields.byteCount
            }
            if bytes + size > frameBytes, bytes > 0 {
                parts.append([])
                bytes = 0
            }
            parts[parts.count - 1].append(row)
            bytes += size
        }
        list.forEach(add)
        return parts.enumerated().map { index, rows in
            SnapshotPart(
                position: position, index: index, isLast: index == parts.count - 1,
                title: list.title, schema: list.schema, rows: rows)
        }
    }
}
