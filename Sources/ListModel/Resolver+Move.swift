extension Resolver {
    /// Those that live are moved together, in the order given; the others are skipped one by one.
    ///
    /// A move that leaves the living order as it is may still pass graves. Alone it is nothing to
    /// do; with others in one mutation it counts, since a later operation may name those graves or
    /// restore them: the undo of a move of several is such a mutation.
    mutating func move(
        _ ids: [ElementID], _ place: Place, _ list: inout ListState, _ context: ResolutionContext
    ) {
        var moved: [CountedTree.Slot] = []
        var chosen: Set<CountedTree.Slot> = []
        for id in ids {
            guard let slot = writable(id, list, context), chosen.insert(slot).inserted else {
                continue
            }
            moved.append(slot)
        }
        guard !moved.isEmpty else { return }
        guard let previous = list.slot(for: place, without: chosen) else {
            for slot in moved { skip(list.slots[Int(slot)].element.id, .noSuchAnchor) }
            return
        }
        guard !list.follow(moved, previous) else { return }
        let seen = !list.standsAlready(moved, after: previous)
        let operation = ResolvedOperation.move(
            moved.map { list.slots[Int($0)].element.id }, after: list.anchor(previous))
        var behind = previous
        var steps: [Step] = []
        for slot in moved {
            steps.append(list.move(slot, after: behind, stamp))
            behind = slot
        }
        keep(operation, steps, seen: seen)
    }
}

extension ListState {
    /// What a place comes to: the slot to stand behind, which is none of those being moved.
    /// `nil`: nobody knows the element that the place names.
    func slot(for place: Place, without moved: Set<Slot>) -> Slot? {
        var slot: Slot
        switch place {
        case .first: return CountedTree.none
        case .last: slot = order.last
        case .after(let id):
            guard let anchor = self.slot(of: id) else { return nil }
            slot = anchor
        case .before(let id):
            guard let anchor = self.slot(of: id) else { return nil }
            slot = Faults.has(.anchorOnTheWrongSide) ? anchor : order.slot(before: anchor)
        }
        while slot >= 0, moved.contains(slot) { slot = order.slot(before: slot) }
        return slot
    }

    func anchor(_ slot: Slot) -> Anchor { slot < 0 ? .first : .after(slots[Int(slot)].element.id) }

    /// Whether `moved` stand right behind `previous` and each other, no grave between.
    func follow(_ moved: [Slot], _ previous: Slot) -> Bool {
        var behind = previous
        return moved.allSatisfy { slot in
            defer { behind = slot }
            return order.slot(before: slot) == behind
        }
    }

    /// Whether the living order would be the same after moving `moved` behind `previous`. O(k log
    /// n).
    func standsAlready(_ moved: [Slot], after previous: Slot) -> Bool {
        var start = 0
        if previous >= 0 {
            start = order.livingIndex(of: previous) + (order.isLiving(previous) ? 1 : 0)
            let index = order.index(of: previous)
            start -= moved.count { order.index(of: $0) < index }
        }
        return moved.enumerated().allSatisfy { order.livingIndex(of: $1) == start + $0 }
    }

    /// Why `changes` may not be written to an element. What is far from the limits is not tried.
    func refusal(of changes: Fields, in slot: Slot, _ limits: Limits) -> Refusal? {
        let now = slots[Int(slot)].element.fields
        if schema == nil, now.count + changes.count <= limits.fields,
            now.byteCount + changes.byteCount <= limits.elementBytes
        {
            return nil
        }
        return refusal(
            of: changes, for: slots[Int(slot)].element.id, now: now.writing(changes), limits)
    }

    /// Why `changes` may not be made, where `now` is what the element would then be.
    func refusal(of changes: Fields, for id: ElementID, now: Fields, _ limits: Limits) -> Refusal? {
        if let name = schema?.firstBreach(in: changes), let type = schema?.types[name] {
            return Refusal(
                .wrongType, "the field \(name) of this list holds a \(type.rawValue)", id: id)
        }
        guard now.count <= limits.fields else {
            return Refusal(.tooMany, "an element has at most \(limits.fields) fields", id: id)
        }
        guard now.byteCount <= limits.elementBytes else {
            return Refusal(
                .tooLarge, "an element holds at most \(limits.elementBytes) bytes", id: id)
        }
        return nil
    }
}
