internal import ListModel

/// Something that must never be, whatever the load: one of these and the run has failed.
enum Flaw: Hashable, Sendable {
    /// A client got an entry that does not follow what it has.
    case gap(ListName, after: UInt64, got: UInt64)
    /// A client got an entry that it has, or a mutation was logged twice.
    case doubled(ListName, UInt64)
    /// A client got other bytes than another, or rows are not what the log comes to.
    case diverged(ListName, UInt64, String)
    /// Entries never reached a client that stayed to the end.
    case lost(ListName, UInt64)
    /// Mutations of which the server said that they are logged are not in the log.
    case forgotten(ListName, UInt64)

    /// How many entries it concerns.
    var weight: UInt64 {
        switch self {
        case .gap(_, let after, let got): got > after ? got - after - 1 : 1
        case .doubled, .diverged: 1
        case .lost(_, let count), .forgotten(_, let count): count
        }
    }

    var sentence: String {
        switch self {
        case .gap(let list, let after, let got):
            "\(list): a client that had \(after) entries got entry \(got)"
        case .doubled(let list, let version): "\(list): entry \(version) came twice"
        case .diverged(let list, let version, let what): "\(list): version \(version): \(what)"
        case .lost(let list, let count): "\(list): \(count) entries never reached a client"
        case .forgotten(let list, let count):
            "\(list): \(count) mutations that were acknowledged are not in the log"
        }
    }
}

/// How many flaws there were of each kind, and the first ones in words.
struct FlawTally: Sendable {
    private(set) var gaps: UInt64 = 0
    private(set) var doubled: UInt64 = 0
    private(set) var diverged: UInt64 = 0
    private(set) var lost: UInt64 = 0
    private(set) var forgotten: UInt64 = 0
    private(set) var sentences: [String] = []

    /// So many are told in words.
    private static let told = 20

    var isClean: Bool { gaps + doubled + diverged + lost + forgotten == 0 }

    mutating func note(_ flaw: Flaw) {
        switch flaw {
        case .gap: gaps += flaw.weight
        case .doubled: doubled += flaw.weight
        case .diverged: diverged += flaw.weight
        case .lost: lost += flaw.weight
        case .forgotten: forgotten += flaw.weight
        }
        if sentences.count < Self.told { sentences.append(flaw.sentence) }
    }
}
