internal import ListAuthority
internal import ListModel
internal import ListProtocol

/// What the operator is told by the socket in the data folder: with names of lists and people,
/// which `/metrics` never holds.
extension Service {
    /// The answer to a line: `status`, or `readers` and a list as the storage names it.
    func answer(to question: String) -> [UInt8] {
        let words = question.split(separator: " ")
        switch words.first {
        case "status" where words.count == 1: return MessageEncoder.encode(status.value)
        case "readers" where words.count == 2:
            let found = Tenant.list(ofKey: String(words[1]))
            let realm = found.flatMap { realms[$0.tenant] }
            let readers = found.flatMap { realm?.authority.readers(of: $0.name) }
            return MessageEncoder.encode(ListReaders(readers: readers ?? []).value)
        default: return MessageEncoder.encode(.object(["v": .int(1)]))
        }
    }

    private var status: ServerStatus {
        var status = ServerStatus()
        status.version = Server.version
        status.at = WallClock.now
        status.state = unreadiness ?? "ready"
        let all = realms.values.flatMap { realm in
            realm.authority.standings.map { ServerStatus.List($0, of: realm.tenant) }
        }
        status.lists = Array(
            all.sorted { ($1.open, $0.key) < ($0.open, $1.key) }.prefix(ServerStatus.mostLists))
        let lag = self.lag
        let count = realms.values.reduce(0) { $0 + $1.authority.listCount.all }
        status.figures.lists = Int64(count)
        status.figures.listsInMemory = Int64(all.count)
        status.figures.subscriptions = Int64(lag.subscriptions)
        status.figures.subscriptionsBehind = Int64(lag.behind)
        status.figures.lagEntries = Int64(clamping: lag.entries)
        status.figures.lagMilliseconds = lag.milliseconds
        fill(&status.figures)
        return status
    }

    private func fill(_ told: inout ServerStatus.Figures) {
        let process = ProcessFigures()
        let storage = storageFigures?.withLock { $0 } ?? StorageFigures()
        told.startedAt = Int64(process.startSeconds * 1_000)
        told.memoryBytes = Int64(process.residentBytes)
        told.cpuMilliseconds = Int64(process.cpuSeconds * 1_000)
        told.connections = Int64(sessions.count)
        told.connectionsBehind = Int64(sessions.values.count { !$0.connection.isWritable })
        told.messages = Int64(clamping: figures.messages)
        told.bytesIn = Int64(clamping: figures.bytesIn)
        told.edits = Int64(clamping: figures.edits)
        told.deliveries = Int64(clamping: figures.deliveries)
        told.bytesOut = Int64(clamping: figures.bytesOut)
        told.entries = Int64(clamping: storage.entries)
        told.appendFailures = Int64(clamping: storage.failures)
        told.storageJobs = Int64(jobs)
    }
}

/// How far those are behind who have lists open.
struct Lag {
    var subscriptions = 0
    var behind = 0
    /// Of the one furthest behind.
    var entries: UInt64 = 0
    var milliseconds: Int64 = 0
}

extension Service {
    var lag: Lag {
        let now = WallClock.now
        var lag = Lag()
        for standing in realms.values.flatMap(\.authority.standings) {
            lag.subscriptions += standing.open
            lag.behind += standing.behind
            lag.entries = max(lag.entries, standing.lag)
            if let since = standing.since {
                lag.milliseconds = max(lag.milliseconds, now.milliseconds - since.milliseconds)
            }
        }
        return lag
    }
}
