extension Resolver {
    /// Whether the element is still as the condition wants it; otherwise the operation is skipped.
    ///
    /// Fields are looked at as they are now, versions as they were before this mutation: what its
    /// own earlier operations did to the element is no change by somebody else. Without this, no
    /// mutation that touched an element twice could be undone.
    mutating func isMet(_ condition: Condition, _ element: Element, in slot: CountedTree.Slot)
        -> Bool
    {
        let before = asItStood(element, in: slot)
        if let version = condition.version, version != before?.version {
            skip(element.id, .changedSince, (before ?? element).by)
            return false
        }
        if let placed = condition.placed, placed != before?.placed {
            // Nobody remembers who moved an element last.
            skip(element.id, .changedSince)
            return false
        }
        if holds(condition.fields, in: element) { return true }
        skip(element.id, .changedSince, element.by)
        return false
    }

    /// Whether a grave is still as the condition wants it: its version is that of the deletion.
    /// What this mutation itself buried is as its author wants it.
    mutating func isMet(_ condition: Condition, _ last: Element, _ death: ListState.Death) -> Bool {
        let isSame =
            condition.version == nil || condition.version == death.version
            || death.version == stamp.version
        let isPlaced = condition.placed == nil || condition.placed == last.placed
        guard isSame, isPlaced, holds(condition.fields, in: last) else {
            skip(last.id, .changedSince, death.by)
            return false
        }
        return true
    }

    private func holds(_ fields: Fields?, in element: Element) -> Bool {
        fields?.pairs.allSatisfy { (element.fields[$0.name] ?? .null) == $0.value } ?? true
    }

    /// The versions of an element before this mutation; `nil` where it was inserted by it.
    private func asItStood(_ element: Element, in slot: CountedTree.Slot) -> Element? {
        guard element.version == stamp.version || element.placed == stamp.version else {
            return element
        }
        var result = element
        for step in steps.reversed() {
            switch step {
            case .inserted(slot): return nil
            case .wrote(slot, let before), .restored(slot, let before, _): result = before
            case .moved(slot, _, let placed): result.placed = placed
            default: break
            }
        }
        return result
    }
}
