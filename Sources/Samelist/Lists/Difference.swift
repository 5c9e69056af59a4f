public import ListModel

/// What turns the rows as they were into the rows as they are: steps to be taken one after the
/// other, each on the rows that the one before left.
public struct Difference<Element: ListElement>: Sendable {
    /// One step.
    public enum Step: Sendable {
        /// A row that came.
        case insert(Row<Element>, at: Int)
        /// With the row as it was last.
        case remove(Row<Element>, at: Int)
        /// A row that stood elsewhere.
        case move(Row<Element>, from: Int, to: Int)
        /// It stands where it stood, with other content.
        case update(Row<Element>, was: Row<Element>, at: Int)
    }

    /// The steps, in order.
    public let steps: [Step]

    /// Whether nothing changed.
    public var isEmpty: Bool { steps.isEmpty }
    /// The rows that came.
    public var inserted: [Row<Element>] {
        steps.compactMap { if case .insert(let row, _) = $0 { row } else { nil } }
    }
    /// The rows that went, as they were last.
    public var removed: [Row<Element>] {
        steps.compactMap { if case .remove(let row, _) = $0 { row } else { nil } }
    }
    /// The rows that stood elsewhere.
    public var moved: [Row<Element>] {
        steps.compactMap { if case .move(let row, _, _) = $0 { row } else { nil } }
    }
    /// The rows whose content changed, as they are now.
    public var updated: [Row<Element>] {
        steps.compactMap { if case .update(let row, _, _) = $0 { row } else { nil } }
    }

    /// Takes the steps on the rows of somebody who keeps a copy.
    public func apply(to rows: inout [Row<Element>]) {
        for step in steps {
            switch step {
            case .insert(let row, let index): rows.insert(row, at: index)
            case .remove(_, let index): rows.remove(at: index)
            case .move(let row, let from, let to):
                rows.remove(at: from)
                rows.insert(row, at: to)
            case .update(let row, _, let index): rows[index] = row
            }
        }
    }
}

/// What a list or a view tells those who follow it.
public enum ListChange<Element: ListElement>: Sendable {
    /// All rows, once, at the beginning.
    case initial([Row<Element>])
    /// What changed since the last telling; several changes may be told as one. `by` are those who
    /// made them.
    case update(Difference<Element>, by: [UserName], version: Version)
    /// Nothing more comes, and why.
    case closed(ListError)
}
