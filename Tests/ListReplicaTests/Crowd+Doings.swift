import ListModel
import PairHarness

@testable import ListReplica

/// What people do.
extension Crowd {
    func step(_ index: Int) {
        let person = people[index]
        guard person.node.isRunning else {
            if random.happens(400) {
                note("p\(index) starts")
                start(index)
            }
            return
        }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: work(person, index)
        case 45..<75: editing(person, index)
        case 75..<80:
            note("p\(index) offline")
            person.goOffline()
        case 80..<86:
            note("p\(index) online")
            person.goOnline()
        case 86..<91:
            note("p\(index) cut")
            person.node.cut(
                notice: Int64.random(in: 0...200, using: &random),
                serverNotice: Int64.random(in: 0...400, using: &random))
        case 91..<94:
            note("p\(index) crashes")
            crash(index)
        case 94..<96:
            note("server dies")
            world.server.kill()
            world.startServer(after: Int64.random(in: 0...300, using: &random))
        case 96..<97:
            note("p\(index) reloads")
            person.node.perform { core, now in core.reload("list", at: now) }
        case 97..<98:
            if let n = person.replica?.unresolved.last?.mutation.n {
                note("p\(index) discards \(n)")
                discard(n, person, index)
            }
        default: break
        }
    }

    private func note(_ line: String) {
        script.append("\(world.now.milliseconds % 1_000_000) \(line)")
    }

    private func crash(_ index: Int) {
        crashes[index] += 1
        people[index].node.kill(losingSent: random.happens(500))
        lost[index] = models[index]
        models[index] = EditorModel()
    }

    /// Editors that are open again go on from what they showed when that became durable.
    func start(_ index: Int) {
        people[index].node.start()
        let (model, faults) = lost[index].revived(by: people[index].replica?.openEditors ?? [])
        models[index] = model
        lost[index] = EditorModel()
        wrong += faults
    }

    private func anyID() -> ElementID? { added.randomElement(using: &random) }

    private func work(_ person: Person, _ index: Int) {
        let kind = Int.random(in: 0..<10, using: &random)
        if kind < 3 || added.isEmpty { return add(person) }
        if kind == 9 {
            let isUndo = random.happens(600)
            note("p\(index) \(isUndo ? "undo" : "redo")")
            // What it touches is not foreseen here, so nothing is watched strictly any more.
            for id in models[index].watched.map(\.id) { models[index].forget(id) }
            _ = person.node.perform { core, now in
                isUndo ? core.undo(in: "list", at: now) : core.redo(in: "list", at: now)
            }
            return
        }
        guard let operation = operation(kind) else { return }
        note("p\(index) \(operation)")
        for id in operation.targets { models[index].forget(id) }
        person.submit(operation)
    }

    private func add(_ person: Person) {
        // Now and then two choose the same ID.
        let number = random.happens(100) ? added.count : added.count + 1
        guard let id = ElementID("e\(number)") else { return }
        let place = anyPlace()
        added.append(id)
        note("\(person.node.user) adds \(id) \(place)")
        for index in people.indices where people[index] === person { models[index].forget(id) }
        person.add(id, ["title": .text("t\(number)"), "n": 0], at: place)
    }

    private func anyPlace() -> Place {
        switch (Int.random(in: 0..<4, using: &random), anyID()) {
        case (0, _): .first
        case (1, let id?): .after(id)
        case (2, let id?): .before(id)
        default: .last
        }
    }

    private func operation(_ kind: Int) -> ListModel.Operation? {
        guard let id = anyID() else { return nil }
        let text = Value.text("v\(Int.random(in: 0..<4, using: &random))")
        switch kind {
        case 3: return Operation(.set(id, ["title": text]))
        case 4: return Operation(.set(id, ["note": random.happens(300) ? .null : text]))
        case 5: return Operation(.count(id, "n", by: 1))
        case 6:
            let other = anyID() ?? id
            return Operation(.move(id == other ? [id] : [id, other], to: anyPlace()))
        case 7: return Operation(.delete(id, unlessEdited: random.happens(300)))
        default: return Operation(.restore(id))
        }
    }

    private func editing(_ person: Person, _ index: Int) {
        guard let id = random.happens(500) ? person.replica?.openEditors.first?.id : anyID() else {
            return
        }
        guard let editor = person.editor(id) else { return open(id, person, index) }
        let text = Value.text("d\(Int.random(in: 0..<4, using: &random))")
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            note("p\(index) types into \(id)")
            let changes: Fields = random.happens(500) ? ["title": text] : ["note": text]
            if editor.policy == .live { models[index].forget(id) }
            do {
                _ = try person.type(changes, into: id)
                if editor.policy == .draft { models[index].type(changes, into: id) }
            } catch {
                note("  \(error)")
            }
        case 2:
            note("p\(index) commits \(id)")
            models[index].forget(id)
            _ = try? person.commit(id, random.pick([.ifUnchanged, .overwrite, .merge]))
        case 3:
            note("p\(index) cancels \(id)")
            models[index].forget(id)
            _ = person.cancel(id)
        case 4:
            note("p\(index) saves \(id) as new")
            guard let new = ElementID("e\(added.count + 1)"), editor.vanish != nil else { return }
            added.append(new)
            models[index].forget(id)
            models[index].forget(new)
            _ = try? person.node.perform { core, now in
                try core.saveAsNew(id, as: new, at: nil, in: "list", at: now)
            }
        default:
            note("p\(index) restores \(id) with its draft")
            models[index].forget(id)
            _ = try? person.node.perform { core, now in
                try core.restoreWithDraft(id, in: "list", at: now)
            }
        }
    }

    private func open(_ id: ElementID, _ person: Person, _ index: Int) {
        guard let replica = person.replica else { return }
        let policy = random.pick(Editor.Policy.allCases)
        note("p\(index) edits \(id) \(policy)")
        // Own work on it may still be on its way.
        let isOwn = replica.unresolved.contains { waiting in
            waiting.mutation.operations.contains { $0.targets.contains(id) }
        }
        guard let editor = try? person.edit(id, policy), !isOwn else { return }
        models[index].open(id, policy, editor.shown)
    }

    private func discard(_ n: MutationNumber, _ person: Person, _ index: Int) {
        let touched = person.replica?.unresolved.last?.mutation.operations.flatMap(\.targets) ?? []
        for id in touched { models[index].forget(id) }
        _ = person.node.perform { core, now in core.discard(n, in: "list", at: now) }
    }
}
