internal import ListModel
internal import ListProtocol

/// What becomes of work that could not be logged.
extension Authority {
    func appendFailed(_ name: ListName, _ failure: AppendFailure) {
        guard let list = hosted(name) else { return }
        switch (list.append, failure) {
        case (.free, _), (.conflicted, .conflict), (.failed, .conflict), (.renewing, _): break
        case (.underWay, .conflict):
            list.append = .conflicted
            work.append(.readForeign(name, after: list.durable))
        case (.conflicted, .failed) where list.removal != nil,
            (.failed, .failed) where list.removal != nil:
            list.append = .free
        case (.conflicted, .failed):
            // Whether our work is in the log is not known, so nothing can be said of it.
            readAnew(list, list.waiting)
        case (.underWay(let count), .failed(let sentence)):
            list.append = .failed(count, sentence)
            if Faults.has(.failureNotVerified) { return absorb([], into: name) }
            work.append(.readForeign(name, after: list.durable))
        case (.failed, .failed): leaveOpen(list)
        }
    }

    /// Whether what waits is in the log cannot be known, so nothing is said of it: those who wait
    /// come back and ask again. Reads go on; what stands in the log is found by the next append.
    private func leaveOpen(_ list: HostedList) {
        list.append = .free
        list.withoutPending { _ in }
        let asking = Set(list.waiting.map(\.connection))
        list.waiting = []
        list.origins = []
        for id in asking {
            close(id, .outOfStep, "the storage of \(list.name) does not answer", retry: 1_000)
        }
    }

    /// None of what waits for the log will be in it.
    func refuseWaiting(in list: HostedList, _ refusal: Refusal) {
        let refused = list.waiting
        list.waiting = []
        list.origins = []
        for waiting in refused { refuse(waiting, in: list, refusal) }
    }

    private func refuse(_ waiting: HostedList.Waiting, in list: HostedList, _ refusal: Refusal) {
        tell(ServerMessage.Answer(.refused(refusal)), to: waiting, in: list)
        for (connection, request) in waiting.creations {
            send(.error(request, list.name, refusal), to: connection)
        }
    }

    func refuseUnwritten(
        _ waiting: HostedList.Waiting, in list: HostedList, _ sentence: String
    ) {
        let refusal = Refusal(.storageFailed, "nothing was written; try again: \(sentence)")
        refuse(waiting, in: list, refusal)
    }

    /// An insert that failed has no editors any more.
    func endPresenceOfGone(_ list: HostedList) {
        list.presence.end(where: { !isEditable($0, in: list) })
        restless.insert(list.name)
    }
}
