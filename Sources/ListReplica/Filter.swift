package import ListModel

/// Which elements a view shows.
package struct Filter: Hashable, Sendable {
    /// One of the element's texts contains this, ignoring case; empty: all.
    package var text: String
    /// These fields have these values.
    package var fields: Fields

    package init(text: String = "", fields: Fields = Fields()) {
        self.text = text
        self.fields = fields
        needle = text.lowercased()
    }

    private let needle: String

    package var isEmpty: Bool { text.isEmpty && fields.isEmpty }

    package func admits(_ element: Element) -> Bool {
        guard fields.pairs.allSatisfy({ (element.fields[$0.name] ?? .null) == $0.value }) else {
            return false
        }
        return needle.isEmpty
            || element.fields.pairs.contains { pair in
                pair.value.text?.lowercased().contains(needle) ?? false
            }
    }
}

/// In which order a view shows them; equal ones stay in list order.
package struct Sort: Hashable, Sendable {
    package var field: FieldName
    package var descending: Bool

    package init(_ field: FieldName, descending: Bool = false) {
        self.field = field
        self.descending = descending
    }
}

extension Sort {
    /// Negative, 0 or positive, as `left` stands before, beside or behind `right`.
    func compare(_ left: Element, _ right: Element) -> Int {
        let order = (left.fields[field] ?? .null).compare(right.fields[field] ?? .null)
        return descending ? -order : order
    }
}

extension Value {
    /// Nothing, then booleans, numbers, texts and the rest; each kind in its own order.
    fileprivate func compare(_ other: Value) -> Int {
        func order<Key: Comparable>(_ left: Key, _ right: Key) -> Int {
            left < right ? -1 : left > right ? 1 : 0
        }
        switch (self, other) {
        case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
        case (.int(let left), .int(let right)): return order(left, right)
        case (.int(let left), .double(let right)): return order(Double(left), right)
        case (.double(let left), .int(let right)): return order(left, Double(right))
        case (.double(let left), .double(let right)): return order(left, right)
        case (.text(let left), .text(let right)): return order(left, right)
        default: return order(rank, other.rank)
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .double: 2
        case .text: 3
        case .array: 4
        case .object: 5
        }
    }
}
