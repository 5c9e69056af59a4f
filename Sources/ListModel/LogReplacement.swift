/// A list that goes on from another log: a backup was restored, or the server lost what came last.
public struct LogReplacement: Hashable, Sendable {
    /// Up to where this client had the log that was replaced.
    public let former: Version
    /// Up to where the log reaches that took its place.
    public let version: Version

    package init(former: Version, version: Version) {
        self.former = former
        self.version = version
    }

    /// What a person is told.
    package var words: String {
        "the list goes on from another log, at version \(version) (here it was at \(former)): "
            + "a backup was restored, or the server lost what came last; "
            + "what is pending here is proposed again"
    }
}
