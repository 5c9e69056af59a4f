/// Where an element is to stand; never a number.
public enum Place: Hashable, Sendable {
    case first
    case last
    case after(ElementID)
    case before(ElementID)
}

/// A place as entries name it: behind a living element or a grave, or at the front.
public enum Anchor: Hashable, Sendable {
    case first
    case after(ElementID)
}

/// What must hold for an operation to be done; otherwise it is skipped `changed_since`.
public struct Condition: Hashable, Sendable {
    /// These fields still have these values; `.null` means "is not there".
    public var fields: Fields?
    /// The element's content was last changed by this version; where it is restored, it was deleted
    /// by it.
    public var version: Version?
    /// The element was last moved (or inserted) by this version.
    public var placed: Version?
    /// This earlier mutation of the same client was logged: what depends on an insert that was
    /// refused must not fall on somebody else's element of the same ID. Otherwise skipped
    /// `no_such_element`.
    public var needs: MutationNumber?

    public init(
        fields: Fields? = nil, version: Version? = nil, placed: Version? = nil,
        needs: MutationNumber? = nil
    ) {
        self.fields = fields
        self.version = version
        self.placed = placed
        self.needs = needs
    }

    package var isEmpty: Bool {
        fields == nil && version == nil && placed == nil && needs == nil
    }
}

/// One intent on a list.
public struct Operation: Hashable, Sendable {
    public enum Intent: Hashable, Sendable {
        case insert(ElementID, at: Place, Fields)
        /// Writes fields; `.null` removes one.
        case set(ElementID, Fields)
        /// Adds a number to a field; a field that is not there counts from 0.
        case count(ElementID, FieldName, by: Value)
        /// Moves elements together, in the order given.
        case move([ElementID], to: Place)
        case delete(ElementID, unlessEdited: Bool)
        case restore(ElementID)
        /// Changes the title or the schema of the list itself; `nil` leaves it, a schema without
        /// types takes it away.
        case describe(title: String?, schema: Schema?)
        /// Takes graves out of the order for good. The authority's own; no client may ask for it.
        case forget([ElementID])
    }

    public var intent: Intent
    public var condition: Condition?

    public init(_ intent: Intent, if condition: Condition? = nil) {
        self.intent = intent
        self.condition = condition
    }

    /// The elements on which it acts, one by one.
    package func forEachTarget(_ body: (ElementID) -> Void) {
        switch intent {
        case .insert(let id, _, _), .set(let id, _), .count(let id, _, _), .delete(let id, _),
            .restore(let id):
            body(id)
        case .move(let ids, _), .forget(let ids): for id in ids { body(id) }
        case .describe: break
        }
    }

    /// The elements on which it acts.
    package var targets: [ElementID] {
        switch intent {
        case .insert(let id, _, _), .set(let id, _), .count(let id, _, _), .delete(let id, _),
            .restore(let id):
            [id]
        case .move(let ids, _), .forget(let ids): ids
        case .describe: []
        }
    }
}

/// Operations submitted together, under the number that their client gave them.
public struct Mutation: Hashable, Sendable {
    public let client: ClientID
    public let n: MutationNumber
    public var operations: [Operation]
    /// The first skip refuses the whole.
    public var atomic: Bool

    public init(
        client: ClientID, n: MutationNumber, operations: [Operation], atomic: Bool = false
    ) {
        self.client = client
        self.n = n
        self.operations = operations
        self.atomic = atomic
    }
}
