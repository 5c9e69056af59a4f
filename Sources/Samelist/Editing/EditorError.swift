public import ListModel

/// Why an editor could not write. The draft is kept.
public enum EditorError<Element: ListElement>: Error, Sendable {
    /// The element is gone: save the draft as a new one, restore the old one with it, or discard
    /// it.
    case vanished(Vanished<Element>)
    /// Others changed what the draft changes: the element as it was when it was first touched, the
    /// draft, the element as it is now, and the fields that both changed. Overwrite, merge or
    /// discard.
    case conflict(base: Element, mine: Element, theirs: Element, fields: [FieldName])
    /// Anything else that stood against it.
    case failed(ListError)

    /// The error as one of the common family, for those who only show it.
    public var error: ListError {
        switch self {
        case .vanished(let vanished):
            ListError(
                .vanished,
                "\(vanished.sentence); the draft is kept: save it as new, restore "
                    + "the element with it, or discard it",
                id: vanished.id.elementID, by: vanished.by)
        case .conflict(let base, _, _, let fields):
            ListError(
                .conflict,
                "others changed \(fields.map(\.text).joined(separator: ", ")) "
                    + "meanwhile; overwrite, merge or discard",
                id: base.id.elementID)
        case .failed(let error): error
        }
    }

    /// Stable: it may be logged and compared.
    public var code: ListError.Code { error.code }
    /// What happened and what to do, for people.
    public var sentence: String { error.sentence }
    /// Whether the same may succeed later without anything being changed.
    public var isTemporary: Bool { error.isTemporary }
}

extension EditorError: CustomStringConvertible {
    /// The sentence.
    public var description: String { sentence }
}
