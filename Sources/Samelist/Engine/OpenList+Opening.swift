internal import ListModel
internal import ListReplica

/// Waiting for a list to open.
extension OpenList {
    /// How long opening waits for the server, in milliseconds.
    static let patience: Int64 = 3_000

    /// Returns once the list is in step, or there is a local copy and no server: at once where that
    /// is known, else after 3 seconds.
    func untilOpen() async throws(ListError) {
        let patienceEnds = client.now.adding(milliseconds: Self.patience)
        var isWaiting = true
        defer { isWaiting = false }
        client.remind(at: patienceEnds) { isWaiting }
        while !replica.isLive {
            if let error = end ?? trouble { throw error }
            let isCopy = replica.epoch != nil
            if let error = client.unreachable(after: patienceEnds, isPatient: !isCopy) {
                if isCopy { return }
                throw error
            }
            if Task.isCancelled {
                throw ListError(.cancelled, saying: "the list \(name) was not waited for")
            }
            let signal = Signal()
            opening.append(signal)
            await signal.wait()
            opening.removeAll { $0 === signal }
        }
    }

    /// Something changed that those who wait for the list to open may look at.
    func wake() {
        for signal in opening { signal.raise() }
        opening = []
    }
}

extension ListClient {
    /// Returns once the server has answered, or cannot be reached though there is a copy of an
    /// earlier run to work with.
    func untilConnected() async throws(ListError) {
        if isStopped { throw ListError(Self.stopped) }
        let patienceEnds = now.adding(milliseconds: OpenList.patience)
        var isWaiting = true
        defer { isWaiting = false }
        remind(at: patienceEnds) { isWaiting }
        while !core.link.isOnline {
            if let error = unreachable(after: patienceEnds, isPatient: false) {
                if hasCopies, error.isTemporary { return }
                throw error
            }
            if Task.isCancelled {
                throw ListError(.cancelled, saying: "the connection was not waited for")
            }
            let signal = Signal()
            connecting.append(signal)
            await signal.wait()
            connecting.removeAll { $0 === signal }
        }
    }

    func wake() {
        for signal in connecting { signal.raise() }
        connecting = []
        for list in lists.values { list.wake() }
    }

    /// Why there is no server; `nil`: it may still answer. Who is patient lets it be tried again
    /// until then.
    func unreachable(after patienceEnds: Timestamp, isPatient: Bool) -> ListError? {
        if isStopped { return ListError(Self.stopped) }
        switch core.link.state {
        case .refused(let refusal): return ListError(refusal)
        case .online: return nil
        case .idle:
            return ListError(.unreachable, "this client is offline; go online first")
        case .waiting, .connecting, .greeting: break
        }
        let isOver = now >= patienceEnds
        if let trouble, isOver || !isPatient { return trouble }
        guard isOver else { return nil }
        return ListError(
            .timedOut, "the server at \(server) does not answer; start it, or come back later")
    }
}
