public import FoundationEssentials
public import ListModel

/// What is known of an element that went from under an editor, and of what the editor keeps.
public struct Vanished<Element: ListElement>: Sendable {
    /// Why an element can no longer be written.
    public enum Cause: Hashable, Sendable {
        /// Somebody removed it.
        case deleted
        /// The whole list was deleted.
        case listDeleted
        /// The right to read the list was taken away.
        case accessLost
        /// Its own insert was refused, and why.
        case rejected(ListError)
        /// Gone while this client was away, and the server no longer knows why.
        case missing
    }

    /// The ID of the element.
    public let id: Element.ID
    /// Why it can no longer be written.
    public let cause: Cause
    /// Who did it, as far as it is known.
    public let by: UserName?
    /// When, as far as it is known.
    public let at: Date?
    /// The entry that did it, as far as it is known.
    public let version: Version?
    /// The element as the list had it last.
    public let last: Element
    /// The last value with what was typed over it. It is kept until it is saved as a new element,
    /// restored or discarded.
    public let draft: Element
    /// Whether anything was typed.
    public let hasDraft: Bool

    /// What happened, for people: "it was removed by bob".
    public let sentence: String
}
