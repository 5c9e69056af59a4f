internal import ListModel
internal import ListProtocol

/// Mutations: once each, resolved in the order in which they came, answered when durable.
extension Authority {
    func submit(
        _ submission: ClientMessage.Submission, to list: HostedList, _ who: Connection.Greeting,
        _ id: ConnectionID, _ now: Timestamp
    ) {
        if let refusal = unfit(submission, for: list, who.client) {
            return answer(submission, with: .refused(refusal), in: list, id)
        }
        let mutation = Mutation(
            client: who.client, n: submission.n, operations: submission.operations,
            atomic: submission.atomic)
        let digest = mutation.digest
        if let index = list.waiting.firstIndex(where: {
            $0.client == who.client && $0.submission.n == submission.n
        }) {
            return repeated(index, digest, submission, list, id)
        }
        switch list.sessions.standing(of: submission.n, by: who.client) {
        case .new:
            propose(mutation, submission, who.name, id, to: list, now)
        case .logged(let logged) where logged.digest == digest:
            answer(submission, with: .logged(logged.version, skips: logged.skips), in: list, id)
        case .logged:
            answer(submission, with: .refused(Self.reused(submission.n)), in: list, id)
        case .heard:
            let refusal = Refusal(
                .numberReused, "the outcome of mutation \(submission.n) was heard before")
            answer(submission, with: .refused(refusal), in: list, id)
        }
    }

    private func unfit(
        _ submission: ClientMessage.Submission, for list: HostedList, _ client: ClientID
    ) -> Refusal? {
        if let epoch = submission.epoch, epoch.list != list.epoch.list {
            return Refusal(
                .listDeleted, "the list \(list.name) was deleted and made anew; open it again")
        }
        guard submission.n > .zero, submission.operations.count <= limits.operations else {
            return Refusal(
                .tooMany, "a mutation has a number from 1 and at most \(limits.operations) operations")
        }
        guard list.sessions.unheard(of: client) < limits.unheard else {
            let most = limits.unheard
            return Refusal(.tooMany, "confirm hearing outcomes: at most \(most) may wait for that")
        }
        return nil
    }

    private static func reused(_ n: MutationNumber) -> Refusal {
        Refusal(.numberReused, "mutation \(n) of this client was another; take a new identity")
    }

    /// The same number again, while the first still waits for the log: whoever asked last is answered.
    private func repeated(
        _ index: Int, _ digest: UInt64, _ submission: ClientMessage.Submission,
        _ list: HostedList, _ id: ConnectionID
    ) {
        let waiting = list.waiting[index]
        guard waiting.digest == digest else {
            return answer(submission, with: .refused(Self.reused(submission.n)), in: list, id)
        }
        list.waiting[index] = HostedList.Waiting(
            connection: id, submission: submission, client: waiting.client, digest: digest,
            entry: waiting.entry, record: waiting.record, answer: waiting.answer)
    }

    func propose(
        _ mutation: Mutation, _ submission: ClientMessage.Submission, _ by: UserName,
        _ id: ConnectionID, to list: HostedList, _ now: Timestamp
    ) {
        let context = list.context(at: now, by: by, of: mutation.client, id, limits)
        list.speculation.propose(mutation, context)
        var waiting = HostedList.Waiting(
            connection: id, submission: submission, client: mutation.client,
            digest: mutation.digest,
            answer: Held(ServerMessage.Answer(.nothing(skips: [])), until: list.durable))
        foresee(&waiting, at: list.speculation.pending.count - 1, in: list)
        list.waiting.append(waiting)
        dirty.insert(list.name)
    }

    /// The entry and the answer of a pending mutation, as things stand; neither leaves before the log
    /// holds all that it rests on.
    func foresee(_ waiting: inout HostedList.Waiting, at index: Int, in list: HostedList) {
        let pending = list.speculation.pending[index]
        let resolution = pending.resolution
        waiting.entry = nil
        waiting.record = []
        var outcome = Outcome.nothing(skips: resolution.skips)
        if let refusal = resolution.refusal {
            outcome = .refused(refusal)
        } else if resolution.isLogged {
            outcome = .logged(pending.headAfter, skips: resolution.skips)
            waiting.entry = Entry(
                version: pending.headAfter, at: pending.lastAt, by: pending.by,
                client: waiting.client, n: waiting.submission.n,
                operations: resolution.operations, skips: resolution.skips,
                heard: waiting.submission.heard, digest: waiting.digest)
        }
        let answer = ServerMessage.Answer(
            outcome, told: told(of: resolution.operations, in: list, without: waiting.connection),
            current: current(of: resolution.skips, in: list))
        waiting.answer = Held(answer, until: pending.headAfter)
    }

    private func told(
        of operations: [ResolvedOperation], in list: HostedList, without id: ConnectionID
    ) -> [UserName] {
        var names: Set<UserName> = []
        for case .delete(let element) in operations {
            names.formUnion(list.presence.editors(of: element, without: id))
        }
        return names.sorted()
    }

    private func current(of skips: [Skip], in list: HostedList) -> [Element] {
        skips.filter { $0.code == .changedSince }.compactMap { $0.id }
            .compactMap { list.speculation.list[$0] }
    }

    /// An answer that rests on no work of its own; told behind the entries that are durable by now.
    func answer(
        _ submission: ClientMessage.Submission, with outcome: Outcome, in list: HostedList,
        _ id: ConnectionID
    ) {
        let message = ServerMessage.outcome(
            list.name, submission.n, ServerMessage.Answer(outcome))
        send(MessageEncoder.encode(message), to: id, after: (list.name, list.durable))
    }
}
