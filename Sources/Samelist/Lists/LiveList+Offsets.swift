/// Where a gesture's offsets do not belong: rows shift under them. Whoever looks for these verbs
/// here is told by the compiler where they are.
extension LiveList {
    /// Not here: rows shift while others edit. Show `rows`, and say it to those that are shown.
    @available(
        *, unavailable,
        message: "rows shift while others edit: show `rows`, and call `rows.remove(atOffsets:)`"
    )
    @discardableResult
    public func remove(atOffsets offsets: some Sequence<Int>) throws(ListError)
        -> Submission<Void>
    { throw .shifting }

    /// Not here: rows shift while others edit. Show `rows`, and say it to those that are shown.
    @available(
        *, unavailable,
        message: "rows shift while others edit: show `rows`, and call `rows.move(fromOffsets:…)`"
    )
    @discardableResult
    public func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int)
        throws(ListError) -> Submission<Void>
    { throw .shifting }

    /// Not here: rows shift while others edit. Name a neighbour, or say it to the rows shown.
    @available(
        *, unavailable,
        message: "rows shift while others edit: `at: .after(id)`, or `rows.insert(_:at:)`"
    )
    @discardableResult
    public func insert(_ element: Item, at index: Int) throws(ListError) -> Submission<Item> {
        throw .shifting
    }
}

extension LiveView {
    /// Not here: rows shift while others edit. Show `rows`, and say it to those that are shown.
    @available(
        *, unavailable,
        message: "rows shift while others edit: show `rows`, and call `rows.remove(atOffsets:)`"
    )
    @discardableResult
    public func remove(atOffsets offsets: some Sequence<Int>) throws(ListError)
        -> Submission<Void>
    { throw .shifting }

    /// Not here: rows shift while others edit. Show `rows`, and say it to those that are shown.
    @available(
        *, unavailable,
        message: "rows shift while others edit: show `rows`, and call `rows.move(fromOffsets:…)`"
    )
    @discardableResult
    public func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int)
        throws(ListError) -> Submission<Void>
    { throw .shifting }
}

extension ListError {
    fileprivate static var shifting: ListError {
        ListError(.noSuchElement, "rows shift while others edit; say it to `rows`")
    }
}
