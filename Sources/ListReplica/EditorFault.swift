public import ListModel

/// Why an editor cannot do what it was asked to. Nothing is lost by any of them: drafts stay.
public enum EditorFault: Error, Hashable, Sendable {
    /// The element is gone; with what is known of how.
    case vanished(Vanish)
    case noSuchElement
    /// This client has an editor on the element already.
    case alreadyOpen
    case notOpen
    /// The editor is a constant copy.
    case readOnly
    /// These touched fields were changed by somebody else.
    case conflict([FieldName])
    /// Only the draft of a vanished editor can be saved as new, or restored.
    case notVanished
    /// A commit of this editor is on its way.
    case committing

    public var word: String {
        switch self {
        case .vanished(let vanish): vanish.code.rawValue
        case .noSuchElement: Code.noSuchElement.rawValue
        case .alreadyOpen: "already_open"
        case .notOpen: Code.notOpen.rawValue
        case .readOnly: Code.readOnly.rawValue
        case .conflict: "conflict"
        case .notVanished: "not_vanished"
        case .committing: "committing"
        }
    }
}
