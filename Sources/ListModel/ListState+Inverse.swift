extension ListState {
    /// The operations that take `operations` back, newest first, from the steps they left behind.
    /// The list must stand right behind them. `version` is that of their entry, `nil` while it has
    /// none: then a deletion is conditional on the fields instead, and the rest goes without.
    func inverse(of operations: [ResolvedOperation], _ steps: [Step], at version: Version?)
        -> [Operation]
    {
        var result: [Operation] = []
        var cursor = steps.startIndex
        for operation in operations {
            switch operation {
            case .forget:
                // What was no grave left no step.
                while cursor < steps.endIndex, case .forgot = steps[cursor] { cursor += 1 }
            case .move(let ids, _):
                result.append(contentsOf: backwards(steps[cursor..<cursor + ids.count], version))
                cursor += ids.count
            default:
                result.append(inverse(of: operation, steps[cursor], at: version))
                cursor += 1
            }
        }
        return result.reversed()
    }

    private func inverse(of operation: ResolvedOperation, _ step: Step, at version: Version?)
        -> Operation
    {
        switch (operation, step) {
        case (.set(let id, let changes), .wrote(_, let before)):
            return Operation(
                .set(id, before.fields.values(of: changes.names)), if: Condition(fields: changes))
        case (.count(let id, let name, let by, _), _):
            return Operation(.count(id, name, by: by.negated))
        case (.insert(let id, _, let fields), _):
            let same = version.map { Condition(version: $0, placed: $0) }
            return Operation(
                .delete(id, unlessEdited: false), if: same ?? Condition(fields: fields))
        case (.restore(let id, let fields), _):
            let same = version.map { Condition(version: $0) }
            return Operation(
                .delete(id, unlessEdited: false), if: same ?? Condition(fields: fields))
        case (.delete(let id), _):
            return Operation(.restore(id), if: version.map { Condition(version: $0) })
        case (.describe(let title, let schema), .described(let titleBefore, let schemaBefore)):
            return Operation(
                .describe(
                    title: title == nil ? nil : titleBefore,
                    schema: schema == nil ? nil : schemaBefore ?? Schema()))
        default:
            return Operation(.describe(title: nil, schema: nil))
        }
    }

    /// One move an element, each to where it stood before its own step; taken in reverse order of
    /// the steps, so that every neighbour stands again when it is named.
    private func backwards(_ steps: ArraySlice<Step>, _ version: Version?) -> [Operation] {
        steps.compactMap { step in
            guard case .moved(let slot, let from, _) = step else { return nil }
            let place: Place = from < 0 ? .first : .after(slots[Int(from)].element.id)
            return Operation(
                .move([slots[Int(slot)].element.id], to: place),
                if: version.map { Condition(placed: $0) })
        }
    }
}

extension Value {
    /// The number with the other sign; itself where it is none.
    fileprivate var negated: Value {
        switch self {
        case .int(let number): number == .min ? .double(-Double(number)) : .int(-number)
        case .double(let number): .double(-number)
        default: self
        }
    }
}
