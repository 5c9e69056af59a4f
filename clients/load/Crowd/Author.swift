internal import ListModel
internal import ListProtocol

/// What one client has written to its list: each edit from the moment at which it was meant to be
/// written to what became of it, and its place in the log as others saw it.
struct Author {
    /// An edit that has no outcome yet.
    struct Pending {
        let operations: [Operation]
        /// `nil` for those that fill a list, whose time is not taken.
        let intended: Moment?
        /// Whether it may have reached the server.
        var wasSent = false
    }

    private struct Told {
        /// As its outcome said; 0: none yet, or not logged.
        var acknowledged: UInt64 = 0
        /// As the log showed; 0: not yet.
        var logged: UInt64 = 0
    }

    private(set) var pending: [UInt64: Pending] = [:]
    /// All outcomes up to here were heard.
    private(set) var heard: UInt64 = 0
    private var heardAbove: Set<UInt64> = []
    /// Of each number, from 1.
    private var told: [Told] = []

    var last: UInt64 { UInt64(told.count) }

    /// The number of the next edit.
    mutating func add(_ operations: [Operation], intended: Moment?) -> UInt64 {
        told.append(Told())
        pending[last] = Pending(operations: operations, intended: intended)
        return last
    }

    mutating func sent(_ n: UInt64) { pending[n]?.wasSent = true }

    /// Its outcome came. `nil` where it had one before.
    mutating func answered(_ n: UInt64, at version: UInt64?) -> Pending? {
        guard let edit = pending.removeValue(forKey: n) else { return nil }
        if let version { told[Int(n) - 1].acknowledged = version }
        heardAbove.insert(n)
        while heardAbove.remove(heard + 1) != nil { heard += 1 }
        return edit
    }

    /// The log shows it. False where it showed it before: it was logged twice.
    mutating func logged(_ n: UInt64, at version: UInt64) -> Bool {
        guard n >= 1, n <= last else { return false }
        defer { told[Int(n) - 1].logged = version }
        return told[Int(n) - 1].logged == 0
    }

    /// Those that were acknowledged at a version where the log does not have them.
    var forgotten: Int { told.count { $0.acknowledged != 0 && $0.acknowledged != $0.logged } }

    /// Without outcome, in order.
    var unanswered: [UInt64] { pending.keys.sorted() }
}
