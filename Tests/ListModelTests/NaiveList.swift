@testable import ListModel

/// design.md, section 2, read once more: a list as an array of IDs with a row for each, every
/// operation a pass over them, every mutation tried on a copy that replaces the list where anything
/// came of it.
struct NaiveList {
    struct Row: Equatable {
        var element: Element
        var grave: Grave?
    }

    struct Told: Equatable {
        var skips: [Skip] = []
        var refusal: Code?
        var logged = false
    }

    var order: [ElementID] = []
    var rows: [ElementID: Row] = [:]
    var head = Version.zero
    var lastAt = Timestamp.zero
    var title = ""
    var schema: Schema?

    /// Set while a mutation is under way.
    var told = Told()
    var visible = false
    var index = 0

    init() {}

    mutating func perform(_ mutation: Mutation, _ context: ResolutionContext) -> Told {
        var next = self
        next.told = Told()
        next.visible = false
        next.head = head.next
        next.lastAt = max(lastAt, context.at)
        for (index, operation) in mutation.operations.enumerated() {
            next.index = index
            next.perform(operation, context, before: self)
            if mutation.atomic, !next.told.skips.isEmpty, next.told.refusal == nil {
                next.told.refusal = .skippedInAtomic
            }
            if next.told.refusal != nil { return next.told }
        }
        guard next.visible else { return next.told }
        next.told.logged = true
        self = next
        return next.told
    }

    private mutating func perform(
        _ operation: ListModel.Operation, _ context: ResolutionContext, before: NaiveList
    ) {
        let condition = operation.condition ?? Condition()
        let allows = { (next: inout NaiveList, id: ElementID) in
            next.allows(id, condition, context, before: before)
        }
        switch operation.intent {
        case .insert(let id, let place, let fields): insert(id, place, fields, context)
        case .set(let id, let changes):
            if allows(&self, id) { write(changes, to: id, context) }
        case .count(let id, let name, let by):
            if allows(&self, id) { count(id, name, by, context) }
        case .move(let ids, let place):
            var chosen: [ElementID] = []
            for id in ids where allows(&self, id) && !chosen.contains(id) {
                chosen.append(id)
            }
            move(chosen, place)
        case .delete(let id, let unlessEdited):
            if rows[id]?.grave != nil { return }
            guard allows(&self, id), let last = rows[id]?.element else { return }
            if unlessEdited, let editor = context.editor(id) {
                return skip(id, .beingEdited, editor)
            }
            rows[id]?.grave = Grave(last: last, by: context.by, at: lastAt, version: head)
            visible = true
        case .restore(let id): restore(id, condition, context)
        case .describe(let title, let schema): describe(title, schema)
        case .forget(let ids):
            for id in ids where rows[id]?.grave != nil {
                rows[id] = nil
                order.removeAll { $0 == id }
                visible = true
            }
        }
    }

    private mutating func insert(
        _ id: ElementID, _ place: Place, _ fields: Fields, _ context: ResolutionContext
    ) {
        if rows[id] != nil {
            told.refusal = .idTaken
            return
        }
        guard let at = gap(place) else { return skip(id, .noSuchAnchor) }
        let kept = fields.pairs.filter { $0.value != .null }
        if kept.contains(where: { !admits($0) }) {
            told.refusal = .wrongType
            return
        }
        let element = Element(
            id: id,
            fields: Fields(Dictionary(uniqueKeysWithValues: kept.map { ($0.name, $0.value) })),
            version: head, placed: head, by: context.by, at: lastAt)
        rows[id] = Row(element: element)
        order.insert(id, at: at)
        visible = true
    }

    private mutating func write(_ changes: Fields, to id: ElementID, _ context: ResolutionContext) {
        guard let old = rows[id]?.element else { return }
        var fields = old.fields
        for change in changes.pairs where fields[change.name] ?? .null != change.value {
            if change.value != .null, !admits(change) { told.refusal = .wrongType }
            fields[change.name] = change.value == .null ? nil : change.value
        }
        guard told.refusal == nil, fields != old.fields else { return }
        rows[id]?.element = Element(
            id: id, fields: fields, version: head, placed: old.placed, by: context.by, at: lastAt)
        visible = true
    }

    private mutating func count(
        _ id: ElementID, _ name: FieldName, _ by: Value, _ context: ResolutionContext
    ) {
        guard let element = rows[id]?.element else { return }
        let sum: Value?
        switch (element.fields[name] ?? .int(0), by) {
        case (.int(let left), .int(let right)):
            let (value, overflow) = left.addingReportingOverflow(right)
            sum = overflow ? nil : .int(value)
        case (.int(let left), .double(let right)): sum = .number(Double(left) + right)
        case (.double(let left), .int(let right)): sum = .number(left + Double(right))
        case (.double(let left), .double(let right)): sum = .number(left + right)
        default: return skip(id, .notANumber, element.by)
        }
        guard let sum else { return skip(id, .outOfRange, element.by) }
        write(Fields([name: sum]), to: id, context)
    }

    private mutating func move(_ ids: [ElementID], _ place: Place) {
        guard !ids.isEmpty else { return }
        guard let gap = gap(place) else {
            for id in ids { skip(id, .noSuchAnchor) }
            return
        }
        // The gap is counted among what stays where it is.
        let staysBefore = order[..<gap].count { !ids.contains($0) }
        var next = order.filter { !ids.contains($0) }
        next.insert(contentsOf: ids, at: staysBefore)
        guard next != order else { return }
        if !visible {
            let lives = { (id: ElementID) in rows[id]?.grave == nil }
            visible = next.filter(lives) != order.filter(lives)
        }
        for id in ids { rows[id]?.element.placed = head }
        order = next
    }

    private mutating func restore(
        _ id: ElementID, _ condition: Condition, _ context: ResolutionContext
    ) {
        guard let row = rows[id], isNeedMet(condition, context) else {
            return skip(id, .noSuchElement)
        }
        guard let grave = row.grave else { return }
        let wanted = condition.version ?? grave.version
        guard wanted == grave.version || grave.version == head,
            condition.placed ?? grave.last.placed == grave.last.placed,
            isMet(condition.fields, grave.last)
        else { return skip(id, .changedSince, grave.by) }
        rows[id] = Row(
            element: Element(
                id: id, fields: grave.last.fields, version: head, placed: head,
                by: context.by, at: lastAt))
        visible = true
    }

    private mutating func describe(_ newTitle: String?, _ newSchema: Schema?) {
        let before = (title, schema)
        title = newTitle ?? title
        if let newSchema { schema = newSchema == Schema() ? nil : newSchema }
        if before != (title, schema) { visible = true }
    }
}
