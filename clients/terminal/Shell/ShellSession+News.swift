internal import ListModel
internal import ListProtocol
internal import ListReplica

/// What the core tells: answers to the command that waits, and event lines.
extension ShellSession {
    func absorb(_ news: [News], at now: Timestamp) {
        for item in news { absorb(item) }
        waitForServer(now)
        keepIfOffline()
        finishSaved()
        proceed(now)
    }

    /// When `absorb` is due though there is no news.
    var nextTick: Timestamp? { patienceEnds }

    private func absorb(_ news: News) {
        switch news {
        case .caughtUp(let name):
            guard case .opening(name) = wait, let replica = core.replicas[name] else { return }
            patienceEnds = nil
            let version = replica.speculation.confirmedHead.number
            answer(.ok(.number(Int64(clamping: version), as: "version")))
        case .failed(let name, let refusal):
            guard case .opening(name) = wait else {
                return lines.append(
                    .event(
                        "failed",
                        [.word(refusal.code.rawValue, as: "code"), .sentence(refusal.sentence)]))
            }
            patienceEnds = nil
            list = nil
            answer(.error(refusal.code.rawValue, refusal.sentence))
        case .closed(let name, let gone): closed(name, gone)
        case .editor(let name, let id, let event): if name == list { tell(event, of: id) }
        case .outcome(let name, let n, let report): if name == list { decided(n, report) }
        case .answer(let request, let reply): answered(request, reply)
        case .stateFailed(let sentence):
            lines.append(.event("state-failed", [.sentence(sentence)]))
        case .entries, .committed, .changed, .presence, .link, .saved: break
        }
    }

    private func closed(_ name: ListName, _ gone: ServerMessage.Gone) {
        guard name == list else { return }
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
            patienceEnds = nil
            answer(.error(gone.code.rawValue, "the list \(name) was deleted"))
        }
    }

    private func decided(_ n: MutationNumber, _ report: Report) {
        if case .outcome(n, _, let shape) = wait {
            finish(report, n, shape)
        } else {
            tell(report)
        }
    }

    private func answered(_ request: RequestID, _ reply: Reply) {
        guard case .reply(request, let show) = wait else { return }
        if case .error(let refusal) = reply {
            return answer(.error(refusal.code.rawValue, refusal.sentence))
        }
        let answered = show(reply)
        lines.append(contentsOf: answered.dropLast())
        if let last = answered.last { answer(last) }
    }
}
