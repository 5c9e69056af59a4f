internal import ListModel

/// What is learnt while entries are applied: whom a change came from, what it touched, and how one's own
/// work could be taken back.
struct Batch {
    let own: ClientID
    /// Who last touched an element, other clients only.
    private(set) var by: [ElementID: UserName] = [:]
    private(set) var touched: Set<ElementID> = []
    private(set) var logged: [(n: MutationNumber, inverse: [Operation])] = []

    init(own: ClientID) { self.own = own }

    mutating func apply(_ entry: Entry, to state: inout ListState) throws(Inapplicable) {
        let isOwn = entry.client == own
        let inverse = try state.apply(entry, wantInverse: isOwn)
        for operation in entry.operations {
            for id in operation.targets {
                touched.insert(id)
                if !isOwn { by[id] = entry.by }
            }
        }
        if isOwn { logged.append((entry.n, inverse)) }
    }
}

extension ResolvedOperation {
    /// The elements that it changes.
    var targets: [ElementID] {
        switch self {
        case .insert(let id, _, _), .set(let id, _), .count(let id, _, _, _), .delete(let id),
            .restore(let id, _):
            [id]
        case .move(let ids, _), .forget(let ids): ids
        case .describe: []
        }
    }
}
