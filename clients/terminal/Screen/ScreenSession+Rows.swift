internal import ListModel
internal import ListReplica

/// What stands in a line of the list.
enum RowKey: Hashable {
    case element(ElementID)
    /// The row being typed that does not exist yet.
    case new
}

/// The rows, by number and by identity; and which of them is selected.
extension ScreenSession {
    private var livingCount: Int { replica?.view?.count ?? rows.count }

    private func living(at index: Int) -> ElementID? {
        guard let view = replica?.view else { return rows.element(at: index)?.id }
        return view[index]?.id
    }

    private func livingIndex(of id: ElementID) -> Int? {
        guard let view = replica?.view else { return rows.index(of: id) }
        return view.index(of: id)
    }

    var rowCount: Int { held?.count ?? livingCount + (ghostIndex == nil ? 0 : 1) }

    func row(at index: Int) -> RowKey? {
        if let held { return held.indices.contains(index) ? held[index] : nil }
        guard let ghostIndex, let cursor else { return living(at: index).map { .element($0) } }
        if index == ghostIndex { return .element(cursor) }
        return living(at: index < ghostIndex ? index : index - 1).map { .element($0) }
    }

    func index(of key: RowKey) -> Int? {
        if let held { return held.firstIndex(of: key) }
        guard case .element(let id) = key else { return nil }
        if let ghostIndex, id == cursor { return ghostIndex }
        return livingIndex(of: id).map { index in
            ghostIndex.map { index < $0 ? index : index + 1 } ?? index
        }
    }

    /// The row that has the keys.
    var cursorKey: RowKey? {
        if case .adding = mode { return .new }
        return cursor.map { .element($0) }
    }

    /// Whether the selected element is among the rows, so that a key may act on it.
    var cursorIsLiving: Bool { ghostIndex == nil && cursor.map { rows[$0] != nil } ?? false }

    /// Brings the selection in line with the rows; ends every call from outside.
    func settle(_ now: Timestamp) {
        marked = marked.filter { rows[$0] != nil }
        counting.look(at: rows, now)
        placeCursor()
        attend(now)
    }

    func placeCursor() {
        guard held == nil else { return }
        ghostIndex = nil
        if cursor == nil { cursor = living(at: 0) }
        guard let cursor else { return }
        if let index = livingIndex(of: cursor) {
            cursorIndex = index
            lastTitles = [cursor: titleOf(cursor)]
        } else {
            cursorIndex = place(of: cursor)
            ghostIndex = cursorIndex
        }
    }

    /// Among the rows, the index at which an element that is not one of them would stand.
    private func place(of id: ElementID) -> Int {
        guard let place = rows.orderIndex(of: id) else { return min(cursorIndex, livingCount) }
        var low = 0
        var high = livingCount
        while low < high {
            let middle = (low + high) / 2
            let other = living(at: middle).flatMap { rows.orderIndex(of: $0) } ?? 0
            if other < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// After one's own doing the selection goes to the neighbour of a row that it took away.
    func stepOffIfGone() {
        guard let cursor, livingIndex(of: cursor) == nil else { return }
        ghostIndex = nil
        cursorIndex = min(place(of: cursor), max(0, livingCount - 1))
        self.cursor = living(at: cursorIndex)
    }

    func select(_ index: Int) {
        guard rowCount > 0 else { return }
        let index = min(max(0, index), rowCount - 1)
        if case .element(let id)? = row(at: index), id != cursor {
            cursor = id
            cursorIndex = index
        }
    }

    /// By so many rows from where the selection is.
    func step(_ count: Int) {
        guard let key = cursorKey, let index = index(of: key) else { return select(0) }
        select(index + count)
    }

    func select(_ id: ElementID) {
        cursor = id
        ghostIndex = nil
        cursorIndex = livingIndex(of: id) ?? cursorIndex
    }

    /// Rows on either side of the edited one that stand still: more than a screen has.
    private static let mostHeld = 200

    /// From here on the rows around the selection stand still.
    func hold(adding isAdding: Bool = false) {
        guard held == nil else { return }
        let at = cursorKey.flatMap { index(of: $0) } ?? cursorIndex
        let range = max(0, at - Self.mostHeld)..<max(0, min(rowCount, at + Self.mostHeld))
        var keys = range.compactMap { row(at: $0) }
        if isAdding {
            let index = cursor.flatMap { keys.firstIndex(of: .element($0)) }
            keys.insert(.new, at: index.map { $0 + 1 } ?? keys.count)
        }
        for case .element(let id) in keys where rows[id] != nil { lastTitles[id] = titleOf(id) }
        held = keys
    }

    func release() { held = nil }
}
