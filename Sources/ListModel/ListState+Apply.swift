/// An entry that does not fit the list: a gap, or an element that nobody here knows. The replica is
/// out of step with its server and fetches the list anew.
package struct Inapplicable: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }

    fileprivate init(_ entry: Entry, _ operation: ResolvedOperation) {
        self.init("entry \(entry.version) does not fit: \(operation)")
    }
}

extension ListState {
    /// Applies the entry that follows `head`. Where it throws, the list is as it was. Answers the
    /// operations that would take the entry back, for those who may want to undo it; they are
    /// conditional on nobody having changed the same thing since.
    @discardableResult
    package mutating func apply(_ entry: Entry, wantInverse: Bool = false)
        throws(Inapplicable) -> [Operation]
    {
        guard entry.version == head.next else {
            throw Inapplicable("entry \(entry.version) does not follow \(head)")
        }
        let stamp = Stamp(version: entry.version, at: entry.at, by: entry.by)
        var steps: [Step] = []
        // A lone write fits or does nothing: there is nothing to take back.
        if !wantInverse, entry.operations.count == 1,
            case .set(let id, let changes) = entry.operations[0]
        {
            guard let slot = livingSlot(of: id) else {
                throw Inapplicable(entry, entry.operations[0])
            }
            overwrite(changes, in: slot, stamp)
        } else {
            for index in entry.operations.indices {
                guard apply(entry.operations[index], stamp, &steps) else {
                    for step in steps.reversed() { takeBack(step) }
                    throw Inapplicable(entry, entry.operations[index])
                }
            }
        }
        head = entry.version
        lastAt = max(lastAt, entry.at)
        return wantInverse ? inverse(of: entry.operations, steps, at: entry.version) : []
    }

    /// False where the operation does not fit; `steps` then says what was done of it.
    private mutating func apply(
        _ operation: ResolvedOperation, _ stamp: Stamp, _ steps: inout [Step]
    ) -> Bool {
        switch operation {
        case .insert(let id, let anchor, let fields):
            guard slot(of: id) == nil, let previous = slot(of: anchor) else { return false }
            steps.append(insert(id, after: previous, fields, stamp))
        case .set(let id, let changes):
            guard let slot = livingSlot(of: id) else { return false }
            steps.append(write(changes, to: slot, stamp))
        case .count(let id, let name, _, let value):
            guard let slot = livingSlot(of: id) else { return false }
            var changes = Fields()
            changes[name] = value
            steps.append(write(changes, to: slot, stamp))
        case .move(let ids, let anchor):
            return applyMove(ids, anchor, stamp, &steps)
        case .delete(let id):
            guard let slot = livingSlot(of: id) else { return false }
            steps.append(bury(slot, stamp))
        case .restore(let id, let fields):
            guard let slot = slot(of: id), let step = restore(slot, fields, stamp) else {
                return false
            }
            steps.append(step)
        case .describe(let title, let schema):
            steps.append(describe(title: title, schema: schema))
        case .forget(let ids):
            for id in ids {
                if let slot = slot(of: id), slots[Int(slot)].isGrave {
                    steps.append(forget(slot))
                }
            }
        }
        return true
    }

    private mutating func applyMove(
        _ ids: [ElementID], _ anchor: Anchor, _ stamp: Stamp, _ steps: inout [Step]
    ) -> Bool {
        guard var previous = slot(of: anchor) else { return false }
        for id in ids {
            guard let slot = livingSlot(of: id), slot != previous else { return false }
            steps.append(move(slot, after: previous, stamp))
            previous = slot
        }
        return true
    }

    func livingSlot(of id: ElementID) -> Slot? {
        guard let slot = slot(of: id), !slots[Int(slot)].isGrave else { return nil }
        return slot
    }

    func slot(of anchor: Anchor) -> Slot? {
        switch anchor {
        case .first: CountedTree.none
        case .after(let id): slot(of: id)
        }
    }
}
