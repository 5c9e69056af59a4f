/// An element as a list shows it.
public struct Element: Hashable, Sendable, Identifiable {
    public let id: ElementID
    public var fields: Fields
    /// The entry that last changed its content (insert, set, count or restore).
    public var version: Version
    /// The entry that last gave it its place (insert, move or restore).
    public var placed: Version
    /// Who made that last change of content, and when.
    public var by: UserName
    public var at: Timestamp

    public init(
        id: ElementID, fields: Fields, version: Version, placed: Version, by: UserName,
        at: Timestamp
    ) {
        self.id = id
        self.fields = fields
        self.version = version
        self.placed = placed
        self.by = by
        self.at = at
    }
}

/// What is kept of a deleted element. In a replica that came from a snapshot only the ID and the
/// place are known, and the element is told by the server's fates when somebody asks.
public struct Grave: Hashable, Sendable, Identifiable {
    /// The element as it was last; its `version` and `by` are those of its last change.
    public let last: Element
    /// Who deleted it, when, and at which version.
    public let by: UserName
    public let at: Timestamp
    public let version: Version
    public var id: ElementID { last.id }

    public init(last: Element, by: UserName, at: Timestamp, version: Version) {
        self.last = last
        self.by = by
        self.at = at
        self.version = version
    }
}
