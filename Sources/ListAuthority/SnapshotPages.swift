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
    /// Whether times are counted from a base, for clients that read that.
    let hasBase: Bool
    let frames: [[UInt8]]
    let byteCount: Int
    private let room: SnapshotRoom

    init(
        of list: ListState, named name: ListName, at position: Position, hasBase: Bool,
        limits: Limits, in room: SnapshotRoom
    ) {
        version = position.version
        self.hasBase = hasBase
        var frames: [[UInt8]] = []
        Self.forEachPart(of: list, at: position, limits.frameBytes, details: false) { part in
            var part = part
            if hasBase { part.base = part.rows.lazy.compactMap(\.time).min() }
            frames.append(MessageEncoder.encode(.snapshot(name, part)).packed)
        }
        self.frames = frames
        byteCount = frames.reduce(0) { $0 + $1.count }
        self.room = room
        room.bytes += byteCount
    }

    deinit { room.bytes -= byteCount }

    /// The records of a stored snapshot: rows with all that is known of graves, then the clients.
    static func records(
        of list: ListState, _ sessions: Sessions, at position: Position, limits: Limits
    ) -> [[UInt8]] {
        var records: [[UInt8]] = []
        forEachPart(of: list, at: position, limits.frameBytes, details: true) {
            records.append(MessageEncoder.encodeSnapshotRecord($0).packed)
        }
        let known = Faults.has(.clientsForgotten) ? Sessions() : sessions
        return records + [MessageEncoder.encode(known.value)]
    }

    /// One part after another, so that the rows of one alone are in memory twice.
    private static func forEachPart(
        of list: ListState, at position: Position, _ frameBytes: Int, details: Bool,
        _ body: (SnapshotPart) -> Void
    ) {
        var part = SnapshotPart(
            position: position, index: 0, isLast: false, title: list.title, schema: list.schema,
            rows: [])
        var bytes = 0
        list.forEach({ element, grave in
            if grave != nil, Faults.has(.gravesForgotten) { return }
            let row: SnapshotPart.Row
            var size = element.id.text.utf8.count + 48
            if let grave {
                row = .grave(element.id, details ? grave : nil)
                size += details ? element.fields.byteCount : 0
            } else {
                row = .element(element)
                size += element.fields.byteCount
            }
            if bytes + size > frameBytes, bytes > 0 {
                body(part)
                part.index += 1
                part.rows.removeAll(keepingCapacity: true)
                bytes = 0
            }
            part.rows.append(row)
            bytes += size
        })
        part.isLast = true
        body(part)
    }
}

/// Those made last, of each kind.
struct KeptPages {
    private var based: SnapshotPages?
    private var plain: SnapshotPages?

    subscript(hasBase hasBase: Bool) -> SnapshotPages? {
        get { hasBase ? based : plain }
        set { if hasBase { based = newValue } else { plain = newValue } }
    }

    /// Lets go of what nobody is being given.
    mutating func dropUnused() {
        if isKnownUniquelyReferenced(&based) { based = nil }
        if isKnownUniquelyReferenced(&plain) { plain = nil }
    }
}

extension SnapshotPart.Row {
    /// When a living element was last changed.
    fileprivate var time: Timestamp? {
        if case .element(let element) = self { return element.at }
        return nil
    }
}

extension [UInt8] {
    /// The same without room to grow, as it is kept.
    fileprivate var packed: [UInt8] {
        withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
                _ = buffer.initialize(fromContentsOf: bytes)
                count = bytes.count
            }
        }
    }
}
