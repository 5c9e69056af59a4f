package import ListModel

/// Filtered and sorted rows of a replica, by ID. A change costs O(log² n), however long the list
/// is: the rows stand in a counted tree, and a row finds its place by halving.
package struct View {
    /// What the shell's language filters and sorts by; closures know nothing of them.
    package let filter: Filter
    package let sort: Sort?
    /// Which elements are among the results.
    let admits: (Element) -> Bool
    /// Negative, 0 or positive, as the first stands before, beside or behind the second; what
    /// stands beside each other stands as in the list, and so does all where there is none.
    private let compare: ((Element, Element) -> Int)?
    /// Whether it is the list as it is.
    let isWhole: Bool
    /// Whether rows under open editors stay, though they no longer fit.
    package let pins: Bool
    private var order = CountedTree()
    private var slotOf: [ElementID: CountedTree.Slot] = [:]
    private var elements: ContiguousArray<Element?> = []
    private var free: [CountedTree.Slot] = []

    /// A change of the rows, to be applied in turn to the rows as they were.
    package enum RowChange: Hashable, Sendable {
        case insert(ElementID, at: Int)
        case remove(ElementID, at: Int)
        case move(ElementID, from: Int, to: Int)
        case update(ElementID, at: Int)
    }

    package init(_ filter: Filter, sort: Sort? = nil, pins: Bool = false, of list: ListState) {
        self.filter = filter
        self.sort = sort
        self.pins = pins
        admits = filter.admits
        compare = sort.map { $0.compare }
        isWhole = filter.isEmpty && sort == nil
        rebuild(from: list, pinned: [])
    }

    /// By any filter and order. Both are asked again only about elements that changed, so they may
    /// look at nothing else.
    package init(
        where admits: @escaping (Element) -> Bool,
        sortedBy compare: ((Element, Element) -> Int)? = nil, pins: Bool = false,
        of list: ListState
    ) {
        filter = Filter()
        sort = nil
        self.pins = pins
        self.admits = admits
        self.compare = compare
        isWhole = false
        rebuild(from: list, pinned: [])
    }

    package var count: Int { order.livingCount }

    package subscript(index: Int) -> Element? {
        let slot = order.slot(atLiving: index)
        return slot < 0 ? nil : elements[Int(slot)]
    }

    package func index(of id: ElementID) -> Int? { slotOf[id].map { order.livingIndex(of: $0) } }

    package func contains(_ id: ElementID) -> Bool { slotOf[id] != nil }

    package var rows: [Element] {
        var result: [Element] = []
        order.visit { slot, _ in
            if let element = elements[Int(slot)] { result.append(element) }
        }
        return result
    }

    package mutating func rebuild(from list: ListState, pinned: Set<ElementID>) {
        order = CountedTree()
        slotOf = [:]
        elements = []
        free = []
        var fitting = list.elements.filter { admits($0) || (pins && pinned.contains($0.id)) }
        if let compare {
            fitting = fitting.enumerated().sorted { left, right in
                switch compare(left.element, right.element) {
                case 0: left.offset < right.offset
                case let order: order < 0
                }
            }.map(\.element)
        }
        for element in fitting { place(element, after: order.last) }
    }

    /// Brings the rows of `touched` up to date; answers what changed, to be applied in turn.
    ///
    /// All touched rows are taken out before the first finds its place, since halving needs rows
    /// that stand right. Then they are put back, and changed one by one, from the left to the
    /// right: each goes behind the row that it stands behind in the end.
    package mutating func update(
        _ touched: some Sequence<ElementID>, from list: ListState, pinned: Set<ElementID>
    ) -> [RowChange] {
        var changes: [RowChange] = []
        var due: [Element] = []
        for id in Set(touched).sorted() {
            if let element = list[id], admits(element) || (pins && pinned.contains(id)) {
                due.append(element)
            } else if let slot = slotOf[id] {
                changes.append(.remove(id, at: order.livingIndex(of: slot)))
                take(slot, id)
            }
        }
        for step in steps(to: due, in: list) {
            let element = step.element
            let before = index(of: element.id)
            let old = slotOf[element.id].flatMap { elements[Int($0)] }
            if let slot = slotOf[element.id] { take(slot, element.id) }
            place(element, after: slot(of: step.previous))
            guard let after = index(of: element.id) else { continue }
            if let before {
                if before != after { changes.append(.move(element.id, from: before, to: after)) }
                if old != element { changes.append(.update(element.id, at: after)) }
            } else {
                changes.append(.insert(element.id, at: after))
            }
        }
        return changes
    }

    /// Behind which row each of `due` stands in the end, from the left to the right. The rows are
    /// as they were afterwards: what is taken out last goes back first, so that its neighbour
    /// stands.
    private mutating func steps(to due: [Element], in list: ListState) -> [Step] {
        var taken: [(row: Element, previous: ElementID?)] = []
        for element in due {
            guard let slot = slotOf[element.id], let row = elements[Int(slot)] else { continue }
            taken.append((row, id(before: slot)))
            take(slot, element.id)
        }
        for element in due { place(element, after: previous(of: element, in: list)) }
        let placed = due.compactMap { element in
            slotOf[element.id].map { (index: order.livingIndex(of: $0), slot: $0, element) }
        }
        let steps = placed.sorted { $0.index < $1.index }.map { _, slot, element in
            Step(element: element, previous: id(before: slot))
        }
        for (_, slot, element) in placed { take(slot, element.id) }
        for (row, previous) in taken.reversed() { place(row, after: slot(of: previous)) }
        return steps
    }

    private func id(before slot: CountedTree.Slot) -> ElementID? {
        let previous = order.slot(before: slot)
        return previous < 0 ? nil : elements[Int(previous)]?.id
    }

    private func slot(of id: ElementID?) -> CountedTree.Slot {
        id.flatMap { slotOf[$0] } ?? CountedTree.none
    }

    private struct Step {
        let element: Element
        let previous: ElementID?
    }

    /// The last row that stands before this element, by halving.
    private func previous(of element: Element, in list: ListState) -> CountedTree.Slot {
        var low = 0
        var high = order.livingCount
        while low < high {
            let middle = (low + high) / 2
            if let row = self[middle], stands(row, before: element, list) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low == 0 ? CountedTree.none : order.slot(atLiving: low - 1)
    }

    private func stands(_ row: Element, before element: Element, _ list: ListState) -> Bool {
        if let compare {
            let order = compare(row, element)
            if order != 0 { return order < 0 }
        }
        return (list.orderIndex(of: row.id) ?? 0) < (list.orderIndex(of: element.id) ?? 0)
    }

    private mutating func place(_ element: Element, after previous: CountedTree.Slot) {
        let slot = free.popLast() ?? CountedTree.Slot(elements.count)
        if Int(slot) == elements.count { elements.append(element) }
        elements[Int(slot)] = element
        slotOf[element.id] = slot
        order.insert(slot, living: true, after: previous)
    }

    private mutating func take(_ slot: CountedTree.Slot, _ id: ElementID) {
        order.remove(slot)
        elements[Int(slot)] = nil
        slotOf[id] = nil
        free.append(slot)
    }
}
