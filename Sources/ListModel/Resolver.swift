/// Resolves the operations of one mutation, one by one, against a list: collects what remains of
/// them, applied, and what does not.
struct Resolver {
    let stamp: Stamp
    /// The operation at hand: its index in the mutation, and what must hold for it.
    private var index = 0
    private var condition: Condition?
    private(set) var operations: [ResolvedOperation] = []
    private(set) var skips: [Skip] = []
    private(set) var steps: [Step] = []
    var refusal: Refusal?
    /// Whether anything that remains can be seen: more than moves that leave the living order as it
    /// is.
    private(set) var isSeen = false

    init(stamp: Stamp) { self.stamp = stamp }

    mutating func resolve(
        _ operation: Operation, at index: Int, _ list: inout ListState,
        _ context: ResolutionContext
    ) {
        self.index = index
        condition = operation.condition
        switch operation.intent {
        case .insert(let id, let place, let fields):
            insert(id, place, fields.withoutNulls, &list, context)
        case .set(let id, let changes):
            guard let slot = writable(id, list, context) else { return }
            write(list.slots[Int(slot)].element.fields.effective(changes), slot, &list, context)
        case .count(let id, let name, let by):
            count(id, name, by, &list, context)
        case .move(let ids, let place):
            move(ids, place, &list, context)
        case .delete(let id, let unlessEdited):
            delete(id, unlessEdited: unlessEdited, &list, context)
        case .restore(let id):
            restore(id, &list, context)
        case .describe(let title, let schema):
            describe(title, schema, &list, context)
        case .forget(let ids):
            forget(ids, &list)
        }
    }

    private mutating func insert(
        _ id: ElementID, _ place: Place, _ fields: Fields, _ list: inout ListState,
        _ context: ResolutionContext
    ) {
        guard list.slot(of: id) == nil else {
            refusal = Refusal(
                .idTaken, "the ID \(id) is taken for ever in this list; choose another", id: id)
            return
        }
        guard list.count < context.limits.elements else {
            let most = context.limits.elements
            refusal = Refusal(.tooMany, "a list holds at most \(most) elements", id: id)
            return
        }
        guard let previous = list.slot(for: place, without: []) else {
            return skip(id, .noSuchAnchor)
        }
        refusal = list.refusal(of: fields, for: id, now: fields, context.limits)
        guard refusal == nil else { return }
        keep(
            .insert(id, after: list.anchor(previous), fields),
            list.insert(id, after: previous, fields, stamp))
    }

    private mutating func write(
        _ changes: Fields, _ slot: CountedTree.Slot, _ list: inout ListState,
        _ context: ResolutionContext
    ) {
        guard !changes.isEmpty else { return }
        let id = list.slots[Int(slot)].element.id
        refusal = list.refusal(of: changes, in: slot, context.limits)
        guard refusal == nil else { return }
        keep(.set(id, changes), list.write(changes, to: slot, stamp))
    }

    private mutating func count(
        _ id: ElementID, _ name: FieldName, _ by: Value, _ list: inout ListState,
        _ context: ResolutionContext
    ) {
        guard let slot = writable(id, list, context) else { return }
        let element = list.slots[Int(slot)].element
        let now = element.fields[name] ?? .int(0)
        guard now.isNumber, by.isNumber else { return skip(id, .notANumber, element.by) }
        let twice = Faults.has(.countedTwice) ? by : .int(0)
        guard let sum = now.adding(by)?.adding(twice) else {
            return skip(id, .outOfRange, element.by)
        }
        guard sum != element.fields[name] else { return }
        var changes = Fields()
        changes[name] = sum
        refusal = list.refusal(of: changes, in: slot, context.limits)
        guard refusal == nil else { return }
        keep(.count(id, name, by: by, is: sum), list.write(changes, to: slot, stamp))
    }

    private mutating func delete(
        _ id: ElementID, unlessEdited: Bool, _ list: inout ListState, _ context: ResolutionContext
    ) {
        // Deleting what is deleted is nothing to do, whatever the conditions.
        if let slot = list.slot(of: id), list.slots[Int(slot)].isGrave { return }
        guard let slot = writable(id, list, context) else { return }
        if unlessEdited, let editor = context.editor(id) { return skip(id, .beingEdited, editor) }
        keep(.delete(id), list.bury(slot, stamp))
    }

    private mutating func restore(
        _ id: ElementID, _ list: inout ListState, _ context: ResolutionContext
    ) {
        guard let slot = list.slot(of: id), isNeedMet(context) else {
            return skip(id, .noSuchElement)
        }
        // A replica that knows no more than the grave's place leaves it to the authority.
        guard let death = list.slots[Int(slot)].death, death.isKnown else { return }
        if let condition, !isMet(condition, list.slots[Int(slot)].element, death) { return }
        guard list.count < context.limits.elements else {
            let most = context.limits.elements
            refusal = Refusal(.tooMany, "a list holds at most \(most) elements", id: id)
            return
        }
        let fields = list.slots[Int(slot)].element.fields
        guard let step = list.restore(slot, fields, stamp) else { return }
        keep(.restore(id, fields), step)
    }

    private mutating func describe(
        _ title: String?, _ schema: Schema?, _ list: inout ListState, _ context: ResolutionContext
    ) {
        let title = title == list.title ? nil : title
        let schema = schema == (list.schema ?? Schema()) ? nil : schema
        guard title != nil || schema != nil else { return }
        guard (title?.utf8.count ?? 0) <= context.limits.titleBytes else {
            let most = context.limits.titleBytes
            refusal = Refusal(.tooLarge, "a title holds at most \(most) bytes")
            return
        }
        keep(
            .describe(title: title, schema: schema), list.describe(title: title, schema: schema))
    }

    private mutating func forget(_ ids: [ElementID], _ list: inout ListState) {
        var seen: Set<ElementID> = []
        let graves = ids.filter { id in
            guard let slot = list.slot(of: id), list.slots[Int(slot)].isGrave else {
                return false
            }
            return seen.insert(id).inserted
        }
        guard !graves.isEmpty else { return }
        keep(
            .forget(graves), graves.compactMap { id in list.slot(of: id).map { list.forget($0) } })
    }

    /// The slot of a living element whose conditions hold; otherwise the operation is skipped for
    /// it.
    mutating func writable(
        _ id: ElementID, _ list: ListState, _ context: ResolutionContext
    ) -> CountedTree.Slot? {
        guard let slot = list.slot(of: id), isNeedMet(context) else {
            skip(id, .noSuchElement)
            return nil
        }
        if let death = list.slots[Int(slot)].death {
            skip(id, .removed, death.isKnown ? death.by : nil)
            return nil
        }
        guard let condition, !condition.isEmpty, !Faults.has(.conditionIgnored) else { return slot }
        return isMet(condition, list.slots[Int(slot)].element, in: slot) ? slot : nil
    }

    private func isNeedMet(_ context: ResolutionContext) -> Bool {
        guard let needed = condition?.needs, !Faults.has(.needsIgnored) else { return true }
        return context.isLogged(needed)
    }

    /// Remembers what remains of the operation, and the step it took.
    private mutating func keep(_ operation: ResolvedOperation, _ step: Step) {
        operations.append(operation)
        steps.append(step)
        isSeen = true
    }

    /// Remembers what remains of the operation, and the steps it took. `seen`: see `isSeen`.
    mutating func keep(_ operation: ResolvedOperation, _ steps: [Step], seen: Bool = true) {
        operations.append(operation)
        self.steps.append(contentsOf: steps)
        isSeen = isSeen || seen
    }

    mutating func skip(_ id: ElementID?, _ code: Code, _ by: UserName? = nil) {
        skips.append(Skip(operation: index, id: id, code: code, by: by))
    }
}
