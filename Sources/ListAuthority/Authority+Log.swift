internal import ListModel
internal import ListProtocol

/// Between memory and the log: batches leave when the log is free, and what is durable is told.
///
/// ```
///          ┌─────────────── appended: told, the next batch ───────────────┐
///          ▼                                                              │
/// free ── settle: all that waits ──▶ appending ──conflict──▶ reading what stands there
///   ▲                                    │                                │
///   │                                    ├──failed──▶ reading, to be sure ┤
///   ├────── nothing of it is there: refused ──────────────────────────────┤
///   └────── absorbed: what is not among it is resolved anew ──────────────┘
/// ```
extension Authority {
    /// Tells what is due and, when no append is under way, sends what waits to the log.
    func settle(_ name: ListName) {
        guard let list = hosted(name) else { return }
        answerSettled(list)
        let confirmed = list.speculation.confirmedHead
        precondition(confirmed == list.durable, "\(name) at \(list.durable) stands at \(confirmed)")
        guard list.append == .free, list.removal == nil else { return }
        guard list.ahead.isEmpty else { return lookAhead(of: list) }
        guard !list.waiting.isEmpty else { return }
        for index in list.waiting.indices where list.waiting[index].record.isEmpty {
            if let entry = list.waiting[index].entry {
                list.waiting[index].record = MessageEncoder.encodeEntryRecord(entry)
            }
        }
        let records = list.waiting.map(\.record).filter { !$0.isEmpty }
        if Faults.has(.sentBeforeDurable) {
            let frame = MessageEncoder.entriesFrame(list: name, records: records[...])
            for id in list.subscriptions.keys { send(frame, to: id, after: nil, of: name) }
        }
        list.append = .underWay(list.waiting.count)
        work.append(.append(name, after: list.durable, records: records))
    }

    func appended(_ name: ListName, _ head: Version, _ now: Timestamp) {
        guard let list = hosted(name), case .underWay(let count) = list.append else { return }
        list.append = .free
        let predicted = list.waiting.prefix(count).last { $0.entry != nil }?.entry?.version
        precondition(
            head == predicted, "\(name) is at \(head), and was to be at \(predicted as Any)")
        list.durable = head
        list.frames = SharedFrames()
        for waiting in list.waiting.prefix(count) {
            if let entry = waiting.entry { record(entry, waiting.record, in: list) }
        }
        // From here on what is confirmed and what is durable are one again.
        answerSettled(list)
        markDue(list)
        dirty.insert(name)
        keepHistory(list, now)
    }

    /// What an entry that is durable means beyond the list itself.
    private func record(_ entry: Entry, _ record: [UInt8], in list: HostedList) {
        list.sessions.record(entry)
        list.tail.append(record)
        list.times.note(entry)
        for case .delete(let id) in entry.operations { list.presence.end(id) }
        restless.insert(list.name)
    }

    /// Answers, in order, all that rests on nothing but durable entries.
    private func answerSettled(_ list: HostedList) {
        guard list.append == .free else { return }
        var settled = 0
        for waiting in list.waiting {
            guard let answer = waiting.answer.release(durable: list.durable) else { break }
            settled += 1
            list.origins.remove(waiting.origin)
            tell(answer, to: waiting, in: list)
            for (connection, request) in waiting.creations {
                hold(.done(request, list.name), for: connection, in: list)
            }
        }
        list.waiting.removeFirst(settled)
        list.speculation.settle(settled)
    }

    func tell(
        _ answer: ServerMessage.Answer, to waiting: HostedList.Waiting, in list: HostedList
    ) {
        guard waiting.submission.n > .zero else { return }
        hold(.outcome(list.name, waiting.submission.n, answer), for: waiting.connection, in: list)
    }

    /// For an asker, behind all entries that are durable now.
    func hold(_ message: ServerMessage, for id: ConnectionID, in list: HostedList) {
        var isOutcome = false
        if case .outcome = message { isOutcome = true }
        note(message, to: id)
        send(
            MessageEncoder.encode(message), to: id, after: (list.name, list.position),
            of: list.name, isOutcome: isOutcome)
    }

    /// Somebody else wrote first, or an answer of the storage was lost: takes over what stands in
    /// the log, drops what of our work is among it, and proposes the rest again.
    func absorb(_ records: [[UInt8]], into name: ListName) {
        guard let list = hosted(name), list.append.isReading else { return }
        var failure: (count: Int, sentence: String)?
        if case .failed(let count, let sentence) = list.append { failure = (count, sentence) }
        list.append = .free
        list.frames = SharedFrames()
        let again = Array(zip(list.waiting, list.speculation.pending))
        list.waiting = []
        list.origins = []
        let before = list.durable
        let logged = takeOver(records, into: list)
        guard
            list.durable > before || list.removal != nil || failure != nil || !list.ahead.isEmpty
        else {
            return readAnew(list, again.map(\.0))
        }
        for (index, (waiting, pending)) in again.enumerated() {
            if logged.contains(waiting.origin) {
                answerAbsorbed(waiting, in: list)
            } else if let failure, index < failure.count {
                refuseUnwritten(waiting, in: list, failure.sentence)
            } else {
                waiting.asked.forget()
                propose(again: waiting, pending, to: list)
            }
        }
        if failure != nil { endPresenceOfGone(list) }
        renewIfShort(list)
        markDue(list)
        dirty.insert(name)
    }

    /// Applies what stands in the log, as far as it fits; answers whose work it was.
    private func takeOver(_ records: [[UInt8]], into list: HostedList) -> Set<HostedList.Origin> {
        var logged: Set<HostedList.Origin> = []
        list.withoutPending { state in
            for bytes in records {
                guard let entry = try? decoder.decodeEntryRecord(bytes),
                    (try? state.apply(entry)) != nil
                else { break }
                logged.insert(HostedList.Origin(entry.client, entry.n))
                list.durable = entry.version
                record(entry, bytes, in: list)
            }
        }
        return logged
    }

    /// The same number in the log with another content came through somebody else.
    private func answerAbsorbed(_ waiting: HostedList.Waiting, in list: HostedList) {
        if case .logged(let entry) = list.sessions.standing(
            of: waiting.submission.n, by: waiting.client)
        {
            let outcome: Outcome =
                entry.digest == waiting.digest
                ? .logged(entry.version, skips: entry.skips)
                : .refused(Self.reused(waiting.submission.n))
            tell(ServerMessage.Answer(outcome), to: waiting, in: list)
        }
        for (connection, request) in waiting.creations {
            hold(.done(request, list.name), for: connection, in: list)
        }
    }

    /// The log is not what it was thought to be, and nothing in it explains why: the list is loaded
    /// again, and its clients come back and say again what was not answered.
    func readAnew(_ list: HostedList, _ waiting: [HostedList.Waiting]) {
        lists[list.name] = .stored(list.epoch)
        let openers = list.ahead.map(\.0)
        for id in Set(list.subscriptions.keys).union(waiting.map(\.connection)).union(openers) {
            close(id, .outOfStep, "the list \(list.name) is read anew", retry: 0)
        }
    }
}
