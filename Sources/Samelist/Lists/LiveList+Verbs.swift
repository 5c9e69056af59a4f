internal import ListModel

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
    public func insert(_ element: Item, at position: ListPosition<Item.ID>) throws(ListError)
        -> Submission<Item>
    {
        try put(element, at: try known(position))
    }

    func put(_ element: Item, at place: Place) throws(ListError) -> Submission<Item> {
        let operation = try insertion(of: element, at: place)
        return try submitted(element, [operation])
    }

    /// Puts elements at a place, in their order, and as one: what cannot be inserted is thrown
    /// before any of them is, and `undo` takes all back at once.
    @discardableResult
    public func insert(
        contentsOf elements: some Sequence<Item>, at position: ListPosition<Item.ID>
    ) throws(ListError) -> Submission<[Item]> {
        let elements = Array(elements)
        var place = try known(position)
        var operations: [Operation] = []
        var seen: Set<ElementID> = []
        for element in elements {
            let id = try element.id.checked()
            guard seen.insert(id).inserted else {
                throw ListError(.idTaken, saying: "the ID \(id) is given twice", id: id)
            }
            operations.append(try insertion(of: element, at: place))
            place = .after(id)
        }
        return try submitted(elements, operations)
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
        guard let sum = (element.fields[field] ?? .int(0)).adding(amount) else {
            throw ListError(
                .outOfRange,
                saying: "the sum is out of range, or \(field) of \(element.id) no number",
                id: element.id)
        }
        element.fields[field] = sum
        let operation = Operation(.count(element.id, field, by: amount))
        return try submitted(try ElementCoder.decode(element).get(), [operation])
    }

    /// Moves an element to a place.
    @discardableResult
    public func move(_ id: Item.ID, to position: ListPosition<Item.ID>) throws(ListError)
        -> Submission<Void>
    {
        try move([id], to: position)
    }

    /// Moves elements to a place, in the order given, as one.
    @discardableResult
    public func move(_ ids: [Item.ID], to position: ListPosition<Item.ID>) throws(ListError)
        -> Submission<Void>
    {
        var moved: [ElementID] = []
        for id in ids {
            let id = try known(id)
            if !moved.contains(id) { moved.append(id) }
        }
        let place = try known(position)
        return try submitted((), moved.isEmpty ? [] : [Operation(.move(moved, to: place))])
    }

    /// Removes an element. Whoever edits it is told, and it can be restored.
    @discardableResult
    public func remove(_ id: Item.ID, unlessEdited: Bool = false) throws(ListError)
        -> Submission<Void>
    {
        try remove([id], unlessEdited: unlessEdited)
    }

    /// Removes elements, as one.
    @discardableResult
    public func remove(_ ids: [Item.ID], unlessEdited: Bool = false) throws(ListError)
        -> Submission<Void>
    {
        var operations: [Operation] = []
        for id in ids {
            operations.append(Operation(.delete(try known(id), unlessEdited: unlessEdited)))
        }
        return try submitted((), operations)
    }

    /// Brings a removed element back: same ID, same fields, its old place.
    @discardableResult
    public func restore(_ id: Item.ID) throws(ListError) -> Submission<Void> {
        let id = try id.checked()
        if case .unknown = list.state.standing(of: id) { _ = try list.living(id) }
        return try submitted((), [Operation(.restore(id))])
    }

    /// Gives the list another title, for people. Its name stays.
    @discardableResult
    public func rename(_ title: String) throws(ListError) -> Submission<Void> {
        try submitted((), [Operation(.describe(title: title, schema: nil))])
    }

    /// Whether there is own work that can be taken back.
    public var canUndo: Bool { list.canUndo }
    /// Whether there is own work that was taken back.
    public var canRedo: Bool { list.canRedo }

    /// Takes one's own newest work back, as far as nobody has changed the same since.
    @discardableResult
    public func undo() throws(ListError) -> Submission<Void> {
        try list.checkOpen()
        let decisions = list.undoWhole()
        if decisions.isEmpty {
            throw ListError(.nothingToUndo, "there is nothing of yours to take back")
        }
        return Submission(submitted: (), decisions: decisions, client: client)
    }

    /// Does again what was taken back last.
    @discardableResult
    public func redo() throws(ListError) -> Submission<Void> {
        try list.checkOpen()
        let decisions = list.redoWhole()
        if decisions.isEmpty {
            throw ListError(.nothingToRedo, "there is nothing to do again")
        }
        return Submission(submitted: (), decisions: decisions, client: client)
    }

    /// Operations as one, and what they come to here.
    func submitted<Value>(_ value: Value, _ operations: [Operation]) throws(ListError)
        -> Submission<Value>
    {
        Submission(submitted: value, decisions: try list.submitInParts(operations), client: client)
    }

    private func insertion(of element: Item, at place: Place) throws(ListError) -> Operation {
        let id = try element.id.checked()
        guard case .unknown = list.state.standing(of: id) else {
            throw ListError(
                .idTaken, saying: "the ID \(id) is taken for ever in this list", id: id)
        }
        let fields = try ElementCoder.fields(of: element)
        try list.checkBounds(of: fields, id)
        return Operation(.insert(id, at: place, fields))
    }

    /// The element of an ID, as the list has it and decoded.
    func living(_ id: Item.ID) throws(ListError) -> (ListModel.Element, Item) {
        let element = try list.living(try id.checked())
        return (element, try decoded.row(element).meta.result.get())
    }

    /// The ID of an element that is there.
    private func known(_ id: Item.ID) throws(ListError) -> ElementID {
        try list.living(try id.checked()).id
    }

    /// The place, if its neighbour is, or was, in the list.
    private func known(_ position: ListPosition<Item.ID>) throws(ListError) -> Place {
        let place = try position.place()
        switch place {
        case .first, .last: return place
        case .after(let id), .before(let id):
            if case .unknown = list.state.standing(of: id) {
                throw ListError(
                    .noSuchPlace, saying: "\(id), the neighbour of the place, is not in the list",
                    id: id)
            }
            return place
        }
    }
}
