internal import ListModel

/// What of one's own work can be taken back, newest last, and what was taken back and can be done
/// again. An undo is a mutation like any other: the inverse of an entry, conditional on nobody
/// having changed the same thing since.
struct UndoStack {
    private(set) var undoable: [Step] = []
    private(set) var redoable: [Step] = []
    /// Which mutations that have not come back from the server take a step back.
    private var kinds: [MutationNumber: Kind] = [:]

    /// Steps kept; the oldest go first, a quarter as many together, so that each costs little.
    static let most = 1_000

    struct Step {
        var n: MutationNumber
        /// Known once the mutation is logged; until then it is foreseen from the pending work.
        var inverse: [Operation]?
        /// How the elements stood before it.
        var before = Marks()
    }

    typealias Mark = ListModel.Mark

    enum Kind {
        case work
        /// Takes this step back.
        case undo(Step)
        /// Takes the undo back that this step is.
        case redo(Step)
    }

    mutating func submitted(_ n: MutationNumber, as kind: Kind) {
        switch kind {
        case .work:
            if !redoable.isEmpty { redoable = [] }
            undoable.push(Step(n: n))
        case .undo:
            kinds[n] = kind
            redoable.push(Step(n: n))
        case .redo:
            kinds[n] = kind
            undoable.push(Step(n: n))
        }
    }

    /// The mutation was logged. Where it took a step back, its elements stand again as they stood
    /// before that step, if under another version: steps that are conditional on the old one go by
    /// the new.
    mutating func logged(_ own: Batch.Own) {
        let kind = kinds.removeValue(forKey: own.n)
        undoable.learn(own)
        redoable.learn(own)
        switch kind {
        case .undo(let step), .redo(let step):
            var turned: [ElementID: (old: Mark, new: Mark)] = [:]
            for (id, before) in step.before.all {
                guard var after = own.after[id], let under = own.before[id] else { continue }
                // Content or place that it left alone may be somebody else's by now.
                if after.content == under.content { after.content = before.content }
                if after.place == under.place { after.place = before.place }
                turned[id] = (before, after)
            }
            renew(turned)
        case .work, nil: break
        }
    }

    /// One pass for all of them: a step may be of thousands of elements.
    private mutating func renew(_ marks: [ElementID: (old: Mark, new: Mark)]) {
        if marks.isEmpty { return }
        for index in undoable.indices { undoable[index].renew(marks) }
        for index in redoable.indices { redoable[index].renew(marks) }
    }

    /// An undo and the work that it took back were both dropped before they were sent: doing it
    /// again is doing that work.
    mutating func elided(_ n: MutationNumber, redoing operations: [Operation]) {
        kinds[n] = nil
        for stack in [\UndoStack.undoable, \.redoable] {
            if let index = self[keyPath: stack].lastIndex(where: { $0.n == n }) {
                self[keyPath: stack][index].inverse = operations
            }
        }
    }

    /// Nothing came of the mutation, so there is nothing to take back.
    mutating func dropped(_ n: MutationNumber) {
        kinds[n] = nil
        undoable.removeAll { $0.n == n && $0.inverse == nil }
        redoable.removeAll { $0.n == n && $0.inverse == nil }
    }

    /// The same mutation under another number.
    mutating func renumbered(_ old: MutationNumber, _ new: MutationNumber) {
        kinds[new] = kinds.removeValue(forKey: old)
        for stack in [\UndoStack.undoable, \.redoable] {
            for index in self[keyPath: stack].indices where self[keyPath: stack][index].n == old {
                self[keyPath: stack][index].n = new
            }
        }
    }

    /// A step of an earlier program, whose number means nothing here.
    mutating func recall(_ step: Step, isRedo: Bool) {
        if isRedo { redoable.push(step) } else { undoable.push(step) }
    }

    mutating func takeUndo() -> Step? { undoable.popLast() }
    mutating func takeRedo() -> Step? { redoable.popLast() }

    /// The versions in inverses that are known mean nothing in another log.
    mutating func changedLog() {
        undoable.removeAll { $0.inverse != nil }
        redoable.removeAll { $0.inverse != nil }
        kinds = [:]
    }

    mutating func clear() { self = UndoStack() }
}

extension [UndoStack.Step] {
    fileprivate mutating func push(_ step: UndoStack.Step) {
        append(step)
        if count > UndoStack.most + UndoStack.most / 4 { removeFirst(count - UndoStack.most) }
    }

    /// What is known of own work once it is logged; nearly always it is among the last.
    fileprivate mutating func learn(_ own: Batch.Own) {
        guard let index = lastIndex(where: { $0.n == own.n }) else { return }
        self[index].inverse = own.inverse
        self[index].before = own.before
    }
}

extension UndoStack.Step {
    fileprivate mutating func renew(
        _ marks: [ElementID: (old: UndoStack.Mark, new: UndoStack.Mark)]
    ) {
        for (id, mark) in before.all {
            if let (old, new) = marks[id], mark == old { before[id] = new }
        }
        guard var operations = inverse else { return }
        inverse = nil
        for index in operations.indices {
            for id in operations[index].targets {
                guard let (old, new) = marks[id] else { continue }
                if operations[index].condition?.version == old.content {
                    operations[index].condition?.version = new.content
                }
                if let from = old.place, let to = new.place,
                    operations[index].condition?.placed == from
                {
                    operations[index].condition?.placed = to
                }
            }
        }
        inverse = operations
    }
}

extension UndoStack.Kind {
    /// The mutation that is taken back by it.
    var undone: MutationNumber? {
        switch self {
        case .work: nil
        case .undo(let step), .redo(let step): step.n
        }
    }
}
