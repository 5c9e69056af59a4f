public import ListModel

/// What an editor does with remote changes, and with what is typed into it.
public enum EditorPolicy: String, Hashable, Sendable, CaseIterable {
    /// A constant copy.
    case snapshot
    /// Follows; writes go straight through.
    case live
    /// An own copy; commit is explicit.
    case draft
}

/// What an editor is told, in order, once each.
public enum EditorEvent: Hashable, Sendable {
    /// Somebody else changed fields.
    case changed(old: Fields, new: Fields, by: UserName?, version: Version)
    /// A field that the draft touches was changed by somebody else.
    case conflict(FieldName, base: Value, mine: Value, theirs: Value, by: UserName?)
    case vanished(Vanish)
    case returned(by: UserName?)
    /// It left the results of the view through which it was opened, or came back; still writable.
    case hidden(by: UserName?)
    case shown(by: UserName?)
    /// Who else edits the element.
    case presence([UserName])
}

/// Why, by whom and when an element went; the draft of its editor is kept.
public struct Vanish: Hashable, Sendable {
    public var cause: Cause
    public var by: UserName?
    public var at: Timestamp?
    public var version: Version?

    public enum Cause: Hashable, Sendable {
        case deleted
        case listDeleted
        case accessLost
        /// Its own insert was refused.
        case rejected(Code)
        /// Gone while away, and the server no longer knows why.
        case missing
    }

    package init(
        _ cause: Cause, by: UserName? = nil, at: Timestamp? = nil, version: Version? = nil
    ) {
        self.cause = cause
        self.by = by
        self.at = at
        self.version = version
    }

    /// What a write through the vanished editor is refused with.
    package var code: Code {
        switch cause {
        case .deleted, .missing: .removed
        case .listDeleted: .listDeleted
        case .accessLost: .accessLost
        case .rejected(let code): code
        }
    }
}
