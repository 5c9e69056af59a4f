internal import ListModel

/// What is learnt while entries are applied: whom a change came from, what it touched, and how
/// one's own work could be taken back.
struct Batch {
    let own: ClientID
    /// The elements under editors: of others nobody asks who did what.
    private let watched: Set<ElementID>
    var authors = Authors()
    /// What was touched, and by whom last where that was another client.
    private(set) var changes = Touched()
    /// Elements under editors that came, went or came back meanwhile: whoever edits one says so
    /// again, since the server knows of nobody who edits what is not there.
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
        let before: Marks
        let after: Marks
    }

    /// `touched` are the elements that may look different for another reason.
    init(own: ClientID, touched: Set<ElementID>, watching watched: Set<ElementID>) {
        self.own = own
        self.watched = watched
        changes.add(touched)
    }

    /// More is known of it.
    mutating func touch(_ id: ElementID) { changes.add(id, nil) }

    /// Anything may be another.
    mutating func touchAll() { changes.add(nil) }

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
        let author = entry.client == own ? nil : entry.by
        for index in entry.operations.indices {
            changes.add(entry.operations[index], author)
            if watched.isEmpty { continue }
            let operation = entry.operations[index]
            guard operation.targets.contains(where: watched.contains) else {
                continue
            }
            switch operation {
            case .insert(let id, _, _), .delete(let id), .restore(let id, _): turned.insert(id)
            case .set, .count, .move, .forget, .describe: break
            }
            authors.note(operation, in: entry)
        }
    }
}

extension Entry {
    fileprivate func marks(in state: ListState) -> Marks {
        var marks = Marks()
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
