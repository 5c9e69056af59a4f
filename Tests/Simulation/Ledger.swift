internal import ListModel
internal import ListProtocol

/// One client's mutations, from when they were made to when their outcome was told: once each,
/// though a crash may forget what was not durable.
struct Ledger {
    private struct Issue {
        let ticket: UInt64
        /// The number under which the outcome is told.
        let origin: MutationNumber
    }

    private struct Telling {
        let outcome: Outcome
        let ticket: UInt64
        let run: Int
    }

    private var waiting: [MutationNumber: Issue] = [:]
    private var told: [MutationNumber: Telling] = [:]
    private var discarded: [MutationNumber: UInt64] = [:]
    private var saved: UInt64 = 0
    private var run = 0

    /// Told to have come to nothing: they must never be in the log.
    private(set) var denied: Set<MutationNumber> = []

    mutating func issue(_ n: MutationNumber, at ticket: UInt64) {
        waiting[n] = Issue(ticket: ticket, origin: n)
        told[n] = nil
        denied.remove(n)
    }

    /// What came to nothing is proposed again under another number; told under the first.
    mutating func replace(_ old: MutationNumber, with new: MutationNumber, at ticket: UInt64) {
        guard !isWaiting(new) else { return }
        let origin = waiting.removeValue(forKey: old)?.origin ?? old
        waiting[new] = Issue(ticket: ticket, origin: origin)
        replaced.insert(origin)
        // A crash may have given the new one before, to what was never sent.
        guard told[new]?.run != run else { return }
        told[new] = nil
        denied.remove(new)
    }

    mutating func discard(_ n: MutationNumber, at ticket: UInt64) {
        waiting[n] = nil
        discarded[n] = ticket
    }

    mutating func save(_ ticket: UInt64) { saved = max(saved, ticket) }

    func isWaiting(_ n: MutationNumber) -> Bool { waiting[n] != nil }

    /// The mutation whose outcome is told under a number.
    func number(toldAs n: MutationNumber) -> MutationNumber? {
        if waiting[n]?.origin == n { return n }
        return waiting.first { $0.value.origin == n }?.key
    }

    /// Answers what is wrong with being told this now.
    mutating func tell(_ n: MutationNumber, _ outcome: Outcome, at ticket: UInt64) -> String? {
        if let before = told[n], before.run == run {
            return "the outcome of \(n) was told twice: \(before.outcome), \(outcome)"
        }
        guard let issue = number(toldAs: n) else {
            return "the outcome of \(n) was told, which does not wait"
        }
        waiting[issue] = nil
        told[n] = Telling(outcome: outcome, ticket: ticket, run: run)
        if outcome.isDenial { denied.insert(n) }
        return nil
    }

    /// The client starts again, with this unresolved; answers what is missing.
    mutating func restart(with unresolved: Set<MutationNumber>) -> String? {
        var faults: [String] = []
        for (n, issue) in waiting where issue.ticket <= saved && !unresolved.contains(n) {
            faults.append("\(n) was durable, and is forgotten")
        }
        for (n, telling) in told where telling.ticket <= saved && unresolved.contains(n) {
            faults.append("\(n) was told durably, and waits again")
        }
        for (n, ticket) in discarded where ticket <= saved && unresolved.contains(n) {
            faults.append("\(n) was discarded durably, and waits again")
        }
        waiting = [:]
        for n in unresolved {
            waiting[n] = Issue(ticket: 0, origin: n)
            told[n] = nil
            denied.remove(n)
        }
        // The tickets of the next run begin anew.
        told = told.mapValues { Telling(outcome: $0.outcome, ticket: 0, run: $0.run) }
        discarded = [:]
        saved = 0
        run += 1
        return faults.first
    }

    /// Whether it is told for another number.
    private(set) var replaced: Set<MutationNumber> = []

    func isReplaced(_ n: MutationNumber) -> Bool { replaced.contains(n) }

    /// Whether it was told to be logged, in whatever log.
    func isHeard(_ n: MutationNumber) -> Bool {
        if case .logged? = told[n]?.outcome { return true }
        return false
    }

    /// A life is left whose work may still be under way: what it sent once more, after it was told
    /// no of it and forgot that, may be logged.
    mutating func leave(_ left: Ledger) {
        denied.subtract(left.waiting.flatMap { [$0.key, $0.value.origin] })
    }

    /// What was never told.
    var silent: [MutationNumber] { waiting.keys.sorted() }
}

extension Outcome {
    var skips: [Skip] {
        switch self {
        case .logged(_, let skips), .nothing(let skips): skips
        case .refused: []
        }
    }

    var isDenial: Bool {
        switch self {
        case .logged: false
        case .nothing: true
        case .refused(let refusal):
            refusal.code != .listDeleted && refusal.code != .numberReused
        }
    }
}
