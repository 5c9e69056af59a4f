public import FoundationEssentials
internal import ListModel
public import ListReplica
public import Observation

/// Filtered and sorted elements of a list, alive.
///
/// It is a collection of elements: of those that decode, pass the filter, in the order asked for,
/// and otherwise in that of the list. Its offsets are its own, so `remove(atOffsets:)` and
/// `move(fromOffsets:toOffset:)` mean the rows of the view. A change costs O(log n) calls of the
/// filter's and the comparison's, not another pass over the list.
@MainActor
@Observable
public final class LiveView<Element: ListElement> {
    public let list: LiveList<Element>

    init(_ list: LiveList<Element>) { self.list = list }

    /// The element with this ID, if it is among the results.
    public subscript(id id: Element.ID) -> Element? { nil }
    public func index(id: Element.ID) -> Int? { nil }
    public func contains(id: Element.ID) -> Bool { false }
    /// Whether the element is among the results only because an editor is open on it.
    public func isPinned(_ id: Element.ID) -> Bool { false }
    /// The rows as they are now, for a gesture that begins. O(n).
    public var shownRows: ShownRows { ShownRows([]) }
    /// All elements, then what changes.
    public var changes: ListChanges<Element> { ListChanges() }

    /// Removes the rows at these offsets. `rows` are those that the user saw; `nil`: those of now.
    @discardableResult
    public func remove(atOffsets offsets: some Sequence<Int>, of rows: ShownRows? = nil)
        throws(ListError) -> Submission<Void>
    {
        try list.remove(atOffsets: offsets, of: rows ?? shownRows)
    }

    /// Moves the rows at these offsets before the row that has the offset `destination`: in the
    /// list, behind the element that stands above it in the view.
    @discardableResult
    public func move(
        fromOffsets source: some Sequence<Int>, toOffset destination: Int,
        of rows: ShownRows? = nil
    ) throws(ListError) -> Submission<Void> {
        try list.move(fromOffsets: source, toOffset: destination, of: rows ?? shownRows)
    }

    /// Opens an editor through the view: it is told when its element leaves the results.
    public func edit(
        _ id: Element.ID, policy: EditorPolicy = .draft, onVanish: VanishRule = .notify
    ) throws(ListError) -> Editor<Element> {
        try list.edit(id, policy: policy, onVanish: onVanish)
    }
}

extension LiveView: @MainActor RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    /// The element with `index` others before it. O(log n). The index is one of the view as it is:
    /// another is an error of the program, as with an array.
    public subscript(index: Int) -> Element { preconditionFailure() }
}

extension LiveList {
    /// The elements that pass a filter, in an order of their own: `sortedBy` answers whether the
    /// first stands before the second. Equal ones stand as in the list. With `pinning`, a row
    /// under an open editor stays until the editor closes, though it no longer passes.
    public func view(
        where isIncluded: @escaping @MainActor (Item) -> Bool = { _ in true },
        sortedBy areInOrder: (@MainActor (Item, Item) -> Bool)? = nil, pinning: Bool = false
    ) -> LiveView<Item> { LiveView(self) }

    /// The elements that pass a predicate; one that cannot be evaluated passes nothing.
    public func view(where predicate: Predicate<Item>, pinning: Bool = false) -> LiveView<Item> {
        LiveView(self)
    }

    /// The elements that pass a predicate, in the order of comparators, the first being the
    /// weightiest.
    public func view<Comparator: SortComparator<Item>>(
        where predicate: Predicate<Item>, sortedBy comparators: [Comparator],
        pinning: Bool = false
    ) -> LiveView<Item> { LiveView(self) }

    /// The elements that pass a filter, in the order of comparators, the first being the
    /// weightiest.
    public func view<Comparator: SortComparator<Item>>(
        where isIncluded: @escaping @MainActor (Item) -> Bool = { _ in true },
        sortedBy comparators: [Comparator], pinning: Bool = false
    ) -> LiveView<Item> { LiveView(self) }
}
