internal import ListModel
internal import ListProtocol

/// Who did what in a batch of entries: whoever wrote one field is not named for another, and nobody
/// for a move.
struct Authors {
    private var writers: [ElementID: [FieldName: Writer]] = [:]
    private var turns: [ElementID: Turn] = [:]
    /// Where the list came as a snapshot: who touched an element under an editor last, which is all
    /// that it knows.
    private(set) var living: [ElementID: UserName] = [:]
    /// The same of those that were gone.
    private(set) var graves: [ElementID: UserName] = [:]
    /// Whether the list came as a snapshot.
    private(set) var isWhole = false
    /// Whether it is of another log: who wrote what in the one that was lost counts no more.
    private(set) var isOfOtherLog = false
    /// What was known of elements under editors before it.
    private var former: [ElementID: Fields] = [:]

    /// How an element came or went last.
    private enum Turn {
        case inserted(UserName)
        case restored(UserName)
        case deleted
    }

    private struct Writer {
        let version: Version
        let by: UserName
    }

    mutating func note(_ operation: ResolvedOperation, in entry: Entry) {
        switch operation {
        case .insert(let id, _, let fields):
            // Once its grave is forgotten, an ID may be inserted again.
            turns[id] = .inserted(entry.by)
            for name in fields.names { note(name, of: id, entry) }
        case .set(let id, let fields):
            for name in fields.names { note(name, of: id, entry) }
        case .count(let id, let name, _, _): note(name, of: id, entry)
        case .restore(let id, let fields):
            turns[id] = .restored(entry.by)
            // A snapshot does not tell the fields of what was gone.
            guard isWhole else { break }
            for name in former[id]?.changes(to: fields).names ?? fields.names {
                note(name, of: id, entry)
            }
        case .delete(let id): turns[id] = .deleted
        case .move, .forget, .describe: break
        }
    }

    /// The list came as a snapshot, with the fates of what was gone: what is other than it was is
    /// due to whom the row names, since a snapshot does not say who wrote which field.
    mutating func note(
        whole: ListState, over before: ListState, _ fates: [Fate], under editors: [ElementID],
        isOfOtherLog: Bool = false
    ) {
        isWhole = true
        self.isOfOtherLog = isOfOtherLog
        for id in editors { former[id] = before.fields(of: id) }
        for case .deleted(let grave) in fates {
            graves[grave.id] = grave.last.by
            note(grave.last)
        }
        for element in editors.compactMap({ whole[$0] }) {
            living[element.id] = element.by
            note(element)
        }
    }

    private mutating func note(_ row: Element) {
        for name in former[row.id]?.changes(to: row.fields).names ?? row.fields.names {
            writers[row.id, default: [:]][name] = Writer(version: row.version, by: row.by)
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
    func hasTurned(_ id: ElementID) -> Bool { turns[id] != nil }

    /// Who brought it back, be it by inserting it again.
    func restorer(of id: ElementID) -> UserName? {
        switch turns[id] {
        case .inserted(let by), .restored(let by): by
        case .deleted, nil: nil
        }
    }
}

extension ListState {
    /// What an element holds, or held last; `nil`: that is not known.
    fileprivate func fields(of id: ElementID) -> Fields? {
        switch standing(of: id) {
        case .living(let element): element.fields
        case .grave(let grave): grave?.last.fields
        case .unknown: nil
        }
    }
}
