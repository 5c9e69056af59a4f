package import ListModel

/// How a client's state gets to its disk: one write at a time. What is done meanwhile gathers, and
/// what failed is written again together with it, so that nothing is durable without all that was
/// done before.
///
/// ```
///         ┌────────── saved ──────────┐
///         ▼                           │
///      resting ── takeWrites ──▶ under way ── notSaved ──▶ failed
///         ▲                                                  │
///         └──────────── a pause is over ─────────────────────┘
/// ```
enum Saving {
    case resting
    case underWay([StateWrite])
    /// The disk is full or broken; tried again then.
    case failed(until: Timestamp)

    /// Between attempts, in milliseconds.
    static let pause: Int64 = 1_000

    /// The same in the end: what is removed by prefix, then every key once. What waits for a disk
    /// that is full stays as large as the state at most.
    static func condense(_ writes: [StateWrite]) -> [StateWrite] {
        var prefixes: [String] = []
        var byKey: [String: StateWrite] = [:]
        for write in writes {
            switch write {
            case .put(let key, _), .remove(let key): byKey[key] = write
            case .removePrefix(let prefix):
                byKey = byKey.filter { !$0.key.hasPrefix(prefix) }
                prefixes.removeAll { $0.hasPrefix(prefix) }
                prefixes.append(prefix)
            }
        }
        let keyed = byKey.sorted { $0.key < $1.key }.map(\.value)
        return prefixes.map { .removePrefix($0) } + keyed
    }
}

extension ClientCore {
    /// What is to be made durable, as one; `nil`: nothing, or not now.
    package func takeWrites() -> (ticket: UInt64, writes: [StateWrite])? {
        guard case .resting = saving else { return nil }
        addPositions()
        guard !writes.isEmpty else { return nil }
        saving = .underWay(writes)
        defer {
            writes = []
            ticket += 1
            for replica in inOrder { replica.ticket = ticket }
        }
        return (ticket, writes)
    }

    /// All that may not be durable yet, for a program that ends: to be written behind what is under
    /// way, which does no harm twice.
    package func takeLastWrites() -> [StateWrite] {
        addPositions()
        defer { writes = [] }
        guard case .underWay(let first) = saving else { return writes }
        return Saving.condense(first + writes)
    }

    /// Those of lists that were closed meanwhile among them.
    private func addPositions() {
        for replica in inOrder {
            if let position = replica.takePosition() { writes.append(position) }
        }
        for replica in closed.values where replica.isPositionDue {
            if let position = replica.takePosition() { writes.append(position) }
        }
    }

    func saved(_ ticket: UInt64) {
        if case .underWay = saving { saving = .resting }
        saveFailure = nil
        saved = max(saved, ticket)
        for replica in inOrder { replica.saved = saved }
        news.append(.saved(ticket))
    }

    /// Nothing of the last writes is durable, as far as is known.
    func notSaved(_ sentence: String, _ now: Timestamp) {
        guard case .underWay(let lost) = saving else { return }
        guard !Faults.has(.failedSaveForgotten) else {
            saving = .resting
            return
        }
        writes = Saving.condense(lost + writes)
        saving = .failed(until: now.adding(milliseconds: Saving.pause))
        if saveFailure == nil { news.append(.stateFailed(sentence)) }
        saveFailure = sentence
    }

    /// Changes of a list that a failing disk has not taken, so that they were not sent either: they
    /// end with the program.
    package func unkeptCount(in list: ListName) -> Int {
        guard saveFailure != nil, let replica = replicas[list] else { return 0 }
        return replica.unresolved.count { $0.ticket > saved }
    }

    func resumeSaving(_ now: Timestamp) {
        if case .failed(let until) = saving, until <= now { saving = .resting }
    }

    /// When what failed is written again.
    var nextSave: Timestamp? {
        if case .failed(let until) = saving { return until }
        return nil
    }
}
