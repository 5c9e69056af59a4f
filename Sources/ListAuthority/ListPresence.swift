internal import ListModel
internal import ListProtocol

/// Who has a list open, and which elements each edits. Never in the log.
struct ListPresence {
    private(set) var here: [ConnectionID: Presence] = [:]
    private var editorsOf: [ElementID: Set<ConnectionID>] = [:]
    /// What subscribers were not told yet.
    private var changed: Set<ConnectionID> = []
    private var left: Set<ConnectionID> = []

    var isDirty: Bool { !changed.isEmpty || !left.isEmpty }

    var all: [Presence] { here.values.sorted { $0.session < $1.session } }

    /// Entering again, as who opens a list anew does, changes nothing.
    mutating func enter(_ connection: ConnectionID, as name: UserName) {
        guard here[connection] == nil else { return }
        here[connection] = Presence(session: connection.number, name: name, editing: [])
        changed.insert(connection)
        left.remove(connection)
    }

    mutating func edit(_ ids: [ElementID], by connection: ConnectionID) {
        guard let presence = here[connection], presence.editing != ids else { return }
        for id in presence.editing { release(id, connection) }
        for id in ids { editorsOf[id, default: []].insert(connection) }
        here[connection]?.editing = ids
        changed.insert(connection)
    }

    mutating func leave(_ connection: ConnectionID) {
        guard let presence = here.removeValue(forKey: connection) else { return }
        for id in presence.editing { release(id, connection) }
        changed.remove(connection)
        left.insert(connection)
    }

    /// Presence on an element ends with it.
    mutating func end(_ id: ElementID) {
        for connection in editorsOf.removeValue(forKey: id) ?? [] {
            here[connection]?.editing.removeAll { $0 == id }
            changed.insert(connection)
        }
    }

    /// The same for all elements of which that is true.
    mutating func end(where isGone: (ElementID) -> Bool) {
        for id in editorsOf.keys.filter(isGone) { end(id) }
    }

    /// The names of those who edit an element, without one's own; each name once, in name order.
    func editors(of id: ElementID, without connection: ConnectionID?) -> [UserName] {
        guard let editors = editorsOf[id] else { return [] }
        return Set(editors.filter { $0 != connection }.compactMap { here[$0]?.name }).sorted()
    }

    /// What has changed since it was last taken.
    mutating func takeChange() -> PresenceChange? {
        guard isDirty else { return nil }
        defer {
            changed = []
            left = []
        }
        return PresenceChange(
            isWhole: false,
            here: changed.compactMap { here[$0] }.sorted { $0.session < $1.session },
            left: left.map(\.number).sorted())
    }

    private mutating func release(_ id: ElementID, _ connection: ConnectionID) {
        editorsOf[id]?.remove(connection)
        if editorsOf[id]?.isEmpty == true { editorsOf[id] = nil }
    }
}
