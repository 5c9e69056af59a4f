internal import ListModel
internal import ListProtocol
internal import ListReplica

/// One's own work, and telling what became of it.
extension ScreenSession {
    func submit(
        _ operations: [Operation], _ deed: String, hint: String = "u undo", _ now: Timestamp
    ) {
        guard let n = core.submit(operations, to: list, at: now) else {
            return say("Nothing can be changed here any more.", .trouble)
        }
        expect(n, Expectation(deed: deed, hint: hint), now)
        stepOffIfGone()
    }

    /// The outcome comes later; without a server it is said that the work waits.
    func expect(_ n: MutationNumber, _ expectation: Expectation, _ now: Timestamp) {
        expected[n] = expectation
        counting.changed()
        guard !core.link.isOnline || replica?.isReachable != true else { return }
        say("\(expectation.deed); it waits for the server.   \(expectation.hint)", .done)
    }

    func toggle(_ ids: [ElementID], _ now: Timestamp) {
        let isDone = !ids.allSatisfy { rows[$0]?.fields[RowText.done] == .bool(true) }
        var changes = Fields()
        changes[RowText.done] = .bool(isDone)
        let deed = isDone ? "Done: " : "Open again: "
        submit(ids.map { Operation(.set($0, changes)) }, deed + what(ids), now)
    }

    func delete(_ ids: [ElementID], _ now: Timestamp) {
        guard ids.count > 1 else { return deleteNow(ids, now) }
        go(to: .confirming(ids))
    }

    func deleteNow(_ ids: [ElementID], _ now: Timestamp) {
        let deed = "Deleted \(what(ids))"
        marked = []
        submit(ids.map { Operation(.delete($0, unlessEdited: false)) }, deed, now)
    }

    /// By one row, together; those that stand apart come together.
    func shift(_ ids: [ElementID], _ by: Int, _ now: Timestamp) {
        let edge = by < 0 ? ids.first : ids.last
        guard let edge, let index = index(of: .element(edge)) else { return }
        guard case .element(let neighbour)? = row(at: index + by), rows[neighbour] != nil else {
            return say(by < 0 ? "It is the first row." : "It is the last row.", .trouble)
        }
        let place: Place = by < 0 ? .before(neighbour) : .after(neighbour)
        submit([Operation(.move(ids, to: place))], "Moved \(what(ids))", now)
    }

    private func what(_ ids: [ElementID]) -> String {
        ids.count == 1 ? quoted(ids[0]) : counted(ids.count, "row")
    }

    /// An undo or a redo that was submitted.
    func takeBack(_ n: MutationNumber?, isRedo: Bool) {
        let none = isRedo ? "There is nothing to do again." : "There is nothing of yours to undo."
        guard let n else { return say(none, .trouble) }
        let operations = replica?.unresolved.last { $0.mutation.n == n }?.mutation.operations ?? []
        let deeds = operations.compactMap { sentence(for: $0, isRedo: isRedo) }
        let many = counted(deeds.count, "change")
        let deed = deeds.count == 1 ? deeds[0] : isRedo ? "Did \(many) again" : "Took \(many) back"
        if let id = operations.first?.targets.first, rows[id] != nil, held == nil { select(id) }
        expected[n] = Expectation(deed: deed, hint: isRedo ? "u undo" : "U redo")
        counting.changed()
        stepOffIfGone()
        if !core.link.isOnline { say("\(deed); it waits for the server.", .done) }
    }

    private func sentence(for operation: Operation, isRedo: Bool) -> String? {
        let word = isRedo ? "again" : "back"
        return switch operation.intent {
        case .insert(let id, _, let fields): "Added \(RowText.quoted(fields, id)) again"
        case .set(let id, _), .count(let id, _, _): "Changed \(quoted(id)) \(word)"
        case .move(let ids, _): "Moved \(what(ids)) \(word)"
        case .delete(let id, _) where isRedo: "Deleted \(quoted(id)) again"
        case .delete(let id, _): "Took \(quoted(id)) away again"
        case .restore(let id): "Restored \(quoted(id))"
        case .describe, .forget: nil
        }
    }

    /// What became of a mutation: of this run, or of an earlier one.
    func decided(_ n: MutationNumber, _ report: Report) {
        let expectation = expected.removeValue(forKey: n)
        counting.changed()
        switch report.answer.outcome {
        case .refused(let refusal):
            let deed = expectation?.deed ?? "a change of yours"
            say("Refused: \(deed): \(refusal.sentence).", .trouble)
            if let id = report.editor { undecided.append(id) }
        case .logged(let version, let skips) where skips.isEmpty:
            guard let expectation else { return }
            let told = report.answer.told.toldSentence
            let hint = expectation.hint
            say("\(expectation.deed) (version \(version)).\(told)   \(hint)", .done)
            if let file = expectation.file { wish(.remove(file: file)) }
        case .nothing(let skips) where skips.isEmpty:
            if let file = expectation?.file { wish(.remove(file: file)) }
            if expectation != nil { say("Nothing to do: it is so already.", .done) }
        case .logged(_, let skips), .nothing(let skips): skipped(skips, report, expectation)
        }
    }

    private func skipped(_ skips: [Skip], _ report: Report, _ expectation: Expectation?) {
        if let id = report.editor { undecided.append(id) }
        guard let skip = skips.first else { return }
        let title = skip.id.map { quoted($0) } ?? "it"
        let who = skip.by?.text ?? "somebody"
        let why =
            switch skip.code {
            case .removed: "\(who) deleted \(title)"
            case .changedSince: "\(who) changed \(title) since"
            case .beingEdited: "\(who) is editing \(title)"
            default: skip.sentence
            }
        let others = report.targets.joined().count - skips.count
        let rest = others > 0 ? " \(counted(others, "other")) done." : ""
        let file = expectation?.file.map { " Your text is also in \($0)" } ?? ""
        say("Not done: \(why).\(rest)\(file)", .trouble)
    }
}
