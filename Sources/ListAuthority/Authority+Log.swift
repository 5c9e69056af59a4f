internal import ListModel
internal import ListProtocol

/// Between memory and the log: batches leave when the log is free, and what is durable is told.
extension Authority {
    /// Tells what is due and, when no append is under way, sends what waits to the log.
    func settle(_ name: ListName, _ now: Timestamp) {
        guard let list = hosted(name) else { return }
        answerSettled(list)
        guard list.appending == nil, !list.waiting.isEmpty else { return }
        for index in list.waiting.indices where list.waiting[index].record.isEmpty {
            if let entry = list.waiting[index].entry {
                list.waiting[index].record = MessageEncoder.encodeEntryRecord(entry)
            }
        }
        let records = list.waiting.map(\.record).filter { !$0.isEmpty }
        list.appending = list.waiting.count
        work.append(.append(name, after: list.durable, records: records))
    }

    func appended(_ name: ListName, _ head: Version, _ now: Timestamp) {
        guard let list = hosted(name), let count = list.appending else { return }
        list.appending = nil
        list.durable = head
        list.frames = [:]
        for waiting in list.waiting.prefix(count) {
            if let entry = waiting.entry { record(entry, waiting.record, in: list, now) }
        }
        for id in list.subscriptions.keys { markDue(id) }
        dirty.insert(name)
        keepHistory(list, now)
    }

    /// What an entry that is durable means beyond the list itself.
    private func record(
        _ entry: Entry, _ record: [UInt8], in list: HostedList, _ now: Timestamp
    ) {
        list.sessions.record(entry)
        list.tail.append(record)
        if entry.version.number % 64 == 0 { list.times.append((entry.version, entry.at)) }
        for case .delete(let id) in entry.operations { list.presence.end(id) }
    }

    /// Answers, in order, all that rests on nothing but durable entries.
    private func answerSettled(_ list: HostedList) {
        guard list.appending == nil else { return }
        var settled = 0
        for waiting in list.waiting {
            guard let answer = waiting.answer.release(durable: list.durable) else { break }
            settled += 1
            guard waiting.submission.n > .zero else { continue }
            let message = ServerMessage.outcome(list.name, waiting.submission.n, answer)
            send(
                MessageEncoder.encode(message), to: waiting.connection,
                after: (list.name, list.durable))
        }
        list.waiting.removeFirst(settled)
        list.speculation.settle(settled)
    }

    /// Bytes for an asker, behind everything that waits now.
    func hold(_ bytes: [UInt8], for id: ConnectionID, in list: HostedList) {
        send(bytes, to: id, after: (list.name, list.durable))
    }

    func appendFailed(_ name: ListName, _ failure: AppendFailure, _ now: Timestamp) {
        guard let list = hosted(name), list.appending != nil else { return }
        switch failure {
        case .conflict:
            work.append(.readForeign(name, after: list.durable))
        case .failed(let sentence):
            list.appending = nil
            let refusal = Refusal(.storageFailed, "nothing was written; try again: \(sentence)")
            let refused = list.waiting
            list.waiting = []
            list.speculation.rebase(
                { list.context(of: $0, limits) }, dropping: { _ in true }, { _ in })
            for waiting in refused where waiting.submission.n > .zero {
                let answer = ServerMessage.Answer(.refused(refusal))
                let message = ServerMessage.outcome(name, waiting.submission.n, answer)
                send(
                    MessageEncoder.encode(message), to: waiting.connection,
                    after: (name, list.durable))
            }
        }
    }

    /// Somebody else wrote first, or an answer of the storage was lost: takes over what stands in the
    /// log, drops what of our work is among it, and proposes the rest again.
    func absorb(_ records: [[UInt8]], into name: ListName, _ now: Timestamp) {
        guard let list = hosted(name), list.appending != nil else { return }
        list.appending = nil
        let decoder = MessageDecoder(limits: limits)
        var logged: Set<HostedList.Origin> = []
        list.frames = [:]
        list.speculation.rebase(
            { list.context(of: $0, limits) },
            dropping: { logged.contains(HostedList.Origin($0.mutation.client, $0.mutation.n)) }
        ) { state in
            for bytes in records {
                guard let entry = try? decoder.decodeEntryRecord(bytes),
                    (try? state.apply(entry)) != nil
                else { break }
                logged.insert(HostedList.Origin(entry.client, entry.n))
                list.durable = entry.version
                record(entry, bytes, in: list, now)
            }
        }
        answerAbsorbed(list, logged)
        for index in list.waiting.indices { foresee(&list.waiting[index], at: index, in: list) }
        for id in list.subscriptions.keys { markDue(id) }
        dirty.insert(name)
    }

    private func answerAbsorbed(_ list: HostedList, _ logged: Set<HostedList.Origin>) {
        let waiting = list.waiting
        list.waiting.removeAll { logged.contains(HostedList.Origin($0.client, $0.submission.n)) }
        for done in waiting where done.submission.n > .zero {
            guard logged.contains(HostedList.Origin(done.client, done.submission.n)),
                case .logged(let entry) = list.sessions.standing(
                    of: done.submission.n, by: done.client)
            else { continue }
            answer(
                done.submission, with: .logged(entry.version, skips: entry.skips), in: list,
                done.connection)
        }
    }
}

extension HostedList {
    /// Whose mutation, and which.
    struct Origin: Hashable {
        let client: ClientID
        let n: MutationNumber

        init(_ client: ClientID, _ n: MutationNumber) {
            self.client = client
            self.n = n
        }
    }
}
