package import ListModel

/// A list in memory, and how far those are who have it open.
package struct Standing: Hashable, Sendable {
    package let name: ListName
    package let version: Version
    /// Living elements.
    package let count: Int
    package let open: Int
    /// Of those who have it open: have not been given all of it.
    package let behind: Int
    /// Entries that the one furthest behind has not been given, and the time of the oldest of them.
    package let lag: UInt64
    package let since: Timestamp?
    /// Mutations that wait for the log.
    package let waiting: Int
}

/// One who has a list open.
package struct Reader: Hashable, Sendable {
    package let connection: ConnectionID
    package let client: ClientID
    package let name: UserName
    /// It was given all up to here; `nil`: it is still being given the whole list.
    package let version: Version?

    package init(connection: ConnectionID, client: ClientID, name: UserName, version: Version?) {
        self.connection = connection
        self.client = client
        self.name = name
        self.version = version
    }
}

extension Authority {
    /// All lists in memory, in no particular order. Cost: a look at each subscription.
    package var standings: [Standing] {
        lists.values.compactMap { place in
            guard case .hosted(let list) = place else { return nil }
            return standing(of: list)
        }
    }

    private func standing(of list: HostedList) -> Standing {
        var behind = 0
        var last = list.durable
        for subscription in list.subscriptions.all {
            if subscription.cursor < list.durable || !subscription.isCaughtUp { behind += 1 }
            last = min(last, subscription.cursor)
        }
        return Standing(
            name: list.name, version: list.durable, count: list.speculation.list.count,
            open: list.subscriptions.count, behind: behind,
            lag: list.durable.number - last.number, since: time(after: last, in: list),
            waiting: list.waiting.count)
    }

    /// That of the entry behind a version, or, where that is no longer in memory, of the oldest
    /// that is: it is older still.
    private func time(after version: Version, in list: HostedList) -> Timestamp? {
        guard version < list.durable else { return nil }
        let known = max(version, list.tail.before)
        let record = list.tail.records(after: known, bytes: 1)?.first
        return record.flatMap { try? decoder.decodeEntryRecord($0).at }
    }

    /// Who has a list open, in the order of their coming.
    package func readers(of name: ListName) -> [Reader] {
        guard let list = hosted(name) else { return [] }
        return list.subscriptions.all.compactMap { subscription in
            guard let greeting = subscription.connection.greeting else { return nil }
            var version: Version? = subscription.cursor
            switch subscription.phase {
            case .queued, .snapshot: version = nil
            case .entries, .reading, .page: break
            }
            return Reader(
                connection: subscription.connection.id, client: greeting.client,
                name: greeting.name, version: version)
        }.sorted { $0.connection.number < $1.connection.number }
    }
}
