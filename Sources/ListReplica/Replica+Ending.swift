internal import ListModel
internal import ListProtocol

/// The end of a list.
extension Replica {
    /// The list that bore this name was deleted, and another has it now.
    func replaced(_ now: Timestamp) {
        end(ServerMessage.Gone(code: .listDeleted, by: nil, at: now))
        if gone != nil { outbox.append(.close(name)) }
    }

    /// The list was deleted, or may no longer be read. Its rows go either way; where it may be read
    /// again some day, one's own work that waits is kept, as drafts always are.
    func end(_ gone: ServerMessage.Gone) {
        guard self.gone == nil else { return }
        let refusal = Refusal(gone.code, "the list \(name) is no longer there")
        let waiting = gone.code == .accessLost ? unresolved.filter { $0.editor != nil } : unresolved
        let kept = Set(unresolved.map(\.mutation.n)).subtracting(waiting.map(\.mutation.n))
        unresolved.removeAll { !kept.contains($0.mutation.n) }
        hasLostAccess = gone.code == .accessLost
        sentThrough = .zero
        early = []
        rejected = [:]
        discardedUnknown = []
        sync = .gone(gone)
        epoch = nil
        speculation = Speculation()
        undoStack.clear()
        touch(nil)
        for editor in openEditors where editor.commit != nil { abandonCommit(of: editor.id) }
        refreshEditors(.remote(by: [:]), only: nil, vanish: gone.vanish)
        for mutation in waiting { report(mutation, ServerMessage.Answer(.refused(refusal))) }
        writes.append(.removePrefix(StateKeys.contents(of: name)))
        if kept.isEmpty {
            writes.append(.removePrefix(StateKeys.allPending(in: name)))
        } else {
            for mutation in waiting { forget(mutation) }
        }
        storePosition()
        news.append(.changed(name))
        news.append(.closed(name, gone))
        // Who asked for the list by its name gets the one that bears it now.
        if isAskedFor, gone.code != .accessLost { leave() }
    }
}
