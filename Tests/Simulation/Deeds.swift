internal import ListModel

/// Who did what to each element, as one log has it: what names in events are held against. Kept as
/// plainly as can be, one line a deed, oldest first.
struct Deeds {
    enum Kind: Equatable {
        /// `nil`: the element was inserted without fields.
        case wrote(FieldName?)
        case restored
        case deleted(last: Fields)
        case forgotten
    }

    struct Deed {
        let kind: Kind
        let version: Version
        let by: UserName
        let at: Timestamp
    }

    private var byElement: [ElementID: [Deed]] = [:]

    /// `list` is how the list stood after the entry; a grave keeps its fields there.
    mutating func note(_ entry: Entry, _ list: PlainList) {
        for operation in entry.operations {
            switch operation {
            case .insert(let id, _, let fields):
                add(.wrote(nil), to: id, entry)
                for name in fields.names { add(.wrote(name), to: id, entry) }
            case .set(let id, let changes):
                for name in changes.names { add(.wrote(name), to: id, entry) }
            case .count(let id, let name, _, _): add(.wrote(name), to: id, entry)
            case .delete(let id):
                add(.deleted(last: list[id]?.fields ?? Fields()), to: id, entry)
            case .restore(let id, _): add(.restored, to: id, entry)
            case .forget(let ids): for id in ids { add(.forgotten, to: id, entry) }
            case .move, .describe: break
            }
        }
    }

    private mutating func add(_ kind: Kind, to id: ElementID, _ entry: Entry) {
        byElement[id, default: []].append(
            Deed(kind: kind, version: entry.version, by: entry.by, at: entry.at))
    }

    /// The last deed of some kind, no further than `head`.
    private func last(
        on id: ElementID, upTo head: Version, where isMeant: (Kind) -> Bool
    ) -> Deed? {
        byElement[id]?.last { $0.version <= head && isMeant($0.kind) }
    }

    /// Who wrote the last of these fields.
    func writer(of names: [FieldName], of id: ElementID, upTo head: Version) -> Deed? {
        last(on: id, upTo: head) { kind in names.contains { kind == .wrote($0) } }
    }

    /// Whether somebody ever wrote one of these fields, or brought all of them back.
    func hasWritten(
        _ by: UserName, _ names: [FieldName], of id: ElementID, upTo head: Version
    ) -> Bool {
        byElement[id]?.contains { deed in
            deed.by == by && deed.version <= head
                && (deed.kind == .restored || names.contains { deed.kind == .wrote($0) })
        } ?? false
    }

    /// Who inserted, wrote or restored it last: what a row names.
    func lastWriter(of id: ElementID, upTo head: Version) -> Deed? {
        last(on: id, upTo: head) { kind in
            switch kind {
            case .wrote, .restored: true
            case .deleted, .forgotten: false
            }
        }
    }

    /// Who wrote any field of it last.
    func anyWriter(of id: ElementID, upTo head: Version) -> Deed? {
        last(on: id, upTo: head) { kind in
            if case .wrote = kind { return true }
            return false
        }
    }

    func deletions(of id: ElementID, upTo head: Version) -> [Version] {
        (byElement[id] ?? []).filter { deed in
            if case .deleted = deed.kind { return deed.version <= head }
            return false
        }.map(\.version)
    }

    /// What made it come or go last.
    func turn(of id: ElementID, upTo head: Version) -> Deed? {
        last(on: id, upTo: head) { kind in
            switch kind {
            case .deleted, .restored, .forgotten, .wrote(nil): true
            case .wrote(.some): false
            }
        }
    }
}

extension Deeds.Deed: CustomStringConvertible {
    var description: String {
        switch kind {
        case .wrote(nil): "\(by) inserted it at \(version)"
        case .wrote(let name?): "\(by) wrote \(name) at \(version)"
        case .restored: "\(by) restored it at \(version)"
        case .deleted: "\(by) deleted it at \(version)"
        case .forgotten: "its grave was forgotten at \(version)"
        }
    }
}
