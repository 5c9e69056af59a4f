internal import ListModel
internal import ListReplica
internal import PairHarness

/// What people do with editors.
extension Simulation {
    func editing(_ doing: Doing, _ player: Player, _ luck: inout Randomness) {
        guard let replica = player.replica else { return }
        if doing == .edit {
            guard let id = anyID(player, &luck), replica.openEditors.count < 6 else { return }
            return open(id, player, replica, luck.pick([.draft, .draft, .live, .snapshot]))
        }
        let isForVanished = doing == .saveNew || doing == .restoreWithDraft
        let editors = replica.openEditors.filter { !isForVanished || $0.vanish != nil }
        guard let editor = editors.randomElement(using: &luck) else { return }
        let id = editor.id
        switch doing {
        case .type: type(into: editor, player, &luck)
        case .commit:
            commit(id, luck.pick([.ifUnchanged, .overwrite, .merge]), player)
        case .cancel: cancel(id, player, &luck)
        case .saveNew: saveAsNew(id, player)
        default:
            note("\(player.name) restores \(id) with its draft")
            send(.restore, of: id, on: [id], player) { core, now throws(EditorFault) in
                try core.restoreWithDraft(id, in: Self.list, at: now)
            }
        }
    }

    /// Now and then the same element is opened again at once, and typed into.
    private func cancel(_ id: ElementID, _ player: Player, _ luck: inout Randomness) {
        note("\(player.name) cancels \(id)")
        perform(player, on: [id]) { core, now in
            player.model.close(id, at: core.ticket)
            _ = core.cancel(id, in: Self.list, at: now)
        }
        guard luck.happens(500), let replica = player.replica else { return }
        open(id, player, replica, .draft)
        if let editor = replica.editors[id] { type(into: editor, player, &luck) }
    }

    private func open(
        _ id: ElementID, _ player: Player, _ replica: Replica, _ policy: EditorPolicy
    ) {
        note("\(player.name) edits \(id) \(policy.rawValue)")
        perform(player, on: []) { core, now in
            guard let editor = try? core.edit(id, policy, in: Self.list, at: now) else { return }
            let inserts = replica.unresolved.filter { waiting in
                waiting.mutation.operations.contains {
                    if case .insert(id, _, _) = $0.intent { return true }
                    return false
                }
            }
            // Where the element is somebody's already, one's own insert is not what made it.
            let isThere = player.isConfirmed(id)
            player.model.open(editor, isThere ? nil : inserts.first?.mutation.n)
            player.meet(id, replica)
            let isInView = player.lens.flatMap { $0.isInView(editor.shown) }
            if editor.isInView != isInView {
                complain(.view, "\(player.name) \(id) is \(isInView as Any) in its view")
            }
        }
    }

    func filter(_ player: Player, _ luck: inout Randomness) {
        let lens = Lens(
            word: luck.pick(["", "milk", "rye figs"]),
            sort: luck.pick([nil, .title, FieldName("n")]), pins: luck.happens(400))
        note("\(player.name) filters \(lens)")
        perform(player, on: []) { core, _ in
            guard let replica = core.replicas[Self.list] else { return }
            replica.show(lens.view(of: replica.list))
            player.lens = lens
            player.model.releaseFromView()
        }
    }

    private func type(into editor: Editor, _ player: Player, _ luck: inout Randomness) {
        let id = editor.id
        let changes: Fields =
            luck.happens(600) ? ["title": .text(words(&luck))] : ["note": .text(words(&luck))]
        note("\(player.name) types \(changes.words) into \(id)")
        perform(player, on: [id]) { core, now in
            let ticket = core.ticket
            do throws(EditorFault) {
                if let n = try core.type(changes, into: id, in: Self.list, at: now) {
                    return player.issue(n, at: ticket)
                }
                player.model.type(changes, into: id)
                player.model.remember(at: ticket)
            } catch {
                note("  \(error.word)")
            }
        }
    }

    private func commit(_ id: ElementID, _ mode: Editor.Commit.Mode, _ player: Player) {
        note("\(player.name) commits \(id) \(mode.rawValue)")
        let draft = player.model[id]
        send(mode, of: id, on: [id], player) { core, now throws(EditorFault) in
            guard let n = try core.commit(id, mode, in: Self.list, at: now) else { return nil }
            let operation = player.replica?.unresolved.last?.mutation.operations.first
            if let draft, let operation, let fault = draft.fault(of: operation, mode) {
                complain(.consent, "\(player.name) \(n): \(fault)")
            }
            return n
        }
    }

    private func saveAsNew(_ id: ElementID, _ player: Player) {
        guard let new = ElementID("e\(added.count + 1)") else { return }
        note("\(player.name) saves \(id) as \(new)")
        added.append(new)
        lastAdder = nil
        send(.saveNew, of: id, on: [new], player) { core, now throws(EditorFault) in
            try core.saveAsNew(id, as: new, at: nil, in: Self.list, at: now)
        }
    }

    private func send(
        _ mode: Editor.Commit.Mode, of id: ElementID, on own: Set<ElementID>, _ player: Player,
        _ verb: (ClientCore, Timestamp) throws(EditorFault) -> MutationNumber?
    ) {
        perform(player, on: own) { core, now in
            let ticket = core.ticket
            do throws(EditorFault) {
                guard let n = try verb(core, now) else {
                    // There was nothing to commit.
                    return player.model.close(id, at: ticket)
                }
                player.issue(n, at: ticket)
                if let commit = player.replica?.editors[id]?.commit {
                    player.model.commit(id, commit)
                }
                player.model.remember(at: ticket)
            } catch {
                note("  \(error.word)")
            }
        }
    }
}
