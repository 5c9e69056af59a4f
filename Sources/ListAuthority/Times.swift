package import ListModel

/// When entries were logged, as far as a history by age must know: one entry in so many, in log
/// order.
package struct Times: Sendable {
    private var samples: [(version: Version, at: Timestamp)] = []

    /// One in so many is kept.
    static let pace: UInt64 = 64

    package init() {}

    package mutating func note(_ entry: Entry) {
        if entry.version.number % Self.pace == 0 { samples.append((entry.version, entry.at)) }
    }

    package mutating func forget(before version: Version) {
        samples.removeAll { $0.version < version }
    }

    /// A version before which every entry is older than `since`; `nil` where none is known to be.
    package func last(before since: Timestamp) -> Version? {
        samples.last { $0.at < since }?.version
    }
}
