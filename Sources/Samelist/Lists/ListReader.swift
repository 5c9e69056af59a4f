internal import ListModel
internal import ListReplica

/// One reader of a list's changes, or of a view's: the rows as it last saw them, and its place in
/// what was told since.
@MainActor
final class ListReader<Element: ListElement> {
    /// What is read; it is kept as long as somebody reads.
    private let source: any RowSource<Element>
    private var order: RowOrder?
    private var place = 0
    private var isDone = false

    nonisolated init(_ source: any RowSource<Element>) { self.source = source }

    func next() async -> ListChange<Element>? {
        while !isDone, !Task.isCancelled {
            guard order != nil else { return begin() }
            if let change = catchUp() { return change }
            if let end = source.list.end {
                isDone = true
                return .closed(end)
            }
            _ = await source.list.touched.more(than: place)
        }
        isDone = true
        order = nil
        return nil
    }

    private func begin() -> ListChange<Element> {
        let rows = source.ordered
        place = source.list.touched.end
        order = RowOrder(rows)
        return .initial(
            (0..<rows.count).compactMap { rows.element($0) }.map(source.decoded.row))
    }

    /// `nil`: the rows are as this reader last saw them.
    private func catchUp() -> ListChange<Element>? {
        let telling = source.list.touched
        guard place < telling.end else { return nil }
        var touched = Touched()
        if let missed = telling.items(from: place) {
            for item in missed { touched.add(item) }
        } else {
            touched.add(nil)
        }
        place = telling.end
        let steps = order?.follow(source.ordered, touched: touched.ids) ?? []
        guard !steps.isEmpty else { return nil }
        let names = Set(steps.compactMap { touched.by[$0.element.id] ?? $0.author })
        return .update(
            Difference(steps: steps.map(step)), by: names.sorted(), version: source.list.version)
    }

    private func step(_ change: RowOrder.Change) -> Difference<Element>.Step {
        let decoded = source.decoded
        return switch change {
        case .insert(let element, let index): .insert(decoded.row(element), at: index)
        case .remove(let element, let index): .remove(decoded.old(element), at: index)
        case .move(let element, let from, let to): .move(decoded.row(element), from: from, to: to)
        case .update(let element, let was, let index):
            .update(decoded.row(element), was: decoded.old(was), at: index)
        }
    }
}

/// A list or a view, as its readers follow it.
@MainActor
protocol RowSource<Item>: AnyObject, Sendable {
    associatedtype Item: ListElement
    var list: OpenList { get }
    var decoded: DecodedRows<Item> { get }
    var ordered: RowOrder.Rows { get }
}

extension RowOrder.Change {
    fileprivate var element: ListModel.Element {
        switch self {
        case .insert(let element, _), .remove(let element, _), .move(let element, _, _),
            .update(let element, _, _):
            element
        }
    }

    /// Who did it, where nobody said so: after a resynchronisation only the rows tell.
    fileprivate var author: UserName? {
        switch self {
        case .insert(let element, _), .update(let element, _, _): element.by
        case .remove, .move: nil
        }
    }
}
