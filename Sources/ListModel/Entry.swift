/// One resolved operation of an entry: it always applies, to every replica alike.
public enum ResolvedOperation: Hashable, Sendable {
    case insert(ElementID, after: Anchor, Fields)
    /// `.null` removes a field.
    case set(ElementID, Fields)
    /// A `count`, with the value that came of it.
    case count(ElementID, FieldName, by: Value, is: Value)
    case move([ElementID], after: Anchor)
    case delete(ElementID)
    /// Carries the fields, since a replica may know of the grave no more than its place.
    case restore(ElementID, Fields)
    case describe(title: String?, schema: Schema?)
    /// Graves that leave the order for good; added by the authority, never asked for by a client.
    case forget([ElementID])
}

/// What the authority made of a mutation: the unit of the log.
public struct Entry: Hashable, Sendable {
    public var version: Version
    public var at: Timestamp
    public let by: UserName
    public let client: ClientID
    public let n: MutationNumber
    public var operations: [ResolvedOperation]
    /// What was left out of the mutation, so that a repeated `n` gets the whole answer again.
    public var skips: [Skip]
    /// All outcomes up to here were heard by the client when it submitted this.
    public var heard: MutationNumber
    /// Digest of the mutation as it was submitted: the same `n` with another content is refused.
    public var digest: UInt64

    public init(
        version: Version, at: Timestamp, by: UserName, client: ClientID, n: MutationNumber,
        operations: [ResolvedOperation], skips: [Skip] = [], heard: MutationNumber = .zero,
        digest: UInt64 = 0
    ) {
        self.version = version
        self.at = at
        self.by = by
        self.client = client
        self.n = n
        self.operations = operations
        self.skips = skips
        self.heard = heard
        self.digest = digest
    }
}
