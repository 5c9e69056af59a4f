public import FoundationEssentials

/// Looking at a list through filters and orders. Filters are closures or predicates; orders are
/// closures, one comparator, or several.
extension LiveList {
    /// The elements that pass a filter, in an order of their own: `sortedBy` answers whether the
    /// first stands before the second. Equal ones stand as in the list. With `pinning`, a row whose
    /// editor was opened through the view stays until that closes, though it no longer passes.
    public func view(
        where isIncluded: @escaping @MainActor (Item) -> Bool = { _ in true },
        sortedBy areInOrder: (@MainActor (Item, Item) -> Bool)? = nil, pinning: Bool = false
    ) -> LiveView<Item> {
        let compare = areInOrder.map { areInOrder in
            { @MainActor (left: Item, right: Item) in
                areInOrder(left, right) ? -1 : areInOrder(right, left) ? 1 : 0
            }
        }
        return LiveView(of: self, where: isIncluded, compare: compare, pinning: pinning)
    }

    /// The elements that pass a filter, in the order of comparators, the first being the
    /// weightiest.
    public func view<Comparator: SortComparator<Item>>(
        where isIncluded: @escaping @MainActor (Item) -> Bool = { _ in true },
        sortedBy comparators: [Comparator], pinning: Bool = false
    ) -> LiveView<Item> {
        LiveView(
            of: self, where: isIncluded,
            compare: { left, right in
                for comparator in comparators {
                    switch comparator.compare(left, right) {
                    case .orderedAscending: return -1
                    case .orderedDescending: return 1
                    case .orderedSame: continue
                    }
                }
                return 0
            }, pinning: pinning)
    }

    /// The elements that pass a filter, in the order of a comparator.
    public func view(
        where isIncluded: @escaping @MainActor (Item) -> Bool = { _ in true },
        sortedBy comparator: some SortComparator<Item>, pinning: Bool = false
    ) -> LiveView<Item> {
        view(where: isIncluded, sortedBy: [comparator], pinning: pinning)
    }

    /// The elements that pass a predicate, in an order of their own. One that cannot be evaluated
    /// passes nothing.
    public func view(
        where predicate: Predicate<Item>,
        sortedBy areInOrder: (@MainActor (Item, Item) -> Bool)? = nil, pinning: Bool = false
    ) -> LiveView<Item> {
        view(where: Self.filter(predicate), sortedBy: areInOrder, pinning: pinning)
    }

    /// The elements that pass a predicate, in the order of comparators, the first being the
    /// weightiest.
    public func view<Comparator: SortComparator<Item>>(
        where predicate: Predicate<Item>, sortedBy comparators: [Comparator],
        pinning: Bool = false
    ) -> LiveView<Item> {
        view(where: Self.filter(predicate), sortedBy: comparators, pinning: pinning)
    }

    /// The elements that pass a predicate, in the order of a comparator.
    public func view(
        where predicate: Predicate<Item>, sortedBy comparator: some SortComparator<Item>,
        pinning: Bool = false
    ) -> LiveView<Item> {
        view(where: Self.filter(predicate), sortedBy: [comparator], pinning: pinning)
    }

    private static func filter(_ predicate: Predicate<Item>) -> @MainActor (Item) -> Bool {
        { (try? predicate.evaluate($0)) ?? false }
    }
}
