internal import ListModel
internal import ListProtocol
internal import ListReplica

/// Commands that change the list, and waiting for what becomes of them.
extension ShellSession {
    func add(
        _ fields: Fields, _ id: ElementID, _ place: Place, _ list: ListName, _ now: Timestamp
    ) {
        submit([Operation(.insert(id, at: place, fields))], list, now, answer: .id(id))
    }

    func submit(
        _ operations: [Operation], _ list: ListName, _ now: Timestamp, answer: Answer = .version
    ) {
        guard let n = core.submit(operations, to: list, at: now) else { return }
        expect(n, answer)
    }

    func takeBack(_ n: MutationNumber?, or none: Line) {
        guard let n else { return answer(none) }
        expect(n, .version)
    }

    func expect(_ n: MutationNumber, _ shape: Answer) {
        wait = .outcome(n, ticket: core.ticket, answer: shape)
        keepIfOffline()
        answerUnsaved()
    }

    /// Without a server, work is done as soon as it is kept here.
    func keepIfOffline() {
        guard case .outcome(let n, let ticket, let shape) = wait,
            !core.link.isOnline || replica?.isReachable != true,
            replica?.isWaiting(n) == true
        else { return }
        var line = Line.ok(.word("pending", as: "state"))
        if case .id(let id) = shape { line.parts.append(.word(id.text, as: "id")) }
        wait = .saved(ticket, line)
        finishSaved()
    }

    func finishSaved() {
        if case .saved(let ticket, let line) = wait, ticket <= core.saved { return answer(line) }
        answerUnsaved()
    }

    /// What this machine cannot keep is not sent either, and nobody waits for it: once there is
    /// room it is saved and sent by itself, and what becomes of it is told by events.
    private func answerUnsaved() {
        let due: UInt64
        switch wait {
        case .outcome(_, let ticket, _), .saved(let ticket, _): due = ticket
        case .nothing, .opening, .reply: return
        }
        guard let why = core.saveFailure, due > core.saved else { return }
        answer(
            .error(
                "storage_failed",
                "not kept on this machine yet, and not sent; both are tried again: \(why)"))
    }

    /// The outcome of what the command waits for: its answer.
    func finish(_ report: Report, _ n: MutationNumber, _ shape: Answer) {
        switch report.answer.outcome {
        case .refused(let refusal):
            answer(.error(refusal.code.rawValue, refusal.sentence))
        case .nothing(let skips) where skips.isEmpty:
            answer(.ok(.word("noop", as: "state")))
        case .logged(let version, let skips) where skips.isEmpty:
            var line: Line
            switch shape {
            case .id(let id): line = .ok(.word(id.text, as: "id"))
            case .version: line = .ok(.number(Int64(clamping: version.number), as: "version"))
            }
            if !report.answer.told.isEmpty {
                line.parts.append(.word("told", as: "note"))
                line.parts.append(.words(report.answer.told.map(\.text), as: "told"))
            }
            answer(line)
        case .nothing(let skips), .logged(_, let skips):
            answer(Self.error(for: skips, of: report))
        }
    }

    /// What ends with the program, since its disk did not take it.
    func tellUnkept() {
        for name in core.replicas.keys.sorted() {
            let lost = core.unkeptCount(in: name)
            guard lost > 0 else { continue }
            let what = Verbs.counted(lost, "change")
            lines.append(
                .event(
                    "lost",
                    [
                        .word(name.text, as: "list"),
                        .sentence("\(what) could be neither kept on this machine nor sent"),
                    ]))
        }
    }

    private static func error(for skips: [Skip], of report: Report) -> Line {
        guard let skip = skips.first else { return .ok() }
        let isConflict = report.editor != nil && skip.code == .changedSince
        let code = isConflict ? "conflict" : skip.code.rawValue
        var sentence = skip.sentence
        if skips.count < report.targets.flatMap({ $0 }).count {
            let others = report.targets.flatMap { $0 }.count - skips.count
            sentence += "; \(others) done"
        }
        return .error(code, sentence)
    }

    /// What became of work that nobody waits for any more: it was done offline.
    func tell(_ report: Report) {
        switch report.answer.outcome {
        case .refused(let refusal):
            // That the list is gone has told the editor whose draft it was.
            let isGone = refusal.code == .listDeleted || refusal.code == .accessLost
            guard report.editor == nil || !isGone else { return }
            let id = refusal.id ?? report.editor ?? report.targets.joined().first
            let word = Line.Part.word(refusal.code.rawValue, as: "code")
            let ids = id.map { [Line.Part.word($0.text, as: "id")] } ?? []
            lines.append(.event("refused", ids + [word]))
        case .logged(_, let skips), .nothing(let skips):
            // A commit's outcome is told by its editor alone.
            guard report.editor == nil else { return }
            for skip in skips {
                let ids = skip.id.map { [Line.Part.word($0.text, as: "id")] } ?? []
                lines.append(
                    .event(
                        "skipped", ids + [.word(skip.code.rawValue, as: "code"), .by(skip.by)]))
            }
        }
    }

    func discard(_ n: MutationNumber, _ list: ListName, _ now: Timestamp) {
        let count = leftOut.count
        leftOut.removeAll { $0.list == list && $0.n == n }
        let wasKept = forgetLeftOut(n, list)
        guard leftOut.count == count, !wasKept else { return answer(.ok()) }
        let mayBeLogged = replica?.mayBeLogged(n) == true
        guard core.discard(n, in: list, at: now) else {
            let sentence = "no unsent work has the number \(n); pending lists it"
            return answer(.error("no_such_mutation", sentence))
        }
        let sentence = "it was sent before: if it arrived it is in the list, and history shows it"
        wait = .saved(core.ticket, mayBeLogged ? .ok(.sentence(sentence)) : .ok())
        finishSaved()
    }
}

extension Skip {
    /// Why, for people.
    var sentence: String {
        let who = by.map { " by \($0)" } ?? ""
        let what = id?.text ?? "it"
        return switch code {
        case .removed: "\(what) was deleted\(who)"
        case .noSuchElement: "there is no element \(what)"
        case .noSuchAnchor: "the place of \(what) names an element that nobody knows"
        case .notANumber: "the field of \(what) holds no number"
        case .outOfRange: "the sum leaves the range of numbers"
        case .changedSince: "\(what) was changed since\(who)"
        case .beingEdited: "\(what) is being edited\(who)"
        default: code.rawValue
        }
    }
}
