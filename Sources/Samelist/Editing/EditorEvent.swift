public import ListModel

/// What happens to the element under an editor, in order, once each.
public enum EditorEvent<Element: ListElement>: Sendable {
    /// Somebody else changed fields of the element.
    case changed(Change)
    /// Somebody else changed a field that the draft changes, too.
    case conflict(Conflict)
    /// The element can no longer be written; the draft is kept.
    case vanished(Vanished<Element>)
    /// It was restored, and can be written again.
    case returned(by: UserName?)
    /// It left the results of the view through which it was opened; it can still be written.
    case hidden(by: UserName?)
    /// It is among them again.
    case shown(by: UserName?)
    /// Who else edits the element now.
    case presence([UserName])

    /// What somebody else changed.
    public struct Change: Sendable {
        /// The fields that changed, as they were; `.null` for those that were not there.
        public let old: Fields
        /// The same as they are now; `.null` for those that are gone.
        public let new: Fields
        /// The element as the editor shows it now, what was typed included.
        public let element: Element
        /// Who changed it.
        public let by: UserName?
        /// The entry that changed it.
        public let version: Version
    }

    /// A field that both changed.
    public struct Conflict: Sendable {
        /// The field.
        public let field: FieldName
        /// What the field was when it was first touched.
        public let base: Value
        /// What the draft has.
        public let mine: Value
        /// What the list has now.
        public let theirs: Value
        /// Who changed it.
        public let by: UserName?
    }
}
