/// Where an element is to stand: beside another, never at a number, so that what others do
/// meanwhile does not make it mean another place.
public enum ListPosition<ID: ListElementID>: Hashable, Sendable {
    /// Before all others.
    case first
    /// Behind all others.
    case last
    /// Right behind this element.
    case after(ID)
    /// Right before this element.
    case before(ID)
}
