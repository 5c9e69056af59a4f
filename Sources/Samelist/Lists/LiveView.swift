internal import ListModel
public import ListReplica
public import Observation

/// Filtered and sorted rows of a list, alive.
///
/// It holds the elements that decode and pass the filter, in the order asked for, and otherwise in
/// that of the list. Its indexes are its own; what a gesture on it means is said by its `rows`. A
/// change of the list costs O(log n)
/// calls of the filter's and the comparison's for each element that changed; both may look at
/// nothing but the elements.
@MainActor
@Observable
public final class LiveView<Item: ListElement> {
    /// The list that is looked at.
    public let source: LiveList<Item>
    @ObservationIgnored private let number: ViewNumber
    @ObservationIgnored private let isIncluded: @MainActor (Item) -> Bool

    init(
        of source: LiveList<Item>, where isIncluded: @escaping @MainActor (Item) -> Bool,
        compare: (@MainActor (Item, Item) -> Int)?, pinning: Bool
    ) {
        self.source = source
        self.isIncluded = isIncluded
        let decoded = source.decoded
        // What a list does, it does on the main actor; its views are part of it.
        let admits = { (element: ListModel.Element) in
            MainActor.assumeIsolated { decoded.decoded(element).map(isIncluded) ?? false }
        }
        let order = compare.map { compare in
            { (left: ListModel.Element, right: ListModel.Element) in
                MainActor.assumeIsolated {
                    guard let left = decoded.decoded(left),
                        let right = decoded.decoded(right)
                    else { return 0 }
                    return compare(left, right)
                }
            }
        }
        let replica = source.list.replica
        number = replica.add(
            View(where: admits, sortedBy: order, pins: pinning, of: replica.list))
    }

    isolated deinit { source.list.replica.remove(number) }

    private var view: View? {
        _ = source.list.state
        return source.list.replica.views[number]
    }

    /// The elements, as they are now; their offsets are those of the view. O(n).
    public var elements: [Item] { compactMap(\.element) }

    /// The element with this ID, if it is among the results. O(1).
    public subscript(id id: Item.ID) -> Item? { contains(id: id) ? source[id: id] : nil }

    /// How many rows stand before the one with this ID. O(log n).
    public func index(id: Item.ID) -> Int? {
        id.elementID.flatMap { view?.index(of: $0) }
    }

    func index(of id: ElementID) -> Int? { view?.index(of: id) }

    /// Whether the element is among the results.
    public func contains(id: Item.ID) -> Bool {
        id.elementID.map { view?.contains($0) ?? false } ?? false
    }

    /// Whether the element is among the results only because an editor is open on it.
    public func isPinned(_ id: Item.ID) -> Bool { self[id: id].map { !isIncluded($0) } ?? false }

    /// The rows as they are now, to be shown: a value, whose offsets mean the same rows whatever
    /// becomes of the view. O(n).
    public var rows: Rows<Item> { Rows(list: source, elements: view?.rows ?? []) }

    /// All rows, then what changes, as with the list's own.
    public var changes: ListChanges<Item> { ListChanges(source: self) }

    /// Opens an editor through the view: it is told when its element leaves the results, or, where
    /// the view pins, the element stays among them. A draft is looked at through the view that
    /// was last asked for it.
    public func edit(
        _ id: Item.ID, policy: EditorPolicy = .draft, onVanish: VanishRule = .notify
    ) throws(ListError) -> Editor<Item> {
        try source.edit(id, policy, onVanish, through: number)
    }
}

extension LiveView: @MainActor RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many rows there are.
    public var endIndex: Int { view?.count ?? 0 }

    /// The row with `index` others before it. O(log n). As with the list, an index behind the end
    /// answers a row without an element.
    public subscript(index: Int) -> Row<Item> {
        view?[index].map(decoded.row) ?? Row(outside: index)
    }

    /// Over the rows as they are now, whatever happens to the list meanwhile. O(n).
    public func makeIterator() -> IndexingIterator<[Row<Item>]> {
        (view?.rows ?? []).map(decoded.row).makeIterator()
    }
}

extension LiveView: RowSource {
    var list: OpenList { source.list }
    var decoded: DecodedRows<Item> { source.decoded }
    var ordered: RowOrder.Rows { view.map { RowOrder.Rows($0) } ?? RowOrder.Rows(ListState()) }
}
