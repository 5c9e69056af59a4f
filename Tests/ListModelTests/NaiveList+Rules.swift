@testable import ListModel

/// What allows an operation, and where a place is.
extension NaiveList {
    /// Whether it is a living element for which the condition holds; else it is skipped.
    mutating func allows(
        _ id: ElementID, _ condition: Condition, _ context: ResolutionContext, before: NaiveList
    ) -> Bool {
        guard let row = rows[id], isNeedMet(condition, context) else {
            skip(id, .noSuchElement)
            return false
        }
        let element = row.element
        if let grave = row.grave {
            skip(id, .removed, grave.by)
            return false
        }
        let old = before.rows[id]?.element
        if let version = condition.version, version != old?.version {
            skip(id, .changedSince, (old ?? element).by)
            return false
        }
        if let placed = condition.placed, placed != old?.placed {
            skip(id, .changedSince)
            return false
        }
        if !isMet(condition.fields, element) {
            skip(id, .changedSince, element.by)
            return false
        }
        return true
    }

    func isNeedMet(_ condition: Condition, _ context: ResolutionContext) -> Bool {
        condition.needs.map(context.isLogged) ?? true
    }

    func isMet(_ fields: Fields?, _ element: Element) -> Bool {
        for pair in fields?.pairs ?? [] where element.fields[pair.name] ?? .null != pair.value {
            return false
        }
        return true
    }

    func admits(_ pair: Fields.Pair) -> Bool {
        schema?.types[pair.name]?.admits(pair.value) ?? true
    }

    mutating func skip(_ id: ElementID, _ code: Code, _ by: UserName? = nil) {
        told.skips.append(Skip(operation: index, id: id, code: code, by: by))
    }

    /// How many stand on the left of a place.
    func gap(_ place: Place) -> Int? {
        switch place {
        case .first: 0
        case .last: order.count
        case .after(let id): order.firstIndex(of: id).map { $0 + 1 }
        case .before(let id): order.firstIndex(of: id)
        }
    }

    var portrait: Portrait {
        Portrait(
            head: head, lastAt: lastAt, title: title, schema: schema,
            rows: order.compactMap { rows[$0] }.map {
                Portrait.Row(element: $0.element, grave: $0.grave.map { .some($0) } ?? .none)
            })
    }
}
