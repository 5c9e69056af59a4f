internal import ListModel

/// The logs as they were written, and what each list was at every version: what replicas and
/// outcomes are held against. Restored backups and re-created lists have logs of their own.
final class Truth {
    struct Log {
        var entries: [Entry] = []
        var list = PlainList()
        var deeds = Deeds()
        /// Of the list at each version, from 0.
        var prints: [Int] = [PlainList().print]
        var versions: [Origin: Version] = [:]
    }

    struct Origin: Hashable {
        let client: ClientID
        let n: MutationNumber
    }

    private(set) var logs: [Epoch: Log] = [:]

    /// Takes the next entry of a log; answers what is wrong with it.
    func note(_ entry: Entry, in epoch: Epoch) -> String? {
        let log = logs[epoch] ?? Log()
        guard entry.version.number == UInt64(log.entries.count + 1) else {
            return "\(entry.version) is logged behind \(log.entries.count)"
        }
        if let last = log.entries.last, entry.at < last.at {
            return "\(entry.version) is older than the entry before it"
        }
        let origin = Origin(client: entry.client, n: entry.n)
        if entry.n > .zero, let version = log.versions[origin] {
            return "\(entry.client) \(entry.n) is logged at \(version) and \(entry.version)"
        }
        return logs[epoch, default: Log()].add(entry, origin)
    }

    /// A log was set back to what it was at `head`, and goes on under another epoch.
    func restore(_ old: Epoch, at head: Version, as epoch: Epoch) {
        var log = Log()
        for entry in (logs[old]?.entries ?? []).prefix(Int(head.number)) {
            _ = log.add(entry, Origin(client: entry.client, n: entry.n))
        }
        if let longer = logs[old]?.list { log.list.follow(longer) }
        logs[epoch] = log
    }

    func print(of epoch: Epoch, at version: Version) -> Int? {
        guard let log = logs[epoch] else { return version == .zero ? PlainList().print : nil }
        return log.prints.indices.contains(Int(version.number))
            ? log.prints[Int(version.number)] : nil
    }

    /// Where a mutation stands in a log, no further than `head`.
    func version(of n: MutationNumber, by client: ClientID, in epoch: Epoch, upTo head: Version)
        -> Version?
    {
        guard let at = logs[epoch]?.versions[Origin(client: client, n: n)], at <= head else {
            return nil
        }
        return at
    }

    func entry(of n: MutationNumber, by client: ClientID, in epoch: Epoch) -> Entry? {
        guard let log = logs[epoch] else { return nil }
        return log.versions[Origin(client: client, n: n)].map { log.entries[Int($0.number) - 1] }
    }

    /// All entries that a mutation ever became, in whatever log.
    func entries(of n: MutationNumber, by client: ClientID) -> [Entry] {
        logs.values.compactMap { log in
            log.versions[Origin(client: client, n: n)].map { log.entries[Int($0.number) - 1] }
        }
    }
}

extension Truth.Log {
    fileprivate mutating func add(_ entry: Entry, _ origin: Truth.Origin) -> String? {
        entries.append(entry)
        if entry.n > .zero { versions[origin] = entry.version }
        let fault = list.apply(entry)
        deeds.note(entry, list)
        prints.append(list.print)
        return fault
    }
}

extension ListState {
    /// Of all that every replica must know alike: of graves no more than where they are.
    var print: Int {
        var hasher = Hasher()
        hasher.combine(head.number)
        forEach { element, grave in
            hasher.combine(element.id)
            hasher.combine(grave == nil)
            guard grave == nil else { return }
            hasher.combine(element.fields)
            hasher.combine(element.version)
            hasher.combine(element.by)
            hasher.combine(element.at)
        }
        return hasher.finalize()
    }
}
