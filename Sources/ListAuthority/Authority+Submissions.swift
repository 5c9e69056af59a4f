internal import ListModel
internal import ListProtocol

/// Mutations: once each, resolved in the order in which they came, answered when durable.
extension Authority {
    func submit(
        _ submission: ClientMessage.Submission, to list: HostedList, _ who: Connection.Greeting,
        _ id: ConnectionID, _ now: Timestamp
    ) {
        if let refusal = unfit(submission, for: list) {
            return answer(submission, with: .refused(refusal), in: list, id)
        }
        guard !isAnothers(who, in: list) else {
            return refuse(submission.n, of: list.name, from: id, anothers(who.client))
        }
        let mutation = Mutation(
            client: who.client, n: submission.n, operations: submission.operations,
            atomic: submission.atomic)
        let digest = mutation.digest
        if let index = list.index(of: HostedList.Origin(who.client, submission.n)) {
            return repeated(index, digest, submission, list, id)
        }
        let again = submission.again
        let standing = list.sessions.standing(of: submission.n, by: who.client, again: again)
        switch Faults.has(.dedupeOff) ? .new : standing {
        case .new:
            let refusal =
                unheard(submission, in: list, who.client)
                ?? lost(submission, in: list, who.client, id)
            if let refusal {
                return answer(submission, with: .refused(refusal), in: list, id)
            }
            if demandsAccess { list.claims[who.client] = who.name }
            propose(mutation, submission, who.name, id, to: list, now)
        case .logged(let logged) where logged.digest == digest:
            answer(submission, with: .logged(logged.version, skips: logged.skips), in: list, id)
        case .logged:
            refuseReused(submission, in: list, id)
        case .forgotten:
            let refusal = Refusal(
                .forgotten,
                "the list has forgotten this client, and whether it logged mutation "
                    + "\(submission.n); look, and propose it again under a new number")
            answer(submission, with: .refused(refusal), in: list, id)
        case .heard:
            let refusal = Refusal(
                .numberReused, "the outcome of mutation \(submission.n) was heard before")
            answer(submission, with: .refused(refusal), in: list, id)
        }
    }

    private func unfit(
        _ submission: ClientMessage.Submission, for list: HostedList
    ) -> Refusal? {
        if let epoch = submission.epoch, epoch.list != list.epoch.list {
            return Refusal(
                .listDeleted, "the list \(list.name) was deleted and made anew; open it again")
        }
        guard submission.n > .zero, submission.operations.count <= limits.operations else {
            return Refusal(
                .tooMany,
                "a mutation has a number from 1 and at most \(limits.operations) operations")
        }
        return nil
    }

    /// What the submission itself confirms counts as heard.
    private func unheard(
        _ submission: ClientMessage.Submission, in list: HostedList, _ client: ClientID
    ) -> Refusal? {
        guard list.sessions.unheard(of: client) >= limits.unheard,
            list.sessions.logged(of: client, after: submission.heard).count >= limits.unheard
        else { return nil }
        let most = limits.unheard
        return Refusal(.tooMany, "confirm hearing outcomes: at most \(most) may wait for that")
    }

    /// It rests on what the client does not know: its state was set back. Either its number is
    /// another's, which this connection was told while it was under way; or its outcome was heard,
    /// and nothing is kept of that here. Answered, the client sees to both.
    private func lost(
        _ submission: ClientMessage.Submission, in list: HostedList, _ client: ClientID,
        _ id: ConnectionID
    ) -> Refusal? {
        let needed = submission.operations.compactMap { $0.condition?.needs }
        if needed.isEmpty { return nil }
        if let reused = connections[id]?.reused[list.name],
            let n = needed.first(where: reused.contains)
        {
            return Refusal(
                .numberReused, "mutation \(n), which it needs, was another; give both anew")
        }
        let heard = list.sessions.heard(of: client)
        return needed.first { $0 > submission.heard && $0 <= heard }.map { n in
            Refusal(
                .numberReused, "the outcome of mutation \(n), which it needs, was heard before")
        }
    }

    private func refuseReused(
        _ submission: ClientMessage.Submission, in list: HostedList, _ id: ConnectionID
    ) {
        let n = submission.n
        connections[id]?.noteReused(n, in: list.name, atMost: limits.unheard)
        answer(submission, with: .refused(Self.reused(n)), in: list, id)
    }

    static func reused(_ n: MutationNumber) -> Refusal {
        Refusal(.numberReused, "mutation \(n) of this client was another; take a new identity")
    }

    /// The same number again, while the first still waits for the log: whoever asked last is
    /// answered.
    private func repeated(
        _ index: Int, _ digest: UInt64, _ submission: ClientMessage.Submission,
        _ list: HostedList, _ id: ConnectionID
    ) {
        let waiting = list.waiting[index]
        guard waiting.digest == digest else {
            return refuseReused(submission, in: list, id)
        }
        list.waiting[index].connection = id
    }

    func propose(
        _ mutation: Mutation, _ submission: ClientMessage.Submission, _ by: UserName,
        _ id: ConnectionID, to list: HostedList, _ now: Timestamp
    ) {
        let waiting = HostedList.Waiting(
            connection: id, submission: submission, client: mutation.client,
            digest: mutation.digest,
            answer: Held(ServerMessage.Answer(.nothing(skips: [])), until: list.durable))
        list.speculation.propose(mutation, context(waiting, by, now, list))
        enter(waiting, in: list)
        dirty.insert(list.name)
    }

    /// Resolves anew what was taken back.
    func propose(
        again waiting: HostedList.Waiting, _ pending: Speculation.Pending, to list: HostedList
    ) {
        var waiting = waiting
        waiting.record = []
        list.speculation.propose(
            pending.mutation, context(waiting, pending.by, pending.at, list))
        enter(waiting, in: list)
    }

    func context(
        _ waiting: HostedList.Waiting, _ by: UserName, _ at: Timestamp, _ list: HostedList
    ) -> ResolutionContext {
        let own = byClient[identity(of: waiting.client, by)]
        return ResolutionContext(
            at: at, by: by, limits: limits,
            editor: { id in
                waiting.asked.editor(of: id) { list.presence.editors(of: id, without: own).first }
            },
            isLogged: { n in
                waiting.asked.isLogged(n) { list.isLogged(n, by: waiting.client) }
            })
    }

    /// The entry and the answer of the mutation that was proposed last; neither leaves before the
    /// log holds all that it rests on.
    private func enter(_ waiting: HostedList.Waiting, in list: HostedList) {
        guard let pending = list.speculation.pending.last else { return }
        let resolution = pending.resolution
        var waiting = waiting
        waiting.entry = nil
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
        let told = told(
            of: resolution.operations, in: list,
            without: byClient[identity(of: waiting.client, pending.by)])
        let answer = ServerMessage.Answer(
            outcome, told: told, current: current(of: resolution.skips, in: list))
        waiting.answer = Held(answer, until: pending.headAfter)
        if Faults.has(.toldBeforeDurable) { tell(answer, to: waiting, in: list) }
        list.waiting.append(waiting)
        list.origins.insert(waiting.origin)
    }

    private func told(
        of operations: [ResolvedOperation], in list: HostedList, without id: ConnectionID?
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
        hold(.outcome(list.name, submission.n, ServerMessage.Answer(outcome)), for: id, in: list)
    }

    /// The list as the log has it, without the work that waits for it. Cost: that work, twice.
    func withConfirmed<Result>(_ list: HostedList, _ body: (ListState) -> Result) -> Result {
        guard !list.speculation.pending.isEmpty, !Faults.has(.snapshotOfWhatWaits) else {
            return body(list.speculation.list)
        }
        var result: Result?
        let again = Array(zip(list.waiting, list.speculation.pending))
        list.withoutPending { result = body($0) }
        for (waiting, pending) in again {
            list.speculation.propose(
                pending.mutation, context(waiting, pending.by, pending.at, list))
        }
        return result ?? body(list.speculation.list)
    }
}
