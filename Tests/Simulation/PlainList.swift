internal import ListModel

/// A list kept as simply as can be, from its entries alone: what the lists of the cores are
/// compared with. It shares no code with them.
struct PlainList {
    struct Row {
        var id: ElementID
        var fields: Fields
        var isLiving = true
        var version: Version
        var by: UserName
        var at: Timestamp
        /// The client that last changed the content, or deleted it.
        var client: ClientID
        var placed: Version
    }

    private(set) var rows: [Row] = []
    private(set) var head = Version.zero
    private var own: [ClientID: [ElementID: Fields]] = [:]
    /// All that a client ever wrote into a field.
    private var ever: [ClientID: [ElementID: [FieldName: Set<Value>]]] = [:]
    /// The same of a log that was lost when the server was set back.
    private var lost: [ClientID: [ElementID: Fields]] = [:]

    func index(of id: ElementID) -> Int? { rows.firstIndex { $0.id == id } }

    subscript(id: ElementID) -> Row? { index(of: id).map { rows[$0] } }

    /// What a client last wrote into each field of an element.
    func written(by client: ClientID, to id: ElementID) -> Fields {
        own[client]?[id] ?? Fields()
    }

    /// Whether the field holds what the client once wrote there, be it in a log that was lost: who
    /// takes that back while away has seen what stands there now. That somebody else has written
    /// the same words since is seen by no condition.
    func isAsWritten(_ name: FieldName, by client: ClientID, to id: ElementID) -> Bool {
        let now = self[id]?.fields[name] ?? .null
        return ever[client]?[id]?[name]?.contains(now) ?? (now == .null)
            || now == lost[client]?[id]?[name]
    }

    /// Goes on after a longer log was lost.
    mutating func follow(_ longer: PlainList) {
        lost = longer.lost.merging(longer.own) { _, new in new }
        for (client, elements) in longer.ever {
            ever[client, default: [:]].merge(elements) { here, there in
                here.merging(there) { $0.union($1) }
            }
        }
    }

    /// Answers what does not fit.
    mutating func apply(_ entry: Entry) -> String? {
        head = entry.version
        for operation in entry.operations {
            if !apply(operation, entry) { return "\(entry.version) does not fit: \(operation)" }
        }
        return nil
    }

    private mutating func apply(_ operation: ResolvedOperation, _ entry: Entry) -> Bool {
        switch operation {
        case .insert(let id, let anchor, let fields):
            guard index(of: id) == nil, let spot = spot(anchor) else { return false }
            let row = Row(
                id: id, fields: fields, version: entry.version, by: entry.by, at: entry.at,
                client: entry.client, placed: entry.version)
            rows.insert(row, at: spot)
            note(fields, id, entry)
        case .set(let id, let changes):
            note(changes, id, entry)
            return change(id, entry) { row in
                for pair in changes.pairs {
                    row.fields[pair.name] = pair.value == .null ? nil : pair.value
                }
            }
        case .count(let id, let name, _, let value):
            return change(id, entry) { $0.fields[name] = value }
                && note(Fields([name: value]), id, entry)
        case .move(let ids, let anchor): return move(ids, anchor, entry)
        case .delete(let id):
            guard let at = index(of: id), rows[at].isLiving else { return false }
            rows[at].isLiving = false
            rows[at].client = entry.client
        case .restore(let id, let fields):
            guard let at = index(of: id), !rows[at].isLiving, rows[at].fields == fields else {
                return false
            }
            rows[at].isLiving = true
            note(fields, id, entry)
            return change(id, entry) { $0.placed = entry.version }
        case .forget(let ids): rows.removeAll { ids.contains($0.id) && !$0.isLiving }
        case .describe: break
        }
        return true
    }

    private mutating func change(
        _ id: ElementID, _ entry: Entry, _ body: (inout Row) -> Void
    ) -> Bool {
        guard let at = index(of: id), rows[at].isLiving else { return false }
        body(&rows[at])
        rows[at].version = entry.version
        rows[at].by = entry.by
        rows[at].at = entry.at
        rows[at].client = entry.client
        return true
    }

    @discardableResult
    private mutating func note(_ fields: Fields, _ id: ElementID, _ entry: Entry) -> Bool {
        for pair in fields.pairs {
            own[entry.client, default: [:]][id, default: Fields()][pair.name] = pair.value
            ever[entry.client, default: [:]][id, default: [:]][pair.name, default: []]
                .insert(pair.value)
        }
        return true
    }

    private mutating func move(_ ids: [ElementID], _ anchor: Anchor, _ entry: Entry) -> Bool {
        var anchor = anchor
        for id in ids {
            guard let at = index(of: id), rows[at].isLiving, anchor != .after(id) else {
                return false
            }
            var row = rows.remove(at: at)
            row.placed = entry.version
            guard let spot = spot(anchor) else { return false }
            rows.insert(row, at: spot)
            anchor = .after(id)
        }
        return true
    }

    private func spot(_ anchor: Anchor) -> Int? {
        switch anchor {
        case .first: 0
        case .after(let id): index(of: id).map { $0 + 1 }
        }
    }

    /// The same number as that of a `ListState` that is alike.
    var print: Int {
        var hasher = Hasher()
        hasher.combine(head.number)
        for row in rows {
            hasher.combine(row.id)
            hasher.combine(row.isLiving)
            guard row.isLiving else { continue }
            hasher.combine(row.fields)
            hasher.combine(row.version)
            hasher.combine(row.by)
            hasher.combine(row.at)
        }
        return hasher.finalize()
    }
}
