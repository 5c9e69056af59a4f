internal import ListModel
internal import ListProtocol
internal import ListReplica

/// What the core tells.
extension ScreenSession {
    /// What is to be seen as long as it lasts, where nothing newer is said.
    var standingTrouble: Notice? {
        core.saveFailure.map { why in
            let text = "Not kept on this machine yet, and not sent; tried again: \(why)"
            return Notice(text: text, kind: .trouble)
        }
    }

    func absorb(_ news: News, _ now: Timestamp) {
        switch news {
        case .editor(list, let id, let event): told(event, of: id, now)
        case .outcome(list, let n, let report): decided(n, report)
        case .entries(list, let entries): logged(entries, now)
        case .failed(list, let refusal): say(refusal.sentence.sentence, .trouble)
        case .logReplaced(list, let replacement): say(replacement.words.sentence, .trouble)
        case .closed(list, let gone): say(gone.sentence(clock) + ".", .trouble)
        case .answer(let request, let reply): answered(request, reply)
        case .stateFailed: notice = nil
        case .changed(list): counting.changed()
        case .caughtUp(list): wasLive = true
        case .link(.waiting): sayHowOld()
        case .link(.refused(let refusal)): say(thrownOut(refusal), .trouble)
        case .committed(list, let id, _, _): rivals[id] = nil
        case .editor, .outcome, .entries, .failed, .closed, .logReplaced, .changed, .caughtUp,
            .committed, .presence, .link, .saved:
            break
        }
    }

    func thrownOut(_ refusal: Refusal) -> String {
        refusal.whyThrownOut("R comes back").sentence
    }

    private func told(_ event: EditorEvent, of id: ElementID, _ now: Timestamp) {
        switch event {
        case .vanished: vanish(id, now)
        case .returned(let by): comeBack(id, by: by, now)
        case .changed: follow(id)
        case .conflict(let field, _, _, _, let by): rivals[id, default: [:]][field] = by
        case .hidden, .shown, .presence: break
        }
    }

    /// What others did: their rows are marked for a while, and the last of it is said.
    private func logged(_ entries: [Entry], _ now: Timestamp) {
        let others = entries.filter { $0.client != core.client }
        let until = now.adding(milliseconds: Self.markTime)
        for id in others.flatMap(\.operations).flatMap(\.ids).suffix(Self.mostMarks) {
            changed[id] = until
        }
        guard notice == nil || notice?.kind == .news, !isTurned(now), let last = others.last,
            case .browsing = mode
        else { return }
        let deeds = last.operations.compactMap(deed)
        guard let deed = deeds.first else { return }
        let more = deeds.count > 1 ? " and \(deeds.count - 1) more" : ""
        say("\(last.by) \(deed)\(more).", .news)
    }

    /// Rows marked at once; a screen has no more.
    private static let mostMarks = 1_000

    private func deed(_ operation: ResolvedOperation) -> String? {
        switch operation {
        case .insert(let id, _, let fields): "added \(RowText.quoted(fields, id))"
        case .set(let id, _), .count(let id, _, _, _): "changed \(quoted(id))"
        case .move(let ids, _): "moved \(ids.count == 1 ? quoted(ids[0]) : "rows")"
        case .delete(let id): "deleted \(quoted(id))"
        case .restore(let id, _): "restored \(quoted(id))"
        case .describe: "changed the list"
        case .forget: nil
        }
    }

    private func answered(_ request: RequestID, _ reply: Reply) {
        guard let asked = historyRequest, asked.request == request else { return }
        historyRequest = nil
        guard case .browsing = mode else { return }
        switch reply {
        case .history(let entries):
            let lines = ChangeText.all(of: entries).filter { $0.operation.ids.contains(asked.of) }
                .map { $0.plain }
            let title = "History of \(quoted(asked.of)), \(asked.of)"
            go(to: .reading(Reading(title: title, lines: lines)))
        case .error(let refusal): say("\(refusal.sentence).", .trouble)
        default: break
        }
    }
}
