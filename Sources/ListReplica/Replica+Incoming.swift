internal import ListModel
internal import ListProtocol

/// What comes between opening and "caught up", kept aside.
extension Replica.Incoming {
    /// False where the part is not the next one of one snapshot.
    mutating func take(_ part: SnapshotPart) -> Bool {
        if part.index == 0 {
            parts = []
            snapshot = ListState(
                head: part.position.version, title: part.title, schema: part.schema)
        }
        guard part.index == parts.count, parts.last?.isLast != true,
            part.position == (parts.first ?? part).position, snapshot?.append(part.rows) == true
        else { return false }
        parts.append(part)
        return true
    }

    func bring(
        _ state: inout ListState, to version: Version, _ batch: inout Batch
    ) throws(Inapplicable) {
        for entry in entries where entry.version > state.head {
            try batch.apply(entry, to: &state)
        }
        for case .deleted(let grave) in fates {
            state.learn(grave)
            batch.touch(grave.id)
        }
        guard state.head == version else {
            throw Inapplicable("the list ends at \(state.head), not \(version)")
        }
    }

    /// The time of the entry at `version`; where nothing came, it is the one that was known.
    func lastEntryAt(at version: Version, before known: Timestamp?) -> Timestamp? {
        if let last = entries.last, last.version == version { return last.at }
        return snapshot == nil ? known : nil
    }

    /// Why all of this together is not the list at a position; `nil`: it may be.
    func flaw(at position: Position, from epoch: Epoch?) -> String? {
        guard let last = parts.last else {
            let isSame = epoch == position.epoch || Faults.has(.epochIgnored)
            return isSame ? nil : "the epoch changed without a snapshot"
        }
        guard last.isLast else { return "the snapshot has no end" }
        return last.position.epoch == position.epoch ? nil : "the snapshot is of another epoch"
    }
}
