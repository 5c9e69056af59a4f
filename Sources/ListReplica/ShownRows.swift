public import ListModel

/// The rows as somebody saw them when a gesture on them began. A gesture names rows by their
/// numbers; here these become IDs, so that what others did to the list meanwhile does not make it
/// mean another row. The signatures are those of SwiftUI's `onDelete` and `onMove`.
public struct ShownRows: Hashable, Sendable {
    /// The IDs of the rows, in order.
    public let ids: [ElementID]

    /// Rows of these IDs, as somebody sees them.
    public init(_ ids: [ElementID]) { self.ids = ids }

    /// The deletion of the rows at `offsets`; numbers outside the rows are passed over.
    public func remove(atOffsets offsets: some Sequence<Int>) -> [Operation] {
        ids(at: offsets).map { Operation(.delete($0, unlessEdited: false)) }
    }

    /// The move of the rows at `source`, in their order, to stand before the row that had the
    /// number `destination`; at 0 they go to the head of the list, behind the last row to stand
    /// behind it. `nil`: there is nothing to move.
    public func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int)
        -> Operation?
    {
        let moved = ids(at: source)
        guard !moved.isEmpty else { return nil }
        let above = ids.prefix(max(0, destination)).last { !moved.contains($0) }
        return Operation(.move(moved, to: above.map { .after($0) } ?? .first))
    }

    private func ids(at offsets: some Sequence<Int>) -> [ElementID] {
        Set(offsets).sorted().compactMap { ids.indices.contains($0) ? ids[$0] : nil }
    }
}
