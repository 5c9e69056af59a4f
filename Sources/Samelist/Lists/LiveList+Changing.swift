internal import ListModel

/// What one can do to an element.
extension LiveList {
    /// Changes an element; only the fields that differ afterwards are sent, so that what others
    /// change meanwhile stands beside it. The ID stays what it is.
    @discardableResult
    public func update(_ id: Item.ID, _ change: (inout Item) -> Void) throws(ListError)
        -> Submission<Item>
    {
        let (element, before) = try living(id)
        var after = before
        change(&after)
        return try submitted(after, replacing: before, in: element)
    }

    /// The same with a closure that may throw; nothing is changed then.
    @discardableResult
    public func update(_ id: Item.ID, _ change: (inout Item) throws -> Void) throws
        -> Submission<Item>
    {
        let (element, before) = try living(id)
        var after = before
        try change(&after)
        return try submitted(after, replacing: before, in: element)
    }

    private func submitted(
        _ after: Item, replacing before: Item, in element: ListModel.Element
    ) throws(ListError) -> Submission<Item> {
        let changes = try ElementCoder.changes(from: before, to: after, in: element.fields)
        return try submitted(after, changes.isEmpty ? [] : [Operation(.set(element.id, changes))])
    }

    /// Adds to a number; what others add meanwhile is added, too.
    @discardableResult
    public func increment<Number: Numeric & Codable & Sendable>(
        _ id: Item.ID, _ field: WritableKeyPath<Item, Number>, by amount: Number = 1
    ) throws(ListError) -> Submission<Item> {
        try count(id, by: amount) { $0[keyPath: field] = $0[keyPath: field] == 0 ? 1 : 0 }
    }

    /// Adds to a number that may not be there yet; it counts from 0 then.
    @discardableResult
    public func increment<Number: Numeric & Codable & Sendable>(
        _ id: Item.ID, _ field: WritableKeyPath<Item, Number?>, by amount: Number = 1
    ) throws(ListError) -> Submission<Item> {
        try count(id, by: amount) { $0[keyPath: field] = $0[keyPath: field] == 0 ? 1 : 0 }
    }

    /// `alter` writes another number there; by that the field is known.
    private func count<Number: Numeric & Codable & Sendable>(
        _ id: Item.ID, by amount: Number, _ alter: (inout Item) -> Void
    ) throws(ListError) -> Submission<Item> {
        var (element, before) = try living(id)
        var other = before
        alter(&other)
        let field = try ElementCoder.field(differing: before, other)
        let amount = try ElementCoder.number(amount, of: element.id)
        let number = element.fields[field] ?? .int(0)
        guard number.isNumber else {
            throw ListError(
                .notANumber, saying: "\(field) of \(element.id) is no number", id: element.id)
        }
        guard let sum = number.adding(amount) else {
            throw ListError(
                .outOfRange, saying: "the sum leaves the range of numbers", id: element.id)
        }
        element.fields[field] = sum
        let operation = Operation(.count(element.id, field, by: amount))
        return try submitted(try ElementCoder.decode(element).get(), [operation])
    }
}
