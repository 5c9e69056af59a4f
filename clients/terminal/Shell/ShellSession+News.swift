internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments

/// What the core tells: answers to the command that waits, and event lines.
extension ShellSession {
    func absorb(_ news: [News], at now: Timestamp) {
        for item in news { absorb(item, now) }
        waitForServer(now)
        keepIfOffline()
        finishSaved()
        proceed(now)
    }

    /// When `absorb` is due though there is no news.
    var nextTick: Timestamp? { patienceEnds }

    private func absorb(_ news: News, _ now: Timestamp) {
        switch news {
        case .caughtUp(let name):
            if case .opening(name) = wait { opened(now) }
        case .failed(let name, let refusal):
            guard case .opening(name) = wait else {
                return lines.append(
                    .event(
                        "failed",
                        [.word(refusal.code.rawValue, as: "code"), .sentence(refusal.sentence)]))
            }
            let line = Line.error(refusal.code.rawValue, sentence(of: refusal, name))
            if !openedAsKept(name, refusal, line, now) { notOpened(name, line, now) }
        case .closed(let name, let gone): closed(name, gone, now)
        case .logReplaced(let name, let replacement):
            lines.append(
                .event(
                    "log-replaced", [.word(name.text, as: "list"), .sentence(replacement.words)]
                ))
        case .editor(let name, let id, let event): if isShown(name) { tell(event, of: id) }
        case .outcome(let name, let n, let report): if isShown(name) { decided(n, report, name) }
        case .answer(let request, let reply): answered(request, reply)
        case .stateFailed(let sentence):
            lines.append(.event("state-failed", [.sentence(sentence)]))
        case .link(.refused): thrownOut()
        case .entries, .committed, .changed, .presence, .link, .saved: break
        }
    }

    /// The server ended the connection for good: what waits for it waits no longer.
    private func thrownOut() {
        let line = away
        lines.append(.event("thrown-out", line.parts))
        if case .reply = wait { answer(line) }
    }

    /// Why the server cannot be asked.
    var away: Line {
        guard case .refused(let refusal) = core.link.state else {
            return .error("unreachable", "the server is away; this needs it")
        }
        return .error(refusal.code.rawValue, refusal.whyThrownOut("online comes back"))
    }

    private static let mostLeftOut = 1_000

    /// The list that is open, also while another is being opened.
    private func isShown(_ name: ListName) -> Bool { name == list || name == left }

    /// Where there is no such list, the one that may be meant.
    private func sentence(of refusal: Refusal, _ name: ListName) -> String {
        guard refusal.code == .noSuchList,
            let near = suggestion(for: name.text, among: knownLists())
        else { return refusal.sentence }
        return refusal.sentence + "; did you mean \(near)?"
    }

    private func closed(_ name: ListName, _ gone: ServerMessage.Gone, _ now: Timestamp) {
        guard isShown(name) else { return }
        var parts: [Line.Part] = [.word(name.text, as: "list")]
        if gone.code == .accessLost {
            parts.append(.word("access-lost", as: "cause"))
        } else {
            parts.append(.word("list-deleted", as: "cause"))
            parts.append(.by(gone.by))
        }
        lines.append(.event("closed", parts))
        // Who opens it by its name gets the list that bears it now, if there is one.
        if case .opening(name) = wait, replica?.gone != nil {
            leaveLast(now)
            let what = gone.code == .accessLost ? "may not be read" : "was deleted"
            answer(.error(gone.code.rawValue, "the list \(name) \(what)"))
        }
    }

    private func decided(_ n: MutationNumber, _ report: Report, _ name: ListName) {
        if case .outcome(n, _, let shape) = wait {
            finish(report, n, shape)
        } else {
            tell(report)
            // What an editor carried is in its draft.
            guard report.editor == nil else { return }
            leftOut += LeftOut.all(of: report).map { (name, n, $0) }
            leftOut.removeFirst(max(0, leftOut.count - Self.mostLeftOut))
        }
    }

    private func answered(_ request: RequestID, _ reply: Reply) {
        guard case .reply(request, let exit, let show) = wait else { return }
        if case .error(let refusal) = reply {
            if refusal.code == .unreachable, case .refused = core.link.state {
                return answer(away)
            }
            return answer(.error(refusal.code.rawValue, refusal.sentence))
        }
        let answered = show(reply)
        lines.append(contentsOf: answered.dropLast())
        if let last = answered.last { answer(last, exit) }
    }
}
