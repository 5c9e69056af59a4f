internal import ListModel
internal import ListReplica

/// The rows of a list, or of a view, as they were when they were asked for: what a screen shows.
///
/// A gesture names rows by their numbers, and these shift under it while others edit. Its verbs
/// mean the rows in here, whatever became of the list meanwhile:
///
/// ```swift
/// let rows = todos.rows
/// for row in rows { print(row.title ?? "unreadable") }
/// // Later, what the user swiped away and dragged:
/// try rows.remove(atOffsets: [2])
/// try rows.move(fromOffsets: [0], toOffset: 2)
/// ```
///
/// With a `ForEach` over `rows`, these are the actions of `onDelete` and `onMove`. Asking for the
/// rows again costs nothing until the list changes, and O(n) then.
@MainActor
public struct Rows<Item: ListElement> {
    /// The list to which they belong.
    public let list: LiveList<Item>
    let elements: [ListModel.Element]

    private var shown: ShownRows { ShownRows(elements.map(\.id)) }

    /// Removes the rows at these offsets, as one. Those that are gone already are passed over, as
    /// are numbers outside the rows.
    @discardableResult
    public func remove(atOffsets offsets: some Sequence<Int>) throws(ListError)
        -> Submission<Void>
    {
        let living = shown.remove(atOffsets: offsets).filter { operation in
            operation.targets.allSatisfy { list.list[$0] != nil }
        }
        return try list.submitted((), living)
    }

    /// Moves the rows at these offsets, in their order, before the row that has the offset
    /// `destination`: right behind the row that stands above it in here; at 0, to the head of the
    /// list. Those that are gone already are passed over.
    @discardableResult
    public func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int)
        throws(ListError) -> Submission<Void>
    {
        let living = Set(source).filter { offset in
            elements.indices.contains(offset) && list.list[elements[offset].id] != nil
        }
        let move = shown.move(fromOffsets: living, toOffset: destination)
        return try list.submitted((), move.map { [$0] } ?? [])
    }

    /// Puts an element before the row at `index`: right behind the one above it, or at the head of
    /// the list. Outside the rows, at the nearest end of them.
    @discardableResult
    public func insert(_ element: Item, at index: Int) throws(ListError) -> Submission<Item> {
        let above = elements.prefix(Swift.max(0, index)).last
        return try list.put(element, at: above.map { .after($0.id) } ?? .first)
    }
}

extension Rows: @MainActor RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many rows there are.
    public var endIndex: Int { elements.count }

    /// The row with `index` others before it, as it was. An index behind the end answers a row
    /// without an element, as with the list.
    public subscript(index: Int) -> Row<Item> {
        guard elements.indices.contains(index) else { return Row(outside: index) }
        return list.decoded.old(elements[index])
    }
}
