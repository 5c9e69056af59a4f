internal import ListModel
internal import ListProtocol

extension SimulatedClient {
    /// Submits an edit, or keeps it until it may be submitted: in order, and after a reconnect only
    /// behind the outcomes of those that may have arrived before it.
    func write(_ operations: [Operation], intended: Moment?) {
        _ = author.add(operations, intended: intended)
        writeUnsent()
    }

    func writeUnsent() {
        guard isLive, againLeft == 0 else { return }
        while firstUnsent <= author.last {
            guard submit(firstUnsent, again: false) else { return }
            author.sent(firstUnsent)
            firstUnsent += 1
        }
    }

    /// After a reconnect: what has no outcome and may have been submitted before.
    func writeAgain() {
        let unsure = author.unanswered.filter { $0 < firstUnsent }
        againLeft = unsure.count
        for n in unsure where !submit(n, again: true) { againLeft -= 1 }
        writeUnsent()
    }

    /// The server could not now; the same number once more, a little later.
    func tryAgain(_ n: UInt64) {
        let visit = visit
        crowd.loop.after(milliseconds: 200) { [self] in
            if self.visit == visit, isLive { _ = submit(n, again: true) }
        }
    }

    /// False when the network holds too much back already.
    private func submit(_ n: UInt64, again: Bool) -> Bool {
        guard let edit = author.pending[n], let socket else { return true }
        let lane = crowd.lanes[lane]
        let submission = ClientMessage.Submission(
            list: lane.list, n: MutationNumber(n), heard: MutationNumber(author.heard),
            operations: edit.operations, epoch: lane.epoch, again: again)
        return socket.send([MessageEncoder.encode(.submit(submission))]) != .overflow
    }
}
