internal import ListModel
internal import ListProtocol

/// What a connection is sent, made when it can take it.
extension Authority {
    /// The next frames for a connection, whole messages, together at most `bytes` unless the first
    /// alone is longer. Empty: nothing is due. Called again after each write, until it is empty.
    package func takeFrames(for id: ConnectionID, bytes: Int) -> [[UInt8]] {
        guard let connection = connections[id] else { return [] }
        var budget = Budget(left: bytes)
        takeOutbox(id, &budget)
        if !connection.isClosing {
            for name in connection.lists.sorted() where budget.left > 0 {
                guard let list = hosted(name) else { continue }
                takeEntries(of: list, id, &budget)
                if Faults.has(.subscribedTwice) {
                    takeEntries(of: list, Self.second(id), &budget)
                }
            }
            if budget.left > 0 { takeOutbox(id, &budget) }
        }
        return budget.frames
    }

    struct Budget {
        var left: Int
        var frames: [[UInt8]] = []

        mutating func add(_ frame: [UInt8]) {
            frames.append(frame)
            left -= frame.count
        }

        func admits(_ frame: [UInt8]) -> Bool { frames.isEmpty || frame.count <= left }
    }

    /// Messages whose entries have all been sent, in order.
    private func takeOutbox(_ id: ConnectionID, _ budget: inout Budget) {
        guard let connection = connections[id] else { return }
        var taken = 0
        for message in connection.outbox {
            guard budget.admits(message.bytes), isReady(message, connection) else { break }
            budget.add(message.bytes)
            taken += 1
        }
        if taken > 0 { connections[id]?.take(taken) }
    }

    func isReady(_ message: Connection.Outgoing, _ connection: Connection) -> Bool {
        guard let after = message.after, !Faults.has(.outcomeOvertakes),
            let list = hosted(after.list),
            list.epoch == after.position.epoch,
            let subscription = list.subscriptions[connection.id]
        else { return true }
        return subscription.cursor >= after.position.version && subscription.isCaughtUp
    }

    private func takeEntries(of list: HostedList, _ id: ConnectionID, _ budget: inout Budget) {
        guard var subscription = list.subscriptions[id] else { return }
        defer { list.subscriptions[id] = subscription }
        while true {
            switch subscription.phase {
            case .reading: return
            case .snapshot(let pages, let next):
                guard budget.admits(pages.frames[next]) else { return }
                budget.add(pages.frames[next])
                subscription.phase =
                    next + 1 < pages.frames.count ? .snapshot(pages, next: next + 1) : .entries
                if Faults.has(.snapshotPartSkipped), next + 2 < pages.frames.count {
                    subscription.phase = .snapshot(pages, next: next + 2)
                }
            case .page(let records):
                let frame = MessageEncoder.entriesFrame(list: list.name, records: records)
                guard budget.admits(frame) else { return }
                budget.add(frame)
                subscription.cursor = subscription.cursor.advanced(by: records.count)
                subscription.phase = .entries
            case .entries:
                guard takeTail(of: list, &subscription, id, &budget) else { return }
            }
        }
    }

    /// Entries from memory, then "caught up". False: nothing more for now.
    private func takeTail(
        of list: HostedList, _ subscription: inout Subscription, _ id: ConnectionID,
        _ budget: inout Budget
    ) -> Bool {
        guard subscription.cursor < list.durable else {
            if !subscription.isCaughtUp { catchUp(list, &subscription, id, &budget) }
            return false
        }
        guard
            let records = list.tail.records(after: subscription.cursor, bytes: limits.frameBytes)
        else {
            subscription.phase = .reading
            work.append(
                .read(
                    list.name, after: subscription.cursor, bytes: limits.frameBytes, for: id))
            return false
        }
        let through = subscription.cursor.advanced(by: records.count)
        let range = HostedList.FrameRange(after: subscription.cursor, through: through)
        let frame =
            list.frames[range] ?? MessageEncoder.entriesFrame(list: list.name, records: records)
        if list.frames.count >= HostedList.mostFrames { list.frames = [:] }
        list.frames[range] = frame
        guard budget.admits(frame) else { return false }
        budget.add(frame)
        subscription.cursor = through
        return true
    }

    /// The fates of the elements under the client's editors, then the word that nothing is missing.
    private func catchUp(
        _ list: HostedList, _ subscription: inout Subscription, _ id: ConnectionID,
        _ budget: inout Budget
    ) {
        if !subscription.fates.isEmpty {
            let fates = fates(of: subscription.fates, in: list)
            budget.add(MessageEncoder.encode(.fates(nil, list.name, fates)))
            subscription.fates = []
        }
        let client = connections[id]?.greeting?.client
        let logged = client.map { list.sessions.logged(of: $0, after: subscription.heard) }
        let highest = client.map { list.sessions.highest(of: $0) }
        budget.add(
            MessageEncoder.encode(
                .caughtUp(
                    list.name, list.position, logged: logged ?? [], highest: highest ?? .zero)))
        subscription.isCaughtUp = true
    }

    func read(_ name: ListName, _ id: ConnectionID, _ records: [[UInt8]]?) {
        guard let list = hosted(name), var subscription = list.subscriptions[id],
            case .reading = subscription.phase
        else { return }
        if let records, let oldest = records.first {
            // What was asked for before the list was opened again is not what is wanted now.
            let version = try? decoder.decodeEntryRecord(oldest).version
            guard version == subscription.cursor.next else { return }
            let most = Int(list.durable.number - subscription.cursor.number)
            subscription.phase = .page(Array(records.prefix(most)))
        } else {
            // The log was cut shorter meanwhile: the whole list instead, and "caught up" behind it.
            list.pages = nil
            let pages = pages(of: list)
            subscription.phase = .snapshot(pages, next: 0)
            subscription.cursor = pages.version
            subscription.isCaughtUp = false
        }
        list.subscriptions[id] = subscription
        markDue(id)
    }
}
