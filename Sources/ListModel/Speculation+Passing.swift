/// Entries that have nothing to do with the pending work.
extension Speculation {
    /// Takes in, of entries that follow the confirmed list, those that the pending work can stay
    /// upon, up to the first that it cannot: answers how many. What comes of it is the same as by
    /// `rebase`, where the pending work would be played again in contexts that say what they said
    /// before. Cost: O(log n) an entry, and one pass over the pending work that writes numbers.
    package mutating func pass(_ entries: ArraySlice<Entry>, _ limits: Limits) -> Int {
        let visible = (list.head, list.lastAt)
        let confirmed = confirmedHead
        let reach = currentReach()
        list.head = confirmed
        list.lastAt = pending.first?.lastAtBefore ?? list.lastAt
        var count = 0
        for index in entries.indices {
            guard reach.isClear(of: entries[index], list, limits),
                (try? list.apply(entries[index])) != nil
            else { break }
            count += 1
        }
        if count == 0 {
            (list.head, list.lastAt) = visible
        } else {
            var stamps = Restamping(confirmed: confirmed, shift: count)
            restamp(&stamps)
        }
        return count
    }

    /// The list bears the confirmed head and time: the pending work above is predicted anew, as it
    /// stands, under other versions and times.
    mutating func restamp(_ stamps: inout Restamping) {
        for index in pending.indices {
            pending[index].headBefore = list.head
            pending[index].lastAtBefore = list.lastAt
            if pending[index].resolution.isLogged {
                list.head = list.head.next
                list.lastAt = max(pending[index].at, list.lastAt)
                stamps.times.append(list.lastAt)
                list.restamp(
                    &pending[index].resolution.steps, from: pending[index].headAfter, stamps)
            }
            pending[index].headAfter = list.head
            pending[index].lastAt = list.lastAt
        }
    }
}

/// What the predicted versions above the confirmed one become, and their times.
struct Restamping {
    let confirmed: Version
    let shift: Int
    /// Of the predicted entries, in order.
    var times: [Timestamp] = []

    func isPredicted(_ version: Version) -> Bool { version > confirmed }

    func moved(_ version: Version) -> Version {
        isPredicted(version) ? version.advanced(by: shift) : version
    }

    func time(of former: Version) -> Timestamp {
        times[Int(former.number - confirmed.number) - 1]
    }

    func renew(_ element: inout Element) {
        if isPredicted(element.version) {
            element.at = time(of: element.version)
            element.version = moved(element.version)
        }
        element.placed = moved(element.placed)
    }

    func renew(_ death: inout ListState.Death) {
        guard isPredicted(death.version) else { return }
        death.at = time(of: death.version)
        death.version = moved(death.version)
    }
}

extension ListState {
    mutating func restamp(_ steps: inout [Step], from former: Version, _ stamps: Restamping) {
        for index in steps.indices { restamp(&steps[index], from: former, stamps) }
    }

    /// What a predicted entry left in the list bears its new version, unless a later one is the
    /// last to have written there; and so does what the step keeps of earlier ones.
    private mutating func restamp(
        _ step: inout Step, from former: Version, _ stamps: Restamping
    ) {
        switch step {
        case .inserted(let slot):
            restampContent(slot, former, stamps)
            restampPlace(slot, former, stamps)
        case .wrote(let slot, let before):
            restampContent(slot, former, stamps)
            guard stamps.isPredicted(max(before.version, before.placed)) else { return }
            var before = before
            stamps.renew(&before)
            step = .wrote(slot, before)
        case .moved(let slot, let from, let placed):
            restampPlace(slot, former, stamps)
            step = .moved(slot, from: from, placed: stamps.moved(placed))
        case .buried(let slot):
            guard var death = slots[Int(slot)].death, death.version == former else { return }
            stamps.renew(&death)
            slots[Int(slot)].death = death
        case .restored(let slot, var before, var death):
            restampContent(slot, former, stamps)
            restampPlace(slot, former, stamps)
            stamps.renew(&before)
            stamps.renew(&death)
            step = .restored(slot, before, death)
        case .forgot, .described: break
        }
    }

    private mutating func restampContent(_ slot: Slot, _ former: Version, _ stamps: Restamping) {
        guard slots[Int(slot)].element.version == former else { return }
        slots[Int(slot)].element.version = stamps.moved(former)
        slots[Int(slot)].element.at = stamps.time(of: former)
    }

    private mutating func restampPlace(_ slot: Slot, _ former: Version, _ stamps: Restamping) {
        guard slots[Int(slot)].element.placed == former else { return }
        slots[Int(slot)].element.placed = stamps.moved(former)
    }
}
