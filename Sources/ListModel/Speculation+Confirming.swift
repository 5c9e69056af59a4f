/// One's own entries that are as foreseen, but for their time.
extension Speculation {
    /// What is known of own work once its entry is there.
    package struct Confirmation {
        /// What would take it back.
        package let inverse: [Operation]
        /// How its elements stood before and after.
        package let before: Marks
        package let after: Marks
    }

    /// Takes in, of entries that follow the confirmed list, those that say of the oldest pending
    /// work what was foreseen; that is pending no longer. Answers how many, up to the first that
    /// does not; each is told. What comes of it is the same as by `rebase`, where the rest would be
    /// played again in contexts that say what they said before. Cost: one pass over the pending
    /// work that writes numbers.
    package mutating func confirm(
        _ entries: some Sequence<Entry>, _ limits: Limits,
        tell: (Entry, Confirmation) -> Void
    ) -> Int {
        guard !pending.isEmpty, !currentReach().isUnsure else { return 0 }
        var stamps = Restamping(confirmed: confirmedHead, shift: 0)
        var passed = Reach()
        var next = pending.startIndex
        var done: [Int] = []
        for entry in entries {
            // What comes to nothing stays, if it would beyond this entry, too.
            while next < pending.endIndex, !pending[next].resolution.isLogged {
                passed.add(&pending[next])
                next += 1
            }
            guard next < pending.endIndex, pending[next].foresaw(entry),
                next == done.count || passed.isClear(of: entry, list, limits)
            else { break }
            tell(entry, confirmation(of: entry, at: next))
            stamps.times.append(entry.at)
            done.append(next)
            next += 1
        }
        settle(done, &stamps)
        return done.count
    }

    private mutating func settle(_ done: [Int], _ stamps: inout Restamping) {
        guard let last = done.last else { return }
        let isInTime = zip(done, stamps.times).allSatisfy { pending[$0].lastAt == $1 }
        let head = pending[last].headAfter
        let time = stamps.times.reduce(pending[0].lastAtBefore, max)
        for index in done {
            list.restamp(
                &pending[index].resolution.steps, from: pending[index].headAfter, stamps)
            reach?.remove(pending[index])
        }
        if done.count == last + 1 {
            pending.removeFirst(done.count)
            if isInTime { return }
        } else {
            let gone = Set(done)
            pending = pending.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
        }
        list.head = head
        list.lastAt = time
        restamp(&stamps)
    }

    /// The list is confirmed up to the entry, but for the work that it confirms.
    private func confirmation(of entry: Entry, at index: Int) -> Confirmation {
        let steps = pending[index].resolution.steps
        var before = Marks()
        var after = Marks()
        for operation in entry.operations {
            for id in operation.targets where after[id] == nil {
                before[id] = mark(of: id, under: index, operation)
            }
            for id in operation.targets {
                after[id] = operation.mark(after[id] ?? before[id], entry.version)
            }
        }
        return Confirmation(
            inverse: list.inverse(of: entry.operations, steps, at: entry.version),
            before: before, after: after)
    }

    /// How an element stood under pending work whose first operation on it is this one.
    private func mark(
        of id: ElementID, under index: Int, _ operation: ResolvedOperation
    ) -> Mark? {
        guard let slot = list.slot(of: id) else { return nil }
        switch operation {
        case .insert: return nil
        case .restore:
            for case .restored(slot, _, let death) in pending[index].resolution.steps {
                return death.isKnown ? Mark(content: death.version, place: nil) : nil
            }
        default: break
        }
        let element = list.slots[Int(slot)].element
        let confirmed = pending[index].headBefore
        var content = element.version <= confirmed ? element.version : nil
        var place = element.placed <= confirmed ? element.placed : nil
        for waiting in pending[index...] {
            if content != nil, place != nil { break }
            for step in waiting.resolution.steps {
                switch step {
                case .wrote(slot, let before), .restored(slot, let before, _):
                    content = content ?? before.version
                    place = place ?? before.placed
                case .moved(slot, _, let placed): place = place ?? placed
                default: break
                }
            }
        }
        return Mark(content: content ?? element.version, place: place ?? element.placed)
    }
}

extension Speculation.Pending {
    /// Whether an entry says of it what was foreseen, but for the time.
    fileprivate func foresaw(_ entry: Entry) -> Bool {
        entry.client == mutation.client && entry.n == mutation.n && entry.by == by
            && entry.version == headAfter && entry.operations == resolution.operations
    }
}

extension ResolvedOperation {
    /// The elements that it changes.
    package var targets: [ElementID] {
        switch self {
        case .insert(let id, _, _), .set(let id, _), .count(let id, _, _, _), .delete(let id),
            .restore(let id, _):
            [id]
        case .move(let ids, _), .forget(let ids): ids
        case .describe: []
        }
    }

    /// The same, one by one.
    package func forEachTarget(_ body: (ElementID) -> Void) {
        switch self {
        case .insert(let id, _, _), .set(let id, _), .count(let id, _, _, _), .delete(let id),
            .restore(let id, _):
            body(id)
        case .move(let ids, _), .forget(let ids): for id in ids { body(id) }
        case .describe: break
        }
    }

    /// How an element of its stands by it, where it stood so before.
    fileprivate func mark(_ before: Mark?, _ version: Version) -> Mark? {
        switch self {
        case .insert, .restore: Mark(content: version, place: version)
        case .set, .count: Mark(content: version, place: before?.place)
        case .move: Mark(content: before?.content ?? version, place: version)
        case .delete: Mark(content: version, place: nil)
        case .describe, .forget: before
        }
    }
}
