package import ListModel

/// The rows as one reader last saw them. Asked later, it tells what turns these into the rows as
/// they are by then, however many changes lay between: O(log n) for each row that was touched, and
/// O(n log n) where anything may have changed.
package struct RowOrder {
    /// A step from rows to other rows.
    package enum Change {
        case insert(Element, at: Int)
        /// With the element as it was shown last.
        case remove(Element, at: Int)
        case move(Element, from: Int, to: Int)
        case update(Element, was: Element, at: Int)
    }

    private var order = CountedTree()
    private var slotOf: [ElementID: CountedTree.Slot] = [:]
    private var elements: ContiguousArray<Element?> = []
    private var free: [CountedTree.Slot] = []

    /// What is followed: the rows of a list or of a view, as they are now.
    package struct Rows {
        package let count: Int
        package let element: (Int) -> Element?
        let index: (ElementID) -> Int?

        package init(_ list: ListState) {
            count = list.count
            element = { list.element(at: $0) }
            index = { list.index(of: $0) }
        }

        package init(_ view: View) {
            count = view.count
            element = { view[$0] }
            index = { view.index(of: $0) }
        }
    }

    package init(_ rows: Rows) {
        for index in 0..<rows.count {
            if let element = rows.element(index) { _ = place(element, after: order.last) }
        }
    }

    package var count: Int { order.livingCount }

    package subscript(id: ElementID) -> Element? { slotOf[id].flatMap { elements[Int($0)] } }

    /// Follows `rows`, of which `touched` may look different (`nil`: any), and answers the steps
    /// from the rows as they were, to be taken one after the other. A row whose fields are the same
    /// is no change.
    package mutating func follow(_ rows: Rows, touched: Set<ElementID>?) -> [Change] {
        let due = touched ?? different(from: rows)
        var changes: [Change] = []
        var here: [(index: Int, element: Element)] = []
        for id in due.sorted() {
            if let index = rows.index(id), let element = rows.element(index) {
                here.append((index, element))
            } else if let slot = slotOf[id], let element = elements[Int(slot)] {
                changes.append(.remove(element, at: order.livingIndex(of: slot)))
                take(slot, id)
            }
        }
        here.sort { $0.index < $1.index }
        // From the left to the right: each goes behind the row behind which it stands in the end,
        // which by then stands there.
        for (index, element) in here {
            let before = slotOf[element.id].map { order.livingIndex(of: $0) }
            let old = self[element.id]
            let previous = rows.element(index - 1).flatMap { slotOf[$0.id] } ?? CountedTree.none
            let after = stand(element, after: previous)
            if let before, let old {
                if before != after { changes.append(.move(element, from: before, to: after)) }
                if old.fields != element.fields {
                    changes.append(.update(element, was: old, at: after))
                }
            } else {
                changes.append(.insert(element, at: after))
            }
        }
        return changes
    }

    /// The fewest rows that, taken out and put back, make these rows the others, and those that
    /// look different. O(n log n).
    private func different(from rows: Rows) -> Set<ElementID> {
        var different: Set<ElementID> = []
        var staying: [(index: Int, id: ElementID)] = []
        order.visit { slot, _ in
            guard let element = elements[Int(slot)] else { return }
            guard let index = rows.index(element.id) else {
                different.insert(element.id)
                return
            }
            staying.append((index, element.id))
            if rows.element(index)?.fields != element.fields { different.insert(element.id) }
        }
        let standing = Self.longestRise(staying.map(\.index))
        for (position, row) in staying.enumerated() where !standing.contains(position) {
            different.insert(row.id)
        }
        for index in 0..<rows.count {
            if let element = rows.element(index), slotOf[element.id] == nil {
                different.insert(element.id)
            }
        }
        return different
    }

    /// The positions of the longest subsequence that rises.
    static func longestRise(_ numbers: [Int]) -> Set<Int> {
        // Where the best subsequence of each length ends; the numbers there rise.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous[position] = low == 0 ? nil : ends[low - 1]
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var rise: Set<Int> = []
        var next = ends.last
        while let position = next {
            rise.insert(position)
            next = previous[position]
        }
        return rise
    }

    /// Puts an element where it belongs, or leaves it there; answers at which index that is.
    private mutating func stand(_ element: Element, after previous: CountedTree.Slot) -> Int {
        if let slot = slotOf[element.id] {
            if order.slot(before: slot) == previous {
                elements[Int(slot)] = element
                return order.livingIndex(of: slot)
            }
            take(slot, element.id)
        }
        let slot = place(element, after: previous)
        return order.livingIndex(of: slot)
    }

    private mutating func place(_ element: Element, after previous: CountedTree.Slot)
        -> CountedTree.Slot
    {
        let slot = free.popLast() ?? CountedTree.Slot(elements.count)
        if Int(slot) == elements.count { elements.append(element) }
        elements[Int(slot)] = element
        slotOf[element.id] = slot
        order.insert(slot, living: true, after: previous)
        return slot
    }

    private mutating func take(_ slot: CountedTree.Slot, _ id: ElementID) {
        order.remove(slot)
        elements[Int(slot)] = nil
        slotOf[id] = nil
        free.append(slot)
    }
}
