internal import ListModel

/// Rows by ID as they were last decoded, so that reading an element again costs a look-up.
@MainActor
final class DecodedRows<Element: ListElement> {
    private let list: OpenList
    private var rows: [ElementID: Known] = [:]
    /// How often an element was decoded.
    private(set) var decodings = 0

    /// By reference, so that a comparison of two elements copies neither.
    private final class Known {
        let element: ListModel.Element
        let row: Row<Element>
        let decoded: Element?

        init(_ element: ListModel.Element) {
            self.element = element
            row = Row<Element>(element)
            decoded = row.element
        }
    }

    init(of list: OpenList) { self.list = list }

    func row(_ element: ListModel.Element) -> Row<Element> { known(element).row }

    /// The decoded element alone; `nil` where it does not decode.
    func decoded(_ element: ListModel.Element) -> Element? { known(element).decoded }

    private func known(_ element: ListModel.Element) -> Known {
        // By the whole element: what is pending has no version of its own yet. Fields that did not
        // change are the same storage, and compared in no time.
        if let known = rows[element.id], known.element == element { return known }
        decodings += 1
        let known = Known(element)
        rows[element.id] = known
        if rows.count > 2 * list.count + Self.surplus { forgetDead() }
        return known
    }

    /// The row of an element as it was, which is not remembered.
    func old(_ element: ListModel.Element) -> Row<Element> {
        if let known = rows[element.id], known.element == element { return known.row }
        return Row<Element>(element)
    }

    /// Rows kept of what is no longer in the list, besides as many as the list has.
    private static var surplus: Int { 100 }

    private func forgetDead() {
        let state = list.state
        rows = rows.filter { state[$0.key] != nil }
    }
}
