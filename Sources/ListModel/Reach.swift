/// What pending work looks at: enough to say of an entry that it has nothing to do with that work.
struct Reach: Sendable {
    /// The elements that it acts on, by how many operations.
    private var acts: [ElementID: Int] = [:]
    private var operations = 0
    /// Operations that ask who stands before whom.
    private var places = 0
    /// Those that ask so among the living ones alone.
    private var moves = 0
    /// Mutations that may come to something else though the list is as it was: by who edits what,
    /// by what is known of work that is refused, or by versions that are predicted.
    private var unsure = 0

    var isUnsure: Bool { unsure > 0 }

    /// The elements that it acts on.
    var targets: Dictionary<ElementID, Int>.Keys { acts.keys }

    mutating func add(_ pending: inout Speculation.Pending) {
        pending.isUnsure =
            pending.resolution.refusal != nil
            || pending.mutation.operations.contains { $0.isUnsure(above: acts) }
        count(pending, 1)
    }

    /// To be called for the oldest of what was added.
    mutating func remove(_ pending: Speculation.Pending) { count(pending, -1) }

    private mutating func count(_ pending: Speculation.Pending, _ sign: Int) {
        if pending.isUnsure { unsure += sign }
        operations += sign * pending.mutation.operations.count
        for operation in pending.mutation.operations {
            switch operation.intent {
            case .insert: places += sign
            case .move:
                places += sign
                moves += sign
            case .set, .count, .delete, .restore, .describe, .forget: break
            }
            operation.forEachTarget { id in
                acts[id, default: 0] += sign
                if sign < 0, acts[id] == 0 { acts[id] = nil }
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
        case .set(let id, _), .count(let id, _, _, _): acts[id] == nil
        case .delete(let id), .restore(let id, _): moves == 0 && acts[id] == nil
        case .insert(let id, _, _): places == 0 && acts[id] == nil
        case .move(let ids, _): places == 0 && ids.allSatisfy { acts[$0] == nil }
        case .describe, .forget: false
        }
    }
}

extension Operation {
    fileprivate func isUnsure(above acts: [ElementID: Int]) -> Bool {
        switch intent {
        case .delete(_, unlessEdited: true), .forget: return true
        default: break
        }
        // Versions of elements that earlier work acts on are predicted.
        guard let condition, condition.version != nil || condition.placed != nil else {
            return false
        }
        return targets.contains { acts[$0] != nil }
    }
}
