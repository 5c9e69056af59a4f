internal import ListModel

/// What of one's own work can be taken back, newest last, and what was taken back and can be done again.
/// An undo is a mutation like any other: the inverse of an entry, conditional on nobody having changed
/// the same thing since.
struct UndoStack {
    private(set) var undoable: [Step] = []
    private(set) var redoable: [Step] = []
    /// What kind of work the mutations are that have not come back from the server.
    private var kinds: [MutationNumber: Kind] = [:]

    /// Steps kept; the oldest go first.
    static let most = 1_000

    struct Step {
        let n: MutationNumber
        /// Known once the mutation is logged; until then it is foreseen from the pending work.
        var inverse: [Operation]?
    }

    enum Kind {
        case work
        case undo
        case redo
    }

    mutating func submitted(_ n: MutationNumber, as kind: Kind) {
        kinds[n] = kind
        switch kind {
        case .work:
            redoable = []
            push(Step(n: n), onto: \.undoable)
        case .undo: push(Step(n: n), onto: \.redoable)
        case .redo: push(Step(n: n), onto: \.undoable)
        }
    }

    /// The mutation was logged, and these operations would take it back.
    mutating func logged(_ n: MutationNumber, inverse: [Operation]) {
        kinds[n] = nil
        if let index = undoable.lastIndex(where: { $0.n == n }) {
            undoable[index].inverse = inverse
        }
        if let index = redoable.lastIndex(where: { $0.n == n }) {
            redoable[index].inverse = inverse
        }
    }

    /// Nothing came of the mutation, so there is nothing to take back.
    mutating func dropped(_ n: MutationNumber) {
        kinds[n] = nil
        undoable.removeAll { $0.n == n && $0.inverse == nil }
        redoable.removeAll { $0.n == n && $0.inverse == nil }
    }

    mutating func takeUndo() -> Step? { undoable.popLast() }
    mutating func takeRedo() -> Step? { redoable.popLast() }

    mutating func clear() { self = UndoStack() }

    private mutating func push(_ step: Step, onto stack: WritableKeyPath<UndoStack, [Step]>) {
        self[keyPath: stack].append(step)
        if self[keyPath: stack].count > Self.most { self[keyPath: stack].removeFirst() }
    }
}
