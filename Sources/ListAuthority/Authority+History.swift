internal import ListModel
internal import ListProtocol

/// Keeping logs, graves and the memory of clients in bounds.
extension Authority {
    /// Stores a snapshot where starting would else take long, or where the history has become
    /// longer than asked for by half as much again; forgets graves that are too many or too old.
    func keepHistory(_ list: HostedList, _ now: Timestamp) {
        forgetGraves(list, now)
        guard !list.isSaving else { return }
        let elements = UInt64(list.speculation.list.count)
        let sinceSnapshot = list.durable.number - list.snapshotVersion.number
        let oldest = oldestKept(list, now)
        let surplus = oldest.number - min(oldest.number, list.first.number)
        let kept = list.durable.number - min(list.durable.number, oldest.number)
        let trims = surplus > max(64, kept / 2, elements / 4)
        guard trims || sinceSnapshot > max(10_000, 2 * elements) else { return }
        list.isSaving = true
        // By the log's time, not the clock's: whoever folds the same log forgets the same clients.
        list.sessions.forget(
            before: list.sessions.lastAt.adding(milliseconds: -limits.clientAge))
        let parts = withConfirmed(list) { state in
            SnapshotPages.records(of: state, list.sessions, at: list.position, limits: limits)
        }
        let through = trims ? Version(oldest.number - 1) : nil
        work.append(.save(list.name, at: list.durable, parts: parts, through: through))
    }

    func saved(_ name: ListName, _ version: Version, _ first: Version) {
        guard let list = hosted(name) else { return }
        list.isSaving = false
        list.snapshotVersion = max(list.snapshotVersion, version)
        list.first = max(list.first, first)
        list.times.forget(before: list.first)
    }

    /// Graves are forgotten by an entry, so that every replica has the same ones: a tenth more than
    /// the limit may stand, so that the search for the oldest is rare.
    private func forgetGraves(_ list: HostedList, _ now: Timestamp) {
        guard list.speculation.list.graveCount > limits.graves + limits.graves / 10 else { return }
        let ids = list.speculation.list.gravesToForget(
            most: limits.graves, oldest: now.adding(milliseconds: -limits.graveAge))
        guard let client = ClientID("samelistd"), !ids.isEmpty else { return }
        let mutation = Mutation(
            client: client, n: .zero, operations: [Operation(.forget(ids))])
        propose(
            mutation,
            ClientMessage.Submission(
                list: list.name, n: .zero, heard: .zero, operations: mutation.operations),
            .nobody, ConnectionID(0), to: list, now)
    }
}
