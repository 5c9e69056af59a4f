internal import ListModel
internal import ListProtocol

/// Opening and closing lists; who is there.
extension Authority {
    func open(
        _ open: ClientMessage.Open, _ list: HostedList, _ who: Connection.Greeting,
        _ id: ConnectionID, _ now: Timestamp
    ) {
        guard let connection = connections[id] else { return }
        guard !isAnothers(who, in: list) else {
            return send(.error(nil, list.name, anothers(who.client)), to: id)
        }
        guard connection.opened.count < limits.openLists || connection.hasOpen(list.name)
        else {
            let most = limits.openLists
            let refusal = Refusal(.tooMany, "a connection opens at most \(most) lists at once")
            return send(.error(nil, list.name, refusal), to: id)
        }
        if let deletion = deletions[list.name], let at = open.position,
            at.epoch.list == deletion.epoch.list
        {
            // The client knows the list that bore this name before.
            let gone = ServerMessage.Gone(code: .listDeleted, by: deletion.by, at: deletion.at)
            return send(.gone(list.name, gone), to: id)
        }
        if isAhead(open, of: list) { return wait(open, id, list) }
        let subscription = Subscription(
            of: connection, cursor: list.durable, phase: .entries, fates: open.editing,
            wantsPresence: open.presence, readsBase: open.base, heard: open.heard)
        if let at = open.position, canCatchUp(from: at, list, now) {
            subscription.cursor = at.version
        } else {
            sendWhole(list, to: subscription)
        }
        list.subscriptions[id] = subscription
        list.idleSince = nil
        list.presence.enter(id, as: who.name)
        restless.insert(list.name)
        connection.enter(list, subscription)
        if open.presence {
            let change = PresenceChange(isWhole: true, here: list.presence.all, left: [])
            send(.presence(list.name, change), to: id)
        }
        markDue(connection)
    }

    /// Whether the entries behind a position can be had, and are less than the whole list.
    private func canCatchUp(from at: Position, _ list: HostedList, _ now: Timestamp) -> Bool {
        guard at.epoch == list.epoch || Faults.has(.epochIgnored), at.version <= list.durable else {
            return false
        }
        guard at.version.next >= oldestKept(list, now) || at.version == list.durable else {
            return false
        }
        let missing = Int(list.durable.number - at.version.number)
        return missing <= max(1_000, 2 * list.speculation.list.count)
    }

    /// The oldest entry that catch-up gives, as the history says; the log may still hold older
    /// ones.
    func oldestKept(_ list: HostedList, _ now: Timestamp) -> Version {
        history.oldestKept(first: list.first, head: list.durable, at: now) {
            list.times.last(before: $0)
        }
    }

    func leave(_ name: ListName, _ id: ConnectionID) {
        connections[id]?.leave(name)
        guard let list = hosted(name), let left = list.subscriptions.remove(id) else {
            return
        }
        if Faults.has(.subscribedTwice) { list.subscriptions[Self.second(id)] = left }
        if !Faults.has(.presenceNotEnded) { list.presence.leave(id) }
        restless.insert(name)
        if list.subscriptions.isEmpty {
            list.idleSince = now
            list.pages = KeptPages()
        }
    }

    /// Where a planted fault leaves a subscription that should have ended.
    static func second(_ id: ConnectionID) -> ConnectionID { ConnectionID(~id.number) }

    func announce(_ editing: [ElementID], in list: HostedList, _ id: ConnectionID) {
        guard list.subscriptions[id] != nil else {
            let refusal = Refusal(
                .notOpen, "open the list \(list.name) before saying what you edit")
            return send(.error(nil, list.name, refusal), to: id)
        }
        list.presence.edit(
            editing.prefix(limits.editing).filter { isEditable($0, in: list) }, by: id)
        restless.insert(list.name)
    }

    /// Also while a deletion waits for the log, since it may fail; once durable, it ends the
    /// presence.
    func isEditable(_ id: ElementID, in list: HostedList) -> Bool {
        switch list.speculation.list.standing(of: id) {
        case .living: true
        case .grave(let grave): (grave?.version ?? .zero) > list.durable
        case .unknown: false
        }
    }

    /// One frame for all who asked for presence.
    func tellPresence(of list: HostedList) {
        guard let change = list.presence.takeChange() else { return }
        let bytes = MessageEncoder.encode(.presence(list.name, change))
        for subscription in list.subscriptions.all where subscription.wantsPresence {
            send(bytes, to: subscription.connection.id, after: nil, of: list.name)
        }
    }
}
