internal import ListModel

/// What is learnt while entries are applied: whom a change came from, what it touched, and how
/// one's own work could be taken back.
struct Batch {
    let own: ClientID
    var authors = Authors()
    /// Who last touched an element, other clients only.
    private(set) var by: [ElementID: UserName] = [:]
    private(set) var touched: Set<ElementID>
    /// Elements that came, went or came back meanwhile: whoever edits one says so again, since the
    /// server knows of nobody who edits what is not there.
    private(set) var turned: Set<ElementID> = []
    private(set) var logged: [Own] = []
    /// To whom it is due that a part of own work was skipped.
    private(set) var skippedFor: [ElementID: UserName] = [:]

    /// An entry of one's own.
    struct Own {
        let n: MutationNumber
        /// What would take it back.
        let inverse: [Operation]
        /// How its elements stood before and after.
        let before: [ElementID: UndoStack.Mark]
        let after: [ElementID: UndoStack.Mark]
    }

    /// `touched` are the elements that may look different for another reason.
    init(own: ClientID, touched: Set<ElementID>) {
        self.own = own
        self.touched = touched
    }

    /// More is known of it.
    mutating func touch(_ id: ElementID) { touched.insert(id) }

    mutating func apply(_ entry: Entry, to state: inout ListState) throws(Inapplicable) {
        guard entry.client == own else {
            try state.apply(entry)
            return note(entry)
        }
        let before = entry.marks(in: state)
        let inverse = try state.apply(entry, wantInverse: true)
        note(
            own: entry,
            Own(n: entry.n, inverse: inverse, before: before, after: entry.marks(in: state)))
    }

    /// The list has one's own entry.
    mutating func note(own entry: Entry, _ own: Own) {
        note(entry)
        for skip in entry.skips where skip.code != .removed {
            if let id = skip.id { skippedFor[id] = skip.by }
        }
        logged.append(own)
    }

    /// The list has the entry.
    mutating func note(_ entry: Entry) {
        for operation in entry.operations {
            switch operation {
            case .insert(let id, _, _), .delete(let id), .restore(let id, _): turned.insert(id)
            case .set, .count, .move, .forget, .describe: break
            }
            touched.formUnion(operation.targets)
            authors.note(operation, in: entry)
            guard entry.client != own else { continue }
            for id in operation.targets { by[id] = entry.by }
        }
    }
}

extension Entry {
    fileprivate func marks(in state: ListState) -> [ElementID: UndoStack.Mark] {
        var marks: [ElementID: UndoStack.Mark] = [:]
        for id in operations.flatMap(\.targets) {
            switch state.standing(of: id) {
            case .living(let element):
                marks[id] = UndoStack.Mark(content: element.version, place: element.placed)
            // What restores it is conditional on the entry that deleted it.
            case .grave(let grave?):
                marks[id] = UndoStack.Mark(content: grave.version, place: nil)
            case .grave(nil), .unknown: break
            }
        }
        return marks
    }
}
