/// Why an editor is closed.
public enum EditorCloseReason: Hashable, Sendable {
    /// What was typed is saved; or nothing was typed.
    case committed
    /// What was typed is saved as a new element.
    case savedAsNew
    /// The element was brought back with what was typed.
    case restored
    /// What was typed was dropped.
    case discarded
    /// By `close()`, or by its rule once the element was gone. A draft, if any, is kept.
    case closed
    /// With its list, and why that was closed.
    case listClosed(ListError)
}
