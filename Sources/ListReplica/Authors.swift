internal import ListModel

/// Who did what in a batch of entries: whoever wrote one field is not named for another, and nobody
/// for a move.
struct Authors {
    private var writers: [ElementID: [FieldName: Writer]] = [:]
    /// Who brought an element back; `nil`: it was deleted.
    private var restorers: [ElementID: UserName?] = [:]
    /// Where the list came as a snapshot: who touched an element last, which is all that it knows.
    var last: [ElementID: UserName] = [:]
    /// Whether the list came as a snapshot: nothing that was known of it before counts.
    var isWhole = false

    private struct Writer {
        let version: Version
        let by: UserName
    }

    mutating func note(_ operation: ResolvedOperation, in entry: Entry) {
        switch operation {
        case .insert(let id, _, let fields):
            // Once its grave is forgotten, an ID may be inserted again.
            restorers[id] = entry.by
            for name in fields.names { note(name, of: id, entry) }
        case .set(let id, let fields):
            for name in fields.names { note(name, of: id, entry) }
        case .count(let id, let name, _, _): note(name, of: id, entry)
        case .restore(let id, _): restorers[id] = entry.by
        case .delete(let id): restorers[id] = .some(nil)
        case .move, .forget, .describe: break
        }
    }

    private mutating func note(_ name: FieldName, of id: ElementID, _ entry: Entry) {
        writers[id, default: [:]][name] = Writer(version: entry.version, by: entry.by)
    }

    /// Who wrote the last of these fields; `nil`: nobody wrote one.
    func writer(of names: [FieldName], of id: ElementID) -> UserName? {
        guard let writers = writers[id] else { return nil }
        return names.compactMap { writers[$0] }.max { $0.version < $1.version }?.by
    }

    /// Who wrote any field of it last.
    func writer(of id: ElementID) -> UserName? {
        writers[id]?.values.max { $0.version < $1.version }?.by
    }

    /// Who wrote each field of it last.
    func writers(of id: ElementID) -> [FieldName: UserName] {
        writers[id]?.mapValues(\.by) ?? [:]
    }

    /// Whether it came, went or came back.
    func hasTurned(_ id: ElementID) -> Bool { restorers[id] != nil }

    func restorer(of id: ElementID) -> UserName? { restorers[id] ?? nil }
}
