public import ListModel

/// What others wrote where the draft of an editor writes, too.
public struct EditorConflict<Element: ListElement>: Sendable {
    /// The element as it was when the fields in question were first touched.
    public let base: Element
    /// The draft.
    public let mine: Element
    /// The element as the list has it now.
    public let theirs: Element
    /// The fields that both changed.
    public let fields: [FieldName]
}
