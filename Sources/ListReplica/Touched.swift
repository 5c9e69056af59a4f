package import ListModel

/// Which elements may look different from before, and on whose account.
///
/// Gathered as a plain list, since most of it is never asked for: nobody may look at the rows.
package struct Touched: Sendable {
    private var marks: [Mark] = []
    /// Any element may.
    private var isEverything = false
    /// From how many on doubles are taken out, so that it does not outgrow the list.
    private var most = 1_024

    private struct Mark {
        let id: ElementID
        let by: UserName?
        /// Whether the element itself may look different, and not only its author be known.
        let isTouched: Bool
    }

    package init() {}

    package var isEmpty: Bool { !isEverything && !marks.contains { $0.isTouched } }

    /// `nil`: any of them.
    package var ids: Set<ElementID>? {
        isEverything ? nil : Set(marks.lazy.filter(\.isTouched).map(\.id))
    }

    /// Who changed which, as far as it is known.
    package var by: [ElementID: UserName] {
        marks.reduce(into: [:]) { by, mark in
            if let name = mark.by { by[mark.id] = name }
        }
    }

    /// One element, and who changed it.
    package mutating func add(_ id: ElementID, _ by: UserName?) {
        put(Mark(id: id, by: by, isTouched: !isEverything))
    }

    /// The elements of operations, and who did these.
    mutating func add(_ operations: [Operation], _ by: UserName) {
        for operation in operations { operation.forEachTarget { add($0, by) } }
    }

    mutating func add(_ operation: ResolvedOperation, _ by: UserName?) {
        operation.forEachTarget { add($0, by) }
    }

    package mutating func add(_ ids: Set<ElementID>?, _ by: [ElementID: UserName] = [:]) {
        if let ids, !isEverything {
            for id in ids { put(Mark(id: id, by: by[id], isTouched: true)) }
            for (id, name) in by where !ids.contains(id) {
                put(Mark(id: id, by: name, isTouched: false))
            }
        } else {
            isEverything = true
            for (id, name) in by { put(Mark(id: id, by: name, isTouched: false)) }
        }
    }

    package mutating func add(_ other: Touched) {
        if other.isEverything { isEverything = true }
        for mark in other.marks { put(mark) }
    }

    func adding(_ other: Touched) -> Touched {
        var sum = self
        sum.add(other)
        return sum
    }

    private mutating func put(_ mark: Mark) {
        marks.append(mark)
        if marks.count >= most { condense() }
    }

    /// Each element once, with who changed it last.
    private mutating func condense() {
        let (touched, authors) = (ids ?? [], by)
        marks = touched.map { Mark(id: $0, by: authors[$0], isTouched: true) }
        for (id, name) in authors where !touched.contains(id) {
            marks.append(Mark(id: id, by: name, isTouched: false))
        }
        most = max(1_024, marks.count * 2)
    }
}
