internal import ListModel
public import ListReplica

/// What one can do to a list. Each verb is done here at once, and sent; it throws what is known at
/// once, and what the server decides is told by `Submission.acknowledged()`.
extension LiveList {
    /// Puts an element behind all others.
    @discardableResult
    public func append(_ element: Item) throws(ListError) -> Submission<Item> {
        try insert(element, at: .last)
    }

    /// Puts elements behind all others, as one.
    @discardableResult
    public func append(contentsOf elements: some Sequence<Item>) throws(ListError)
        -> Submission<[Item]>
    {
        try insert(contentsOf: elements, at: .last)
    }

    /// Puts an element at a place.
    @discardableResult
    public func insert(_ element: Item, at place: ListPlace<Item.ID>) throws(ListError)
        -> Submission<Item>
    {
        let place = try place.place()
        let operation = try Self.insertion(of: element, at: place)
        try checkNew(element)
        return Submission(value: element, decisions: [try list.submitOrThrow([operation])])
    }

    /// Puts an element before the row that stands at `index` now, or behind the last one.
    @discardableResult
    public func insert(_ element: Item, at index: Int) throws(ListError) -> Submission<Item> {
        let place = list[index - 1].map { Place.after($0.id) } ?? (index <= 0 ? .first : .last)
        let operation = try Self.insertion(of: element, at: place)
        try checkNew(element)
        return Submission(value: element, decisions: [try list.submitOrThrow([operation])])
    }

    /// Puts elements at a place, in their order, as one.
    @discardableResult
    public func insert(
        contentsOf elements: some Sequence<Item>, at place: ListPlace<Item.ID>
    ) throws(ListError) -> Submission<[Item]> {
        let elements = Array(elements)
        var place = try place.place()
        var operations: [Operation] = []
        for element in elements {
            try checkNew(element)
            operations.append(try Self.insertion(of: element, at: place))
            if let id = element.id.elementID { place = .after(id) }
        }
        return Submission(value: elements, decisions: try list.submitInParts(operations))
    }

    /// Changes an element; only the fields that differ afterwards are sent, so that what others
    /// change meanwhile stands beside it. The ID stays what it is.
    @discardableResult
    public func update(_ id: Item.ID, _ change: (inout Item) -> Void) throws(ListError)
        -> Submission<Item>
    {
        let (element, before) = try living(id)
        var after = before
        change(&after)
        let changes = try ElementCoder.changes(from: before, to: after, in: element.fields)
        if changes.isEmpty { return Submission(value: after, decisions: []) }
        let decision = try list.submitOrThrow([Operation(.set(element.id, changes))])
        return Submission(value: after, decisions: [decision])
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
        guard let sum = (element.fields[field] ?? .int(0)).adding(amount) else {
            throw ListError(
                .outOfRange, "the sum is out of range, or \(field) of \(element.id) no number",
                id: element.id)
        }
        element.fields[field] = sum
        let operation = Operation(.count(element.id, field, by: amount))
        return Submission(
            value: try ElementCoder.decode(element).get(),
            decisions: [try list.submitOrThrow([operation])])
    }

    /// Moves an element to a place.
    @discardableResult
    public func move(_ id: Item.ID, to place: ListPlace<Item.ID>) throws(ListError)
        -> Submission<Void>
    {
        try move([id], to: place)
    }

    /// Moves elements to a place, in the order given, as one.
    @discardableResult
    public func move(_ ids: [Item.ID], to place: ListPlace<Item.ID>) throws(ListError)
        -> Submission<Void>
    {
        var moved: [ElementID] = []
        for id in ids { moved.append(try known(id)) }
        let operation = Operation(.move(moved, to: try place.place()))
        return Submission(value: (), decisions: [try list.submitOrThrow([operation])])
    }

    /// Moves the rows at these offsets before the row that has the offset `destination`, as
    /// SwiftUI's `onMove` tells it. `rows` are those that the user saw; `nil`: those of now.
    @discardableResult
    public func move(
        fromOffsets source: some Sequence<Int>, toOffset destination: Int,
        of rows: ShownRows? = nil
    ) throws(ListError) -> Submission<Void> {
        let move = (rows ?? shownRows).move(fromOffsets: source, toOffset: destination)
        return Submission(
            value: (), decisions: try list.submitInParts(move.map { [$0] } ?? []))
    }

    /// Removes an element. Whoever edits it is told, and it can be restored.
    @discardableResult
    public func remove(_ id: Item.ID, unlessEdited: Bool = false) throws(ListError)
        -> Submission<Void>
    {
        let operation = Operation(.delete(try known(id), unlessEdited: unlessEdited))
        return Submission(value: (), decisions: [try list.submitOrThrow([operation])])
    }

    /// Removes the rows at these offsets, as SwiftUI's `onDelete` tells it. `rows` are those that
    /// the user saw; `nil`: those of now.
    @discardableResult
    public func remove(atOffsets offsets: some Sequence<Int>, of rows: ShownRows? = nil)
        throws(ListError) -> Submission<Void>
    {
        let operations = (rows ?? shownRows).remove(atOffsets: offsets)
        return Submission(value: (), decisions: try list.submitInParts(operations))
    }

    /// Brings a removed element back: same ID, same fields, its old place.
    @discardableResult
    public func restore(_ id: Item.ID) throws(ListError) -> Submission<Void> {
        let operation = Operation(.restore(try id.checked()))
        return Submission(value: (), decisions: [try list.submitOrThrow([operation])])
    }

    /// Whether there is own work that can be taken back.
    public var canUndo: Bool { list.canUndo }
    /// Whether there is own work that was taken back.
    public var canRedo: Bool { list.canRedo }

    /// Takes one's own newest work back, as far as nobody has changed the same since.
    @discardableResult
    public func undo() throws(ListError) -> Submission<Void> {
        try list.checkOpen()
        guard let decision = list.undo() else {
            throw ListError(.nothingToUndo, "there is nothing of yours to take back")
        }
        return Submission(value: (), decisions: [decision])
    }

    /// Does again what was taken back last.
    @discardableResult
    public func redo() throws(ListError) -> Submission<Void> {
        try list.checkOpen()
        guard let decision = list.redo() else {
            throw ListError(.nothingToRedo, "there is nothing to do again")
        }
        return Submission(value: (), decisions: [decision])
    }

    private static func insertion(of element: Item, at place: Place) throws(ListError)
        -> Operation
    {
        Operation(
            .insert(try element.id.checked(), at: place, try ElementCoder.fields(of: element)))
    }

    private func checkNew(_ element: Item) throws(ListError) {
        let id = try element.id.checked()
        if case .unknown = list.state.standing(of: id) { return }
        throw ListError(
            .idTaken, "the ID \(id) is taken for ever in this list; choose another", id: id)
    }

    /// The element of an ID, as the list has it and decoded.
    func living(_ id: Item.ID) throws(ListError) -> (ListModel.Element, Item) {
        let element = try list.living(try id.checked())
        return (element, try decoded.row(element).result.get())
    }

    /// The ID of an element that is there.
    private func known(_ id: Item.ID) throws(ListError) -> ElementID {
        try list.living(try id.checked()).id
    }
}
