internal import ListModel
internal import ListReplica
internal import PairHarness

/// What people do: mutations and the rest.
extension Simulation {
    func act(_ doing: Doing, _ player: Player, _ luck: inout Randomness) {
        switch doing {
        case .add: add(player, &luck)
        case .set, .note, .count, .move, .delete, .restore:
            if let operation = operation(doing, player, &luck) { submit([operation], player) }
        case .several:
            let kinds: [Doing] = [.set, .note, .count, .move, .delete, .restore]
            let operations = (0..<Int.random(in: 2...4, using: &luck)).compactMap { _ in
                operation(luck.pick(kinds), player, &luck)
            }
            submit(operations, player, atomic: luck.happens(600))
        case .conditional: conditional(player, &luck)
        case .undo, .redo: takeBack(doing, player)
        case .edit, .type, .commit, .cancel, .saveNew, .restoreWithDraft:
            editing(doing, player, &luck)
        case .filter: filter(player, &luck)
        case .discard: discard(player)
        case .reload:
            note("\(player.name) reloads")
            player.node.perform { core, now in core.reload(Self.list, at: now) }
        case .offline:
            note("\(player.name) goes offline")
            player.node.perform { core, now in core.goOffline(at: now) }
        case .online:
            note("\(player.name) goes online")
            player.node.perform { core, now in core.goOnline(at: now) }
        case .drop:
            note("\(player.name) drops the list")
            player.node.perform { core, now in _ = core.ask({ .remove($0, Self.list) }, at: now) }
        default: break
        }
    }

    /// Runs a verb that works on some elements; own work is no news to editors.
    func perform(
        _ player: Player, on own: Set<ElementID>?, _ verb: (ClientCore, Timestamp) -> Void
    ) {
        player.own = own
        defer { player.own = nil }
        player.node.perform(verb)
    }

    func submit(_ operations: [Operation], _ player: Player, atomic: Bool = false) {
        guard !operations.isEmpty else { return }
        let words = operations.map(\.words).joined(separator: ", ")
        note("\(player.name) \(words)\(atomic ? ", all or nothing" : "")")
        perform(player, on: Set(operations.flatMap(\.targets))) { core, now in
            let ticket = core.ticket
            if let n = core.submit(operations, atomic: atomic, to: Self.list, at: now) {
                player.issue(n, at: ticket)
            }
        }
    }

    private func add(_ player: Player, _ luck: inout Randomness) {
        // A list that has grown enough shrinks again.
        if let list = player.replica?.list, list.count > 30,
            let row = list.element(at: Int.random(in: 0..<list.count, using: &luck))
        {
            return submit([Operation(.delete(row.id, unlessEdited: luck.happens(200)))], player)
        }
        // Now and then two choose the same ID.
        let isTaken = luck.happens(80) && lastAdder != nil && lastAdder != player.index
        guard let id = isTaken ? added.last : ElementID("e\(added.count + 1)") else { return }
        if !isTaken { added.append(id) }
        lastAdder = isTaken ? nil : player.index
        let place = anyPlace(player, &luck)
        submit(
            [Operation(.insert(id, at: place, ["title": .text(words(&luck)), "n": .int(0)]))],
            player)
    }

    /// One that is there, mostly; or any that ever was.
    func anyID(_ player: Player, _ luck: inout Randomness) -> ElementID? {
        if luck.happens(750), let list = player.replica?.list, list.count > 0 {
            return list.element(at: Int.random(in: 0..<list.count, using: &luck))?.id
        }
        return added.suffix(60).randomElement(using: &luck)
    }

    func anyPlace(_ player: Player, _ luck: inout Randomness) -> Place {
        switch (Int.random(in: 0..<4, using: &luck), anyID(player, &luck)) {
        case (0, _): .first
        case (1, let id?): .after(id)
        case (2, let id?): .before(id)
        default: .last
        }
    }

    func words(_ luck: inout Randomness) -> String {
        // Often the same, so that people now and then write what others wrote.
        if luck.happens(300) { return luck.pick(["milk oats", "rye figs"]) }
        let vocabulary = ["milk", "oats", "rye", "figs"]
        return (0..<3).map { _ in luck.pick(vocabulary) }.joined(separator: " ")
    }

    private func operation(
        _ doing: Doing, _ player: Player, _ luck: inout Randomness
    ) -> Operation? {
        guard let id = anyID(player, &luck) else { return nil }
        switch doing {
        case .set: return Operation(.set(id, ["title": .text(words(&luck))]))
        case .note:
            let value = luck.happens(300) ? Value.null : .text(words(&luck))
            return Operation(.set(id, ["note": value]))
        case .count:
            return Operation(.count(id, luck.happens(950) ? FieldName("n")! : .title, by: .int(1)))
        case .move:
            let other = anyID(player, &luck) ?? id
            return Operation(
                .move(id == other ? [id] : [id, other], to: anyPlace(player, &luck)))
        case .delete: return Operation(.delete(id, unlessEdited: luck.happens(300)))
        default: return Operation(.restore(id))
        }
    }

    private func conditional(_ player: Player, _ luck: inout Randomness) {
        guard let id = anyID(player, &luck), let element = player.replica?.list[id] else { return }
        let fields: Fields = ["title": element.fields[.title] ?? .null]
        let condition =
            luck.happens(500) ? Condition(fields: fields) : Condition(version: element.version)
        submit([Operation(.set(id, ["title": .text(words(&luck))]), if: condition)], player)
    }

    private func takeBack(_ doing: Doing, _ player: Player) {
        note("\(player.name) \(doing.rawValue)")
        // What it works on is known only once it is done.
        perform(player, on: []) { core, now in
            let ticket = core.ticket
            let n =
                doing == .undo
                ? core.undo(in: Self.list, at: now) : core.redo(in: Self.list, at: now)
            guard let n, let waiting = player.replica?.unresolved.last else { return }
            player.own = Set(waiting.mutation.operations.flatMap(\.targets))
            player.issue(n, at: ticket)
            // What was never sent has nothing to take back: it is done for the first time.
            if let undone = waiting.undoes, player.asked[undone] != nil {
                player.takenBack.insert(n)
            }
        }
    }

    private func discard(_ player: Player) {
        guard let n = player.replica?.unresolved.last?.mutation.n else { return }
        perform(player, on: nil) { core, now in
            let ticket = core.ticket
            guard core.discard(n, in: Self.list, at: now) else { return }
            note("\(player.name) discards \(n)")
            player.ledger.discard(n, at: ticket)
            player.model.abandon(n)
        }
    }
}
