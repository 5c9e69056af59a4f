/// What pending work looks at: enough to say of somebody else's entry that it has nothing to do
/// with that work.
struct Reach: Sendable {
    /// The elements that it acts on.
    private(set) var targets: Set<ElementID> = []
    private var operations = 0
    /// Whether it asks who stands before whom.
    private var hasPlaces = false
    /// Whether it asks so among the living ones alone.
    private var hasMoves = false
    /// Whether it may come to something else though the list is as it was: by who edits what, by
    /// what is known of work that is refused, or by versions that are predicted.
    private var isUnsure = false

    mutating func add(_ pending: Speculation.Pending) {
        if pending.resolution.refusal != nil || pending.mutation.hasVersions(of: targets) {
            isUnsure = true
        }
        for operation in pending.mutation.operations {
            operations += 1
            switch operation.intent {
            case .insert(let id, _, _):
                hasPlaces = true
                targets.insert(id)
            case .move(let ids, _):
                hasPlaces = true
                hasMoves = true
                targets.formUnion(ids)
            case .delete(let id, let unlessEdited):
                if unlessEdited { isUnsure = true }
                targets.insert(id)
            case .set(let id, _), .count(let id, _, _), .restore(let id): targets.insert(id)
            case .forget: isUnsure = true
            case .describe: break
            }
        }
    }

    /// Whether an entry can be put under the work, and neither comes to anything else. O(1) an
    /// operation.
    func isClear(of entry: Entry, _ list: ListState, _ limits: Limits) -> Bool {
        guard !isUnsure, entry.operations.allSatisfy(isClear) else { return false }
        // Nearer to the bound, one more element may be one too many for what waits.
        return list.count + operations + entry.operations.count < limits.elements
    }

    private func isClear(of operation: ResolvedOperation) -> Bool {
        switch operation {
        case .set(let id, _), .count(let id, _, _, _): !targets.contains(id)
        case .delete(let id), .restore(let id, _): !hasMoves && !targets.contains(id)
        case .insert(let id, _, _): !hasPlaces && !targets.contains(id)
        case .move(let ids, _): !hasPlaces && targets.isDisjoint(with: ids)
        case .describe, .forget: false
        }
    }
}

extension Mutation {
    /// Whether it is conditional on versions of elements that earlier work acts on.
    fileprivate func hasVersions(of targets: Set<ElementID>) -> Bool {
        operations.contains { operation in
            guard let condition = operation.condition else { return false }
            return (condition.version != nil || condition.placed != nil)
                && operation.targets.contains { targets.contains($0) }
        }
    }
}
