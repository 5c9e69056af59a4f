import Testing

@testable public import ListModel

// Literals read as what they name; a text that breaks the rule of its type stops the test.
extension ElementID: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = ElementID(text)! }
}

extension FieldName: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = FieldName(text)! }
}

extension UserName: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = UserName(text)! }
}

extension ClientID: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = ClientID(text)! }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral number: Int64) { self = .int(number) }
    public init(nilLiteral: ()) { self = .null }
}

/// A list of the living `ids` in order, each with its ID as its title, by "ann" at time 0. Those of
/// `graves` were then deleted by "gus" at time 1.
func makeList(_ ids: ElementID..., graves: [ElementID] = []) -> ListState {
    var list = ListState()
    list.perform(ids.map { .insert($0, at: .last, ["title": .text($0.text)]) })
    if !graves.isEmpty {
        list.perform(graves.map { .delete($0, unlessEdited: false) }, by: "gus", at: 1)
    }
    return list
}

func makeMutation(
    _ operations: [ListModel.Operation], client: ClientID = "c1", n: UInt64 = 1,
    atomic: Bool = false
) -> Mutation {
    Mutation(client: client, n: MutationNumber(n), operations: operations, atomic: atomic)
}

func makeContext(
    by: UserName = "ann", at: Int64 = 0, limits: Limits = Limits(),
    editors: [ElementID: UserName] = [:],
    isLogged: @escaping (MutationNumber) -> Bool = { _ in true }
) -> ResolutionContext {
    ResolutionContext(
        at: Timestamp(milliseconds: at), by: by, limits: limits, editor: { editors[$0] },
        isLogged: isLogged)
}

extension ListState {
    @discardableResult
    mutating func perform(
        _ intents: [ListModel.Operation.Intent], if condition: Condition? = nil,
        by: UserName = "ann", at: Int64 = 0, atomic: Bool = false
    ) -> Resolution {
        let operations = intents.map { ListModel.Operation($0, if: condition) }
        return perform(makeMutation(operations, atomic: atomic), makeContext(by: by, at: at))
    }

    @discardableResult
    mutating func perform(
        _ intents: ListModel.Operation.Intent..., if condition: Condition? = nil,
        by: UserName = "ann", at: Int64 = 0, atomic: Bool = false
    ) -> Resolution {
        perform(intents, if: condition, by: by, at: at, atomic: atomic)
    }

    /// The order in words, graves in brackets: "a [b] c".
    var layout: String {
        var words: [String] = []
        visit { element, grave in
            words.append(grave == nil ? element.id.text : "[\(element.id.text)]")
        }
        return words.joined(separator: " ")
    }
}

extension Resolution {
    /// The skips in words: "0 b removed gus".
    var told: [String] {
        skips.map { skip in
            let words: [String?] = [
                "\(skip.operation)", skip.id?.text, skip.code.rawValue, skip.by?.text,
            ]
            return words.compactMap(\.self).joined(separator: " ")
        }
    }

    /// Nothing to do, and nothing to say.
    var isNoop: Bool { refusal == nil && operations.isEmpty && skips.isEmpty }
}

/// What the authority would log for a resolution that was just performed on `list`.
func makeEntry(
    _ resolution: Resolution, of list: ListState, by: UserName = "ann", client: ClientID = "c1",
    n: MutationNumber = MutationNumber(1)
) -> Entry {
    Entry(
        version: list.head, at: list.lastAt, by: by, client: client, n: n,
        operations: resolution.operations, skips: resolution.skips)
}

extension Speculation {
    /// Takes entries in below the pending work, without what `isDone`; plays the rest at `now`, or
    /// at the times at which it was proposed.
    mutating func takeIn<Entries: Sequence>(
        _ entries: Entries, at now: Int64? = nil,
        dropping isDone: (Pending) -> Bool = { _ in false }
    ) throws where Entries.Element == Entry {
        let context = { (pending: Pending) in
            makeContext(by: pending.by, at: now ?? pending.at.milliseconds)
        }
        let change = { (list: inout ListState) throws(Inapplicable) in
            for entry in entries { _ = try list.apply(entry) }
        }
        try rebase(context, dropping: isDone, change)
    }
}
