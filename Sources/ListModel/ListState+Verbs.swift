/// Who did something, when, and as which entry.
struct Stamp {
    let version: Version
    let at: Timestamp
    let by: UserName
}

/// What takes a verb back. Steps are taken back in reverse order, so each finds the list exactly as
/// its verb left it; that is why a neighbour is enough to say where something stood.
enum Step: Sendable {
    case inserted(CountedTree.Slot)
    case wrote(CountedTree.Slot, Element)
    case moved(CountedTree.Slot, from: CountedTree.Slot, placed: Version)
    case buried(CountedTree.Slot)
    case restored(CountedTree.Slot, Element, ListState.Death)
    case forgot(ListState.Occupant, after: CountedTree.Slot)
    case described(title: String, schema: Schema?)
}

/// The five verbs, and their undoing.
extension ListState {
    mutating func insert(_ id: ElementID, after previous: Slot, _ fields: Fields, _ stamp: Stamp)
        -> Step
    {
        let element = Element(
            id: id, fields: fields, version: stamp.version, placed: stamp.version, by: stamp.by,
            at: stamp.at)
        return .inserted(occupy(element, death: nil, after: previous))
    }

    @discardableResult
    mutating func occupy(_ element: Element, death: Death?, after previous: Slot) -> Slot {
        let occupant = Occupant(element: element, death: death)
        let slot: Slot
        if let free = freeSlots.popLast() {
            slot = free
            slots[Int(slot)] = occupant
        } else {
            slot = Slot(slots.count)
            // By a quarter and not by as much again: rows are most of what a list takes.
            if slots.count == slots.capacity {
                slots.reserveCapacity(slots.count + slots.count / 4 + 16)
            }
            slots.append(occupant)
        }
        index.insert(slot, hash: element.id.shortHash)
        order.insert(slot, living: death == nil, after: previous)
        return slot
    }

    mutating func write(_ changes: Fields, to slot: Slot, _ stamp: Stamp) -> Step {
        let before = slots[Int(slot)].element
        slots[Int(slot)].element.fields.write(changes)
        touch(slot, stamp)
        return .wrote(slot, before)
    }

    /// The same for good, without a copy of what was there.
    mutating func overwrite(_ changes: Fields, in slot: Slot, _ stamp: Stamp) {
        slots[Int(slot)].element.fields.write(changes)
        touch(slot, stamp)
    }

    mutating func move(_ slot: Slot, after previous: Slot, _ stamp: Stamp) -> Step {
        let from = order.slot(before: slot)
        let placed = slots[Int(slot)].element.placed
        let living = !slots[Int(slot)].isGrave
        order.remove(slot)
        order.insert(slot, living: living, after: previous)
        slots[Int(slot)].element.placed = stamp.version
        return .moved(slot, from: from, placed: placed)
    }

    mutating func bury(_ slot: Slot, _ stamp: Stamp) -> Step {
        slots[Int(slot)].death = Death(
            by: stamp.by, at: stamp.at, version: stamp.version, isKnown: true)
        order.setLiving(slot, false)
        return .buried(slot)
    }

    mutating func restore(_ slot: Slot, _ fields: Fields, _ stamp: Stamp) -> Step? {
        guard let death = slots[Int(slot)].death else { return nil }
        let before = slots[Int(slot)].element
        slots[Int(slot)].element.fields = Faults.has(.restoreLosesFields) ? Fields() : fields
        // A replica may know no more of a grave than where it is, so its place counts as given
        // anew.
        slots[Int(slot)].element.placed = stamp.version
        slots[Int(slot)].death = nil
        touch(slot, stamp)
        order.setLiving(slot, true)
        return .restored(slot, before, death)
    }

    mutating func describe(title: String?, schema: Schema?) -> Step {
        let step = Step.described(title: self.title, schema: self.schema)
        if let title { self.title = title }
        if let schema { self.schema = schema.types.isEmpty ? nil : schema }
        return step
    }

    mutating func forget(_ slot: Slot) -> Step {
        let step = Step.forgot(slots[Int(slot)], after: order.slot(before: slot))
        vacate(slot)
        return step
    }

    /// Takes a slot out for good: a grave that is forgotten, or an insert that is taken back.
    mutating func vacate(_ slot: Slot) {
        index.remove(slot, hash: slots[Int(slot)].element.id.shortHash)
        order.remove(slot)
        freeSlots.append(slot)
    }

    mutating func takeBack(_ step: Step) {
        switch step {
        case .inserted(let slot):
            vacate(slot)
        case .wrote(let slot, let element):
            slots[Int(slot)].element = element
        case .moved(let slot, let from, let placed):
            let living = !slots[Int(slot)].isGrave
            order.remove(slot)
            order.insert(slot, living: living, after: from)
            slots[Int(slot)].element.placed = placed
        case .buried(let slot):
            slots[Int(slot)].death = nil
            order.setLiving(slot, true)
        case .restored(let slot, let element, let death):
            slots[Int(slot)].element = element
            slots[Int(slot)].death = death
            order.setLiving(slot, false)
        case .forgot(let occupant, let previous):
            // The slot given back last is the first to be taken again, so earlier steps still fit.
            occupy(occupant.element, death: occupant.death, after: previous)
        case .described(let title, let schema):
            self.title = title
            self.schema = schema
        }
    }

    private mutating func touch(_ slot: Slot, _ stamp: Stamp) {
        slots[Int(slot)].element.version = stamp.version
        slots[Int(slot)].element.by = stamp.by
        slots[Int(slot)].element.at = stamp.at
    }
}
