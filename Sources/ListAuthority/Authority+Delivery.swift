internal import ListModel
internal import ListProtocol

/// What a connection is sent, made when it can take it.
extension Authority {
    /// The next frames for a connection, whole messages, together at most `bytes` unless the first
    /// alone is longer. Empty: nothing is due. Called again after each write, until it is empty.
    package func takeFrames(for id: ConnectionID, bytes: Int) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        _ = takeFrames(for: id, bytes: bytes, into: &frames)
        return frames
    }

    /// The same, behind what `frames` holds; with room left in it, nothing is allocated for
    /// entries. False: there is no more for now.
    package func takeFrames(
        for id: ConnectionID, bytes: Int, into frames: inout [[UInt8]]
    ) -> Bool {
        guard let connection = connections[id] else { return false }
        return takeFrames(for: connection, bytes: bytes, into: &frames)
    }

    /// The frame that is all there is for a connection, as after nearly every entry, when it is at
    /// most `bytes`; it is shared with all who stand there. `nil`: ask for `takeFrames`.
    package func takeOnlyFrame(for connection: Connection, bytes: Int) -> [UInt8]? {
        guard connection.outbox.isEmpty, !connection.isClosing, connection.opened.count == 1,
            !Faults.has(.subscribedTwice)
        else { return nil }
        let list = connection.opened[0].list
        let subscription = connection.opened[0].subscription
        guard subscription.isCaughtUp, case .entries = subscription.phase,
            subscription.cursor < list.durable,
            let frame = list.frame(after: subscription.cursor, bytes: limits.frameBytes),
            frame.through == list.durable, frame.bytes.count <= bytes
        else { return nil }
        subscription.cursor = frame.through
        return frame.bytes
    }

    /// As `takeFrames` by number.
    package func takeFrames(
        for connection: Connection, bytes: Int, into frames: inout [[UInt8]]
    ) -> Bool {
        var budget = Budget(left: bytes, frames: frames, first: frames.count)
        frames = []
        takeOutbox(connection, &budget)
        if !connection.isClosing {
            for open in connection.opened where budget.left > 0 {
                takeEntries(of: open.list, open.subscription, &budget)
                if Faults.has(.subscribedTwice),
                    let second = open.list.subscriptions[Self.second(connection.id)]
                {
                    takeEntries(of: open.list, second, &budget)
                }
            }
            if budget.left > 0 { takeOutbox(connection, &budget) }
        }
        frames = budget.frames
        return budget.isShort || budget.left <= 0
    }

    struct Budget {
        var left: Int
        var frames: [[UInt8]]
        /// Frames that were there before.
        let first: Int
        /// Something was left out because it is too long.
        var isShort = false

        mutating func add(_ frame: [UInt8]) {
            frames.append(frame)
            left -= frame.count
        }

        mutating func admits(_ frame: [UInt8]) -> Bool {
            let isAdmitted = frames.count == first || frame.count <= left
            if !isAdmitted { isShort = true }
            return isAdmitted
        }
    }

    /// Messages whose entries have all been sent, in order.
    private func takeOutbox(_ connection: Connection, _ budget: inout Budget) {
        var taken = 0
        for message in connection.outbox {
            guard isReady(message, connection), budget.admits(message.bytes) else { break }
            budget.add(message.bytes)
            taken += 1
        }
        if taken > 0 { connection.take(taken) }
    }

    func isReady(_ message: Connection.Outgoing, _ connection: Connection) -> Bool {
        guard let after = message.after, !Faults.has(.outcomeOvertakes),
            let list = hosted(after.list),
            list.epoch == after.position.epoch,
            let subscription = list.subscriptions[connection.id]
        else { return true }
        return subscription.cursor >= after.position.version && subscription.isCaughtUp
    }

    private func takeEntries(
        of list: HostedList, _ subscription: Subscription, _ budget: inout Budget
    ) {
        while true {
            switch subscription.phase {
            case .queued, .reading: return
            case .snapshot(let pages, let next):
                guard budget.admits(pages.frames[next]) else { return }
                budget.add(pages.frames[next])
                subscription.movedAt = now
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
                guard takeTail(of: list, subscription, &budget) else { return }
            }
        }
    }

    /// Entries from memory, then "caught up". False: nothing more for now.
    private func takeTail(
        of list: HostedList, _ subscription: Subscription, _ budget: inout Budget
    ) -> Bool {
        guard subscription.cursor < list.durable else {
            if !subscription.isCaughtUp { catchUp(list, subscription, &budget) }
            return false
        }
        guard let frame = list.frame(after: subscription.cursor, bytes: limits.frameBytes) else {
            subscription.phase = .reading
            work.append(
                .read(
                    list.name, after: subscription.cursor, bytes: limits.frameBytes,
                    for: subscription.connection.id))
            return false
        }
        guard budget.admits(frame.bytes) else { return false }
        budget.add(frame.bytes)
        subscription.cursor = frame.through
        return true
    }

    /// The fates of the elements under the client's editors, then the word that nothing is missing.
    private func catchUp(
        _ list: HostedList, _ subscription: Subscription, _ budget: inout Budget
    ) {
        if !subscription.fates.isEmpty {
            let fates = fates(of: subscription.fates, in: list)
            budget.add(MessageEncoder.encode(.fates(nil, list.name, fates)))
            subscription.fates = []
        }
        let client = subscription.connection.greeting?.client
        let logged = client.map { list.sessions.logged(of: $0, after: subscription.heard) }
        let highest = client.map { list.sessions.highest(of: $0) }
        budget.add(
            MessageEncoder.encode(
                .caughtUp(
                    list.name, list.position, logged: logged ?? [], highest: highest ?? .zero)))
        subscription.isCaughtUp = true
    }

    func read(_ name: ListName, _ id: ConnectionID, _ records: [[UInt8]]?) {
        guard let list = hosted(name), let subscription = list.subscriptions[id],
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
            list.pages = KeptPages()
            subscription.isCaughtUp = false
            sendWhole(list, to: subscription)
        }
        markDue(subscription.connection)
    }
}
