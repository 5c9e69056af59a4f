internal import ListModel
internal import ListProtocol
internal import ListReplica

/// Opening, showing and asking.
extension ShellSession {
    func open(_ name: ListName, _ create: Bool, _ now: Timestamp) {
        left = list == name ? nil : list
        list = name
        do throws(Refusal) {
            let isNew = core.replicas[name] == nil
            let stored = isNew ? self.stored(name) : [:]
            let lent = isNew ? self.lent(name, stored) : nil
            try core.open(name, create: create, stored: stored, lent: lent, at: now)
        } catch {
            let file = stateFile.map { "; \($0) holds it: move it away to begin anew" } ?? ""
            return notOpened(name, .error(error.code.rawValue, error.sentence + file), now)
        }
        wait = .opening(name)
        if replica?.isLive == true {
            opened(now)
        } else if core.link.state == .idle {
            openedOffline(now)
        } else {
            patienceEnds = now.adding(milliseconds: openPatience)
        }
    }

    /// The list is as the server has it: the one before it is left only now.
    func opened(_ now: Timestamp) {
        leaveLast(now)
        let version = replica?.speculation.confirmedHead.number ?? 0
        answer(.ok(.number(Int64(clamping: version), as: "version")))
    }

    func leaveLast(_ now: Timestamp) {
        patienceEnds = nil
        if let left { core.close(left, at: now) }
        left = nil
    }

    /// The server has the list no more: what is kept of it here is opened all the same, to be read
    /// and to be decided. False: nothing is.
    func openedAsKept(_ name: ListName, _ refusal: Refusal, _ line: Line, _ now: Timestamp) -> Bool
    {
        guard [.noSuchList, .listDeleted].contains(refusal.code),
            let replica = core.replicas[name], replica.isKept
        else { return false }
        leaveLast(now)
        answer(line)
        return true
    }

    /// The list cannot be opened: the one before it stays open.
    func notOpened(_ name: ListName, _ line: Line, _ now: Timestamp) {
        patienceEnds = nil
        if list != left { core.close(name, at: now) }
        list = left
        left = nil
        answer(line)
    }

    /// Opening takes as long as it takes while the server is there, and a moment while it is not.
    func waitForServer(_ now: Timestamp) {
        guard case .opening = wait else { return }
        if core.link.isOnline {
            patienceEnds = nil
        } else if let ends = patienceEnds {
            if now >= ends { openedOffline(now) }
        } else {
            patienceEnds = now.adding(milliseconds: openPatience)
        }
    }

    /// The server does not answer: the local copy, where there is one.
    func openedOffline(_ now: Timestamp) {
        guard case .opening(let name) = wait, let replica = core.replicas[name] else { return }
        guard replica.epoch != nil else {
            let sentence = "the server does not answer, and there is no local copy"
            return notOpened(name, .error("unreachable", sentence), now)
        }
        leaveLast(now)
        answer(.ok(.word("offline", as: "state")))
    }

    func reload(_ list: ListName, _ now: Timestamp) {
        if case .refused = core.link.state { return answer(away) }
        guard replica?.isLive == true else {
            return answer(.error("unreachable", "there is no server to fetch the list from"))
        }
        wait = .opening(list)
        core.reload(list, at: now)
    }

    func sync(_ list: ListName, _ now: Timestamp) {
        switch core.link.state {
        case .idle: return answer(.error("offline", "this client is offline; online ends that"))
        case .refused: return answer(away)
        case .waiting, .connecting, .greeting, .online: break
        }
        wait = .reply(core.sync(list, at: now), exit: nil) { _ in [.ok()] }
    }

    func ask(
        _ question: (RequestID) -> ClientMessage, _ now: Timestamp, exit: ExitCode? = nil,
        _ show: @escaping (Reply) -> [Line]
    ) {
        guard let request = core.ask(question, at: now) else {
            return answer(away)
        }
        wait = .reply(request, exit: exit, show)
    }

    func show(_ filter: Filter, _ sort: Sort?, _ pins: Bool, _ replica: Replica) {
        let isAll = filter.isEmpty && sort == nil
        replica.show(isAll ? nil : View(filter, sort: sort, pins: pins, of: replica.list))
        answer(.ok(.number(Int64(replica.view?.count ?? replica.list.count), as: "count")))
    }

    func showRows(of replica: Replica) {
        let rows = replica.view?.rows ?? replica.list.elements
        for row in rows { lines.append(.row([.word(row.id.text, as: "id"), .fields(row.fields)])) }
        answer(.ok(.number(Int64(rows.count), as: "count")))
    }

    func showPending(_ replica: Replica) {
        for waiting in replica.unresolved {
            for operation in waiting.mutation.operations {
                lines.append(
                    .row(
                        [.number(Int64(clamping: waiting.mutation.n.number), as: "n")]
                            + operation.parts))
            }
        }
        for left in leftOut where left.list == replica.name {
            let item = left.item
            lines.append(
                .row(
                    [.number(Int64(clamping: left.n.number), as: "n")] + item.operation.parts + [
                        .word(item.word, as: "outcome"), .word(item.code.rawValue, as: "code"),
                        .by(item.by),
                    ]))
        }
        for item in leftOutBefore(in: replica.name) {
            lines.append(
                .row(
                    (item.n.map { [.number(Int64(clamping: $0.number), as: "n")] } ?? []) + [
                        .given(item.what, item.members), .word(item.word, as: "outcome"),
                        .word(item.code, as: "code"), .by(UserName(item.by)),
                    ]))
        }
        answer(.ok(.number(Int64(replica.unresolved.count), as: "count")))
    }

    /// What the server did not do of the work of earlier runs.
    private func leftOutBefore(in name: ListName) -> [LeftOutWork.Item] {
        let known = Set(leftOut.filter { $0.list == name }.map(\.n))
        return keptLeftOut(name).filter { item in item.n.map { !known.contains($0) } ?? false }
    }

    /// Numbers that `discard` takes.
    var discardable: [MutationNumber] {
        let waiting = replica?.unresolved.map(\.mutation.n) ?? []
        let before = list.map { leftOutBefore(in: $0).compactMap(\.n) } ?? []
        return waiting + leftOut.filter { $0.list == list }.map(\.n) + before
    }

    static func who(_ reply: Reply) -> [Line] {
        guard case .who(let here) = reply else { return [.ok()] }
        let rows = here.map { presence in
            Line.row([
                .word(presence.name.text, as: "name"),
                .words(presence.editing.map(\.text), as: "editing"),
            ])
        }
        return rows + [.ok(.number(Int64(here.count), as: "count"))]
    }

    static func history(_ reply: Reply) -> [Line] {
        guard case .history(let entries) = reply else { return [.ok()] }
        let rows = entries.flatMap { entry in
            entry.operations.map { operation in
                Line.row(
                    [.number(Int64(clamping: entry.version.number), as: "version")]
                        + operation.parts
                        + [.by(entry.by), .word(Clock.text(entry.at), as: "at")])
            }
        }
        return rows + [.ok(.number(Int64(entries.count), as: "count"))]
    }

    func help() {
        for line in ShellHelp.lines { lines.append(.row([.sentence(line)])) }
        answer(.ok())
    }
}

extension Replica {
    /// Whether there is anything of the list here: a copy, work or drafts.
    fileprivate var isKept: Bool { epoch != nil || !unresolved.isEmpty || !openEditors.isEmpty }

    /// Why there is no list under what is kept of it; `nil`: there is one, or may be.
    var missing: Refusal? {
        guard epoch == nil, case .failed(let refusal) = sync else { return nil }
        return refusal
    }
}
