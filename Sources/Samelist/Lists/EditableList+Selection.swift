internal import ListModel

/// The selection: by ID, and never on nothing while there are rows and something was selected.
///
/// Where the selected row is gone, the cursor goes to the row that took its place once somebody
/// looks at the selection, and keeps to that by ID. Until then what the user does was meant for the
/// row that is gone.
extension EditableList {
    /// The selected row. Where it is gone, the row that took its place.
    public var selection: Row<Item>? { selectedIndex.map { self[$0] } }

    /// Where the selected row stands.
    public var selectedIndex: Int? {
        guard selected != nil else { return nil }
        if let index = cursor.flatMap({ index(of: $0) }) {
            cursorAt = index
            return index
        }
        guard !isEmpty else {
            cursor = nil
            return nil
        }
        let place = cursor.flatMap { view == nil ? list.list.state.livingIndex(of: $0) : nil }
        cursorAt = Swift.min(place ?? cursorAt, count - 1)
        cursor = self[cursorAt].meta.elementID
        return cursorAt
    }

    /// Selects an element; `nil`: nothing.
    public func select(_ id: Item.ID?) {
        selected = id?.elementID
        cursor = selected
        if let index = cursor.flatMap({ index(of: $0) }) { cursorAt = index }
    }

    /// Selects the row at an index; outside the rows, the nearest.
    public func select(at index: Int) {
        guard !isEmpty else { return }
        cursorAt = Swift.max(0, Swift.min(index, count - 1))
        selected = self[cursorAt].meta.elementID
        cursor = selected
    }

    /// Selects the next row, or the first.
    public func selectNext() { select(at: selectedIndex.map { $0 + 1 } ?? 0) }
    /// Selects the row before, or the last.
    public func selectPrevious() { select(at: selectedIndex.map { $0 - 1 } ?? count - 1) }

    /// The row that the user saw selected; `nil`: there was none, or it is gone, and a notice says
    /// so.
    func meant() -> Row<Item>? { meantIndex().map { self[$0] } }

    func meantIndex() -> Int? {
        guard selected != nil, let cursor else { return nil }
        if let index = index(of: cursor) { return index }
        tellGone(cursor)
        return nil
    }

    /// Also where the neighbour is gone: its grave keeps the place.
    func place(behind id: ElementID) -> Place? {
        if case .unknown = list.list.state.standing(of: id) { nil } else { .after(id) }
    }

    func index(of id: ElementID) -> Int? {
        if let view { view.index(of: id) } else { list.list.index(of: id) }
    }
}
