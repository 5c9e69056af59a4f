package import ListModel

/// What one connection may do, as the shell found it in a token: under which name, in which lists,
/// and for how long.
package struct Access: Hashable, Sendable {
    /// Under which all its work is logged, whatever the client says of itself.
    package let name: UserName
    package let grants: [Grant]
    /// From then on it is no more; `nil`: never.
    package let expires: Timestamp?

    package init(name: UserName, grants: [Grant], expires: Timestamp?) {
        self.name = name
        self.grants = grants
        self.expires = expires
    }

    /// The greatest right to a list that one of the grants gives; `nil`: none, not even to know
    /// whether there is such a list.
    package func right(to list: ListName) -> Right? {
        grants.lazy.filter { $0.pattern.matches(list) }.map(\.right).max()
    }

    func hasExpired(at now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }
}

/// What may be done with a list. Each right has those before it in it.
package enum Right: String, Hashable, Comparable, Sendable, CaseIterable {
    /// See its rows, its history, and who is there.
    case read
    /// Change its rows, and say which one edits.
    case write
    /// Make it, describe it, delete it.
    case own

    package static func < (left: Right, right: Right) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .write: 1
        case .own: 2
        }
    }
}

/// A right to all lists of a pattern.
package struct Grant: Hashable, Sendable {
    package let pattern: ListPattern
    package let right: Right

    package init(_ pattern: ListPattern, _ right: Right) {
        self.pattern = pattern
        self.right = right
    }
}

/// The name of a list in which each `*` stands for any letters, or none.
package struct ListPattern: Hashable, Sendable {
    package let text: String

    /// `nil` unless it is 1-64 of `a-z 0-9 . _ - *`.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                switch byte {
                case 0x61...0x7A, 0x30...0x39, 0x2E, 0x5F, 0x2D, 0x2A: true
                default: false
                }
            })
        else { return nil }
        self.text = text
    }

    /// Cost: at most the product of both lengths.
    package func matches(_ list: ListName) -> Bool {
        let pattern = Array(text.utf8)
        let name = Array(list.text.utf8)
        var (at, next) = (0, 0)
        // Where the last star stands, and how far it reaches.
        var star: (at: Int, through: Int)?
        while next < name.count {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                star = (at, next)
                at += 1
            } else if at < pattern.count, pattern[at] == name[next] {
                at += 1
                next += 1
            } else if let last = star {
                star = (last.at, last.through + 1)
                at = last.at + 1
                next = last.through + 1
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
