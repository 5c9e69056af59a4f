/// What a list, a view, a screen's model and the rows that were shown have in common: they are
/// collections of rows, and rows may come and go while somebody walks them.
///
/// So an index that was valid a moment ago may lie outside: nothing traps there, and reading
/// answers a row without an element. What goes on for longer looks at the rows as they were when it
/// began: a slice, `map`, `firstIndex(where:)` and their like, and every `for` loop. Whatever is
/// done to the list meanwhile, each of them sees every row once.
@MainActor
public protocol RowCollection<Item>: RandomAccessCollection
where
    Element == Row<Item>, Index == Int, Indices == Range<Int>, SubSequence == Slice<Rows<Item>>
{
    /// The type of the rows' elements.
    associatedtype Item: ListElement
    /// The rows as they are now: a value.
    var rows: Rows<Item> { get }
}

extension RowCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The indexes of all rows, as of now.
    public var indices: Range<Int> { 0..<Swift.max(0, endIndex) }

    /// Some of the rows as they are now: a value. Where there is no row, it has rows without an
    /// element. O(n) once after each change.
    public subscript(bounds: Range<Int>) -> Slice<Rows<Item>> {
        Slice(base: rows, bounds: bounds)
    }

    /// The index behind another, also outside the rows.
    public func index(after index: Int) -> Int { index + 1 }
    /// The index before another, also outside the rows.
    public func index(before index: Int) -> Int { index - 1 }
    /// The index that many rows on, also outside the rows.
    public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }
    /// How far the second index stands behind the first, also outside the rows.
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    /// What a closure makes of each row, of the rows as they are now. O(n).
    public func map<Result, Failure: Error>(
        _ transform: (Row<Item>) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        var results: [Result] = []
        results.reserveCapacity(count)
        for row in rows { results.append(try transform(row)) }
        return results
    }

    /// Where the first row stands that meets a condition, among the rows as they are now. O(n).
    public func firstIndex(where holds: (Row<Item>) throws -> Bool) rethrows -> Int? {
        for (index, row) in rows.enumerated() where try holds(row) { return index }
        return nil
    }

    /// Where the last row stands that meets a condition, among the rows as they are now. O(n).
    public func lastIndex(where holds: (Row<Item>) throws -> Bool) rethrows -> Int? {
        let rows = rows
        for index in stride(from: rows.endIndex - 1, through: 0, by: -1)
        where try holds(rows[index]) {
            return index
        }
        return nil
    }

    /// The last row that meets a condition, among the rows as they are now. O(n).
    public func last(where holds: (Row<Item>) throws -> Bool) rethrows -> Row<Item>? {
        let rows = rows
        return try rows.lastIndex(where: holds).map { rows[$0] }
    }

    /// The rows before the first that does not meet a condition. O(n).
    public func prefix(while holds: (Row<Item>) throws -> Bool) rethrows -> Slice<Rows<Item>> {
        let rows = rows
        return rows[0..<(try rows.firstIndex { try !holds($0) } ?? rows.endIndex)]
    }

    /// The rows from the first on that does not meet a condition. O(n).
    public func drop(while holds: (Row<Item>) throws -> Bool) rethrows -> Slice<Rows<Item>> {
        let rows = rows
        let start = try rows.firstIndex { try !holds($0) } ?? rows.endIndex
        return rows[start..<rows.endIndex]
    }

    /// The rows as they are now, from the last to the first.
    public func reversed() -> ReversedCollection<Slice<Rows<Item>>> {
        rows[0..<rows.endIndex].reversed()
    }

    /// The elements that decode, in order; their offsets are not those of the rows where one does
    /// not. O(n).
    public var elements: [Item] { compactMap(\.element) }
}
