internal import ListModel

/// Whether an entry is what its author asked for: nothing without its conditions, everything at its
/// place, and undo of one's own work alone.
struct Consent {
    struct Asked {
        let operations: [Operation]
        var takesBack = false
        let digest: UInt64
    }

    let asked: Asked
    let entry: Entry
    let before: PlainList
    let after: PlainList
    let isLogged: (MutationNumber) -> Bool

    /// What is wrong; `nil`: nothing.
    var fault: String? {
        let skipped = Set(entry.skips.map(\.operation))
        // Of several, some may have been nothing to do, whatever their conditions.
        if asked.operations.count == 1, skipped.isEmpty, let fault = alone(asked.operations[0]) {
            return fault
        }
        return entry.operations.lazy.compactMap(self.fault(of:)).first
    }

    /// Of a mutation of one operation.
    private func alone(_ operation: Operation) -> String? {
        if let needed = operation.condition?.needs, !isLogged(needed) {
            return "it was done, though \(needed) was not"
        }
        if let id = operation.targets.first, let row = before[id],
            let condition = operation.condition
        {
            for pair in condition.fields?.pairs ?? []
            where (row.fields[pair.name] ?? .null) != pair.value {
                return "\(id) was changed since"
            }
            if let version = condition.version, row.isLiving, version != row.version {
                return "\(id) is no longer of \(version)"
            }
        }
        switch operation.intent {
        case .insert(let id, let place, _): return isAt(place, id) ? nil : "\(id) is misplaced"
        case .move(let ids, let place):
            let moved = entry.skips.isEmpty && !place.names(ids)
            return moved && !isAt(place, ids[0]) && !isAt(place, ids[ids.count - 1])
                ? "\(ids) are misplaced" : nil
        default: return nil
        }
    }

    private func isAt(_ place: Place, _ id: ElementID) -> Bool {
        guard let at = after.index(of: id) else { return false }
        switch place {
        case .first: return at == 0
        case .last: return at == after.rows.count - 1
        case .after(let other): return at > 0 && after.rows[at - 1].id == other
        case .before(let other): return after.rows.dropFirst(at + 1).first?.id == other
        }
    }

    private func fault(of operation: ResolvedOperation) -> String? {
        switch operation {
        case .count(let id, let name, let by, let value):
            guard entry.operations.count == 1, let row = before[id] else { return nil }
            let sum = (row.fields[name] ?? .int(0)).adding(by)
            return sum == value ? nil : "\(id) \(name) is counted to \(value), not \(sum as Any)"
        case .set(let id, let changes) where asked.takesBack && entry.operations.count == 1:
            let names = changes.names.filter {
                !before.isAsWritten($0, by: entry.client, to: id)
            }
            return names.isEmpty ? nil : "\(id) \(names) is taken back, which somebody else wrote"
        case .delete(let id) where asked.takesBack && entry.operations.count == 1:
            guard let row = before[id], row.client != entry.client else { return nil }
            // Of an insert that was not heard of when it was taken back, its own fields count.
            let same = before.written(by: entry.client, to: id).names.allSatisfy {
                before.isAsWritten($0, by: entry.client, to: id)
            }
            return same ? nil : "\(id) is taken back, which somebody else changed"
        default: return nil
        }
    }
}

extension Place {
    fileprivate func names(_ ids: [ElementID]) -> Bool {
        switch self {
        case .first, .last: false
        case .after(let id), .before(let id): ids.contains(id)
        }
    }
}
