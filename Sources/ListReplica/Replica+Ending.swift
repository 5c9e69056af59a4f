internal import ListModel
internal import ListProtocol

/// The end of a list.
extension Replica {
    /// The list that bore this name was deleted, and another has it now.
    func replaced(_ now: Timestamp) {
        end(ServerMessage.Gone(code: .listDeleted, by: nil, at: now))
        if gone != nil { outbox.append(.close(name)) }
    }

    /// The list was deleted, or may no longer be read.
    func end(_ gone: ServerMessage.Gone) {
        guard self.gone == nil else { return }
        let refusal = Refusal(gone.code, "the list \(name) is no longer there")
        let waiting = unresolved
        unresolved = []
        early = []
        rejected = [:]
        sync = .gone(gone)
        epoch = nil
        speculation = Speculation()
        undoStack.clear()
        if tellsTouched { touchedRows.add(nil) }
        for number in Array(views.keys) { views[number]?.rebuild(from: list, pinned: []) }
        for editor in openEditors where editor.commit != nil { abandonCommit(of: editor.id) }
        refreshEditors(.remote(by: [:]), only: nil, vanish: gone.vanish)
        for mutation in waiting { report(mutation, ServerMessage.Answer(.refused(refusal))) }
        writes.append(.removePrefix(StateKeys.contents(of: name)))
        writes.append(.removePrefix(StateKeys.allPending(in: name)))
        storePosition()
        news.append(.changed(name))
        news.append(.closed(name, gone))
        // Who asked for the list by its name gets the one that bears it now.
        if isAskedFor { leave() }
    }
}
