/// The dense number of an entry in its log: 1, 2, 3 …; 0 is the empty list before any entry.
public struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number itself.
    public let number: UInt64
    /// The version of this number.
    public init(_ number: UInt64) { self.number = number }

    /// Before the first entry.
    public static let zero = Version(0)
    public static func < (left: Version, right: Version) -> Bool { left.number < right.number }
    public var description: String { "\(number)" }
    package var next: Version { Version(number &+ 1) }
    package func advanced(by count: Int) -> Version { Version(number &+ UInt64(count)) }
}

/// The number that a client gave a mutation: 1, 2, 3 … per client and list.
public struct MutationNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }

    public static let zero = MutationNumber(0)
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    public var description: String { "\(number)" }
    package var next: MutationNumber { MutationNumber(number &+ 1) }
}

/// A point in time: milliseconds since 1970 in UTC, without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable {
    public let milliseconds: Int64
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static let zero = Timestamp(milliseconds: 0)
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
    package func adding(milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds &+ milliseconds)
    }
}
