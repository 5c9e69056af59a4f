package import ListModel
internal import ListProtocol

extension StoredList {
    /// What does not fit between a stored snapshot and the log from its beginning; `nil`: nothing.
    /// Both must stand at the version of the snapshot.
    package func flaw(against replay: StoredList, limits: Limits) -> String? {
        guard state.head == replay.state.head else {
            return "the log ends at \(replay.state.head), before its snapshot at \(state.head)"
        }
        let position = Position(epoch: epoch, version: state.head)
        let stored = SnapshotPages.records(of: state, Sessions(), at: position, limits: limits)
        let replayed = SnapshotPages.records(
            of: replay.state, Sessions(), at: position, limits: limits)
        if stored != replayed {
            return "its snapshot at \(state.head) is not what the log comes to"
        }
        return sessions.flaw(against: replay.sessions)
    }
}

extension Sessions {
    /// Clients may have been forgotten since, those before the horizon alone; none may be known by
    /// other answers.
    fileprivate func flaw(against replay: Sessions) -> String? {
        for client in clients {
            let ours = logged(of: client, after: .zero)
            let replayed = replay.logged(of: client, after: .zero)
            guard ours == replayed.filter({ $0 >= since(of: client) }),
                ours.allSatisfy({
                    standing(of: $0, by: client) == replay.standing(of: $0, by: client)
                })
            else { return "its snapshot remembers other work of client \(client) than the log" }
        }
        for client in replay.clients where lastAt(of: client) == nil {
            guard let last = replay.lastAt(of: client), last < horizon else {
                return "its snapshot has lost what the log says of client \(client)"
            }
        }
        return nil
    }
}
