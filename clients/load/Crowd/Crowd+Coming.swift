internal import ListModel

/// Who comes and goes.
extension Crowd {
    /// How many connect at a time: what a server's queue of connections takes, and no more.
    private static let atATime = 64

    /// Makes the lists, and the clients that keep them.
    func makeLanes() {
        for index in 0..<(settings.lists + (settings.idle > 0 ? 1 : 0)) {
            guard let list = ListName("load-\(word)-\(index + 1)"),
                let keeper = makeClient(in: index)
            else { continue }
            lanes.append(Lane(list: list, keeper: keeper))
            lanes[index].readers = [keeper]
            makers.append(
                EditMaker(
                    settings.scenario == .mixed ? .mixed : .renames, bytes: settings.bytes,
                    run: word))
            mayWrite(keeper)
        }
        invite(lanes.map(\.keeper))
    }

    /// Fills the lists, row after row.
    func fill() {
        for index in 0..<settings.lists {
            for operations in makers[index].filling(settings.rows) {
                lanes[index].keeper.write(operations, intended: nil)
            }
        }
    }

    /// Makes all clients and lets them come.
    func gather() {
        for index in 0..<settings.clients {
            guard let client = makeClient(in: index % settings.lists) else { continue }
            if index < settings.writers {
                mayWrite(client)
            } else if index < settings.writers + settings.slow {
                client.isSlow = true
            }
            clients.append(client)
            lanes[client.lane].readers.append(client)
        }
        for _ in 0..<settings.idle {
            guard let client = makeClient(in: settings.lists) else { continue }
            idle.append(client)
            lanes[client.lane].readers.append(client)
        }
        invite(clients + idle)
    }

    /// One more client for each list, which has never seen it: what it gets is what the server has.
    func joinAgain() {
        for (index, lane) in lanes.enumerated() {
            guard let client = makeClient(in: index) else { continue }
            idle.append(client)
            lane.readers.append(client)
            client.come(intended: nil)
        }
    }

    private func invite(_ more: [SimulatedClient]) {
        waiting = more[...]
        letIn()
    }

    private func letIn() {
        while underWay < Self.atATime, let client = waiting.popFirst() {
            underWay += 1
            client.isInvited = true
            client.come(intended: .now)
        }
    }

    /// A client has come, or failed to for now.
    func settled(_ client: SimulatedClient) {
        guard client.isInvited else { return }
        client.isInvited = false
        underWay -= 1
        letIn()
    }

    /// Somebody of those who do not write leaves, and comes again: at once as somebody else, or
    /// later as who it was.
    func exchange(intended: Moment) {
        let guests = clients.count - settings.writers
        guard guests > 0 else { return }
        let client = clients[settings.writers + nextComer % guests]
        nextComer += 1
        if settings.scenario == .comeBack {
            guard client.isLive else { return }
            client.leave()
            let back = intended.adding(seconds: settings.away)
            let wait = back.nanoseconds(since: .now) / 1_000_000
            // The loop's timers know milliseconds only, and may be that much early.
            loop.after(milliseconds: wait) { client.come(intended: min(back, .now)) }
        } else {
            client.leave(asNew: freshID())
            client.come(intended: intended)
        }
    }

    /// Every client loses its connection at once, and comes back as after an outage.
    func scatter() {
        let now = Moment.now
        for client in clients where client.isLive {
            client.drop()
            let pause = UInt64.random(in: 250..<750)
            loop.after(milliseconds: pause) { client.come(intended: now) }
        }
    }

    /// The slow ones read nothing from here on, or again.
    func stall(_ stalls: Bool) {
        if stalls { stalledAt = .now }
        for client in clients where client.isSlow { client.setReading(!stalls) }
    }

    /// Takes the lists away again.
    func removeLists() {
        for (index, lane) in lanes.enumerated() {
            lane.keeper.say(.remove(UInt64(index + 1), lane.list))
        }
    }
}
