internal import ListModel
internal import ListProtocol

/// Sending whole lists, as many at once as there is room for.
extension Authority {
    /// Between two looks at those who wait, in milliseconds.
    static let queuePause: Int64 = 50
    /// How long somebody who is being given a list may take nothing of it while others wait.
    private static let patience: Int64 = 10_000
    /// Entries behind a snapshot with which it is sent once more, though there is room for another.
    private static let fewEntries: UInt64 = 100

    /// Begins with the whole list, or waits for it.
    func sendWhole(_ list: HostedList, to subscription: Subscription) {
        let isFirst = !snapshotQueue.contains { $0.name == list.name }
        guard isFirst, begin(list, subscription) else {
            subscription.phase = .queued
            subscription.cursor = list.durable
            return snapshotQueue.append((list.name, subscription.connection.id, now))
        }
    }

    private func begin(_ list: HostedList, _ subscription: Subscription) -> Bool {
        guard let pages = pages(of: list, hasBase: subscription.readsBase) else { return false }
        subscription.phase = .snapshot(pages, next: 0)
        subscription.cursor = pages.version
        subscription.movedAt = now
        return true
    }

    /// The whole list in parts: those made last, while the entries since are few, else new ones.
    /// Without room for new ones the last will do as long as all entries since are in memory.
    private func pages(of list: HostedList, hasBase: Bool) -> SnapshotPages? {
        if let last = list.pages[hasBase: hasBase], last.version >= list.tail.before,
            list.durable.number - last.version.number <= Self.fewEntries
        {
            return last
        }
        guard makeRoom() else {
            return list.pages[hasBase: hasBase].flatMap {
                $0.version >= list.tail.before ? $0 : nil
            }
        }
        let pages = withConfirmed(list) { state in
            SnapshotPages(
                of: state, named: list.name, at: list.position, hasBase: hasBase, limits: limits,
                in: snapshotRoom)
        }
        list.pages[hasBase: hasBase] = pages
        return pages
    }

    /// Lets go of snapshots that nobody is being given, where there is no room.
    private func makeRoom() -> Bool {
        if snapshotRoom.bytes < limits.snapshotBytes { return true }
        for case .hosted(let list) in lists.values { list.pages.dropUnused() }
        return snapshotRoom.bytes < limits.snapshotBytes
    }

    /// Those whose turn has come. One who waits holds up nobody who wants another list.
    func admitQueued(_ now: Timestamp) {
        guard let first = snapshotQueue.first else { return }
        let waiting = snapshotQueue
        snapshotQueue = []
        for (name, id, since) in waiting {
            guard let list = hosted(name), let subscription = list.subscriptions[id],
                case .queued = subscription.phase
            else { continue }
            if begin(list, subscription) {
                markDue(subscription.connection)
            } else {
                snapshotQueue.append((name, id, since))
            }
        }
        if !snapshotQueue.isEmpty { endStalled(since: first.since, now) }
    }

    /// Whoever takes nothing keeps others waiting for nothing.
    private func endStalled(since: Timestamp, _ now: Timestamp) {
        guard now >= since.adding(milliseconds: Self.patience) else { return }
        for connection in connections.values {
            let isStalled = connection.opened.contains { open in
                guard case .snapshot = open.subscription.phase else { return false }
                let last = max(open.subscription.movedAt, since)
                return now >= last.adding(milliseconds: Self.patience)
            }
            guard isStalled else { continue }
            close(
                connection.id, .tooSlow, "nothing of a list was taken for 10 s", retry: 1_000)
        }
    }
}
