internal import ListModel
internal import ListProtocol

/// From a draft to a mutation, and from its outcome back to the editor.
extension Replica {
    /// Proposes what the draft touched. `nil`: there was nothing to write, and the editor is
    /// closed.
    func commit(
        _ id: ElementID, _ mode: Editor.Commit.Mode, at now: Timestamp
    ) throws(EditorFault) -> MutationNumber? {
        guard let editor = editors[id] else { throw .notOpen }
        if let vanish = editor.vanish { throw .vanished(vanish) }
        if editor.policy == .snapshot { throw .readOnly }
        if editor.commit != nil { throw .committing }
        guard editor.hasDraft else {
            _ = cancel(id)
            return nil
        }
        let operation = try operation(for: editor, mode)
        return send([operation], of: editor, mode, tries: 0, now)
    }

    /// Writes only what was touched, on the condition that goes with the mode.
    private func operation(
        for editor: Editor, _ mode: Editor.Commit.Mode
    ) throws(EditorFault) -> Operation {
        let names = editor.touched.names
        let theirs = editor.shown.values(of: names)
        var changes = editor.touched
        switch mode {
        case .overwrite:
            return Operation(.set(editor.id, changes))
        case .merge:
            var conflicts: [FieldName] = []
            for name in names {
                guard let merged = editor.merged(name) else {
                    conflicts.append(name)
                    continue
                }
                changes[name] = merged
            }
            guard conflicts.isEmpty else { throw .conflict(conflicts) }
        case .ifUnchanged, .saveNew, .restore:
            guard editor.conflicts.isEmpty || Faults.has(.conflictIgnored) else {
                throw .conflict(editor.conflicts)
            }
        }
        return Operation(.set(editor.id, changes), if: Condition(fields: theirs))
    }

    /// Saves a vanished editor's last value and draft as a new element; by default where the old
    /// one was.
    func saveAsNew(
        _ id: ElementID, as new: ElementID, at place: Place?, at now: Timestamp
    ) throws(EditorFault) -> MutationNumber {
        guard let editor = editors[id] else { throw .notOpen }
        guard let vanish = editor.vanish else { throw .notVanished }
        if editor.commit != nil { throw .committing }
        if gone != nil { throw .vanished(vanish) }
        var spot = place ?? .last
        if place == nil, vanish.canReturn, list.orderIndex(of: id) != nil { spot = .after(id) }
        let insert = Operation(.insert(new, at: spot, editor.value.withoutNulls))
        return send([insert], of: editor, .saveNew, tries: 0, now)
    }

    /// Restores the element of a vanished editor, with the draft written over it.
    func restoreWithDraft(_ id: ElementID, at now: Timestamp)
        throws(EditorFault) -> MutationNumber
    {
        guard let editor = editors[id] else { throw .notOpen }
        guard let vanish = editor.vanish else { throw .notVanished }
        if editor.commit != nil { throw .committing }
        guard vanish.canReturn, gone == nil else { throw .vanished(vanish) }
        var operations = [Operation(.restore(id))]
        if editor.hasDraft {
            // Somebody may have restored it before, and written there.
            let last = Condition(fields: editor.shown.values(of: editor.touched.names))
            operations.append(Operation(.set(id, editor.touched), if: last))
        }
        return send(operations, of: editor, .restore, tries: 0, now)
    }

    private func send(
        _ operations: [Operation], of editor: Editor, _ mode: Editor.Commit.Mode, tries: Int,
        origin: MutationNumber? = nil, _ now: Timestamp
    ) -> MutationNumber {
        var written = Fields()
        for case .set(_, let changes) in operations.map(\.intent) { written = changes }
        editors[editor.id]?.commit = Editor.Commit(
            n: lastNumber.next, mode: mode, written: written, tries: tries)
        let n = submit(operations, editor: editor.id, origin: origin, at: now)
        if let editor = editors[editor.id] { store(editor) }
        return n
    }

    /// Takes a commit that no server can have seen back: its editor is open again, with its draft
    /// on the element as it is without it. An element that it restores stays restored. False: there
    /// is none, or it may be in the log.
    func reconsider(_ id: ElementID, at now: Timestamp) -> Bool {
        guard gone == nil, let commit = editors[id]?.commit, commit.mode != .saveNew,
            !mayBeLogged(commit.n)
        else { return false }
        if commit.mode == .restore { _ = submit([Operation(.restore(id))], at: now) }
        return discard(commit.n)
    }

    private static let mostTries = 3

    /// Before the outcome's effect is seen: a commit that was saved closes its editor, so that it
    /// hears no more of it; any other leaves it open, or vanished, with its draft. False: the
    /// editor that sent it is closed, though another may be open on its element.
    func settle(_ waiting: Unresolved, _ answer: ServerMessage.Answer) -> Bool {
        guard let id = waiting.editor else { return false }
        let carriesIt = editors[id]?.commit?.n == waiting.mutation.n
        if answer.outcome.isDone {
            if carriesIt { _ = cancel(id) }
            news.append(.committed(name, id, waiting.mutation.n, answer.outcome))
        } else if carriesIt {
            abandonCommit(of: id)
        }
        return carriesIt
    }

    /// The draft is the editor's own again.
    func abandonCommit(of id: ElementID) {
        editors[id]?.commit = nil
        if let editor = editors[id] { store(editor) }
    }

    /// After it: what was skipped only because the element had changed, without a conflict, is
    /// proposed again, and reported when that is decided.
    func proposedAgain(
        _ waiting: Unresolved, after answer: ServerMessage.Answer, at now: Timestamp
    ) -> Bool {
        guard answer.outcome.isOnlyChanged, let id = waiting.editor, let editor = editors[id],
            editor.vanish == nil, editor.hasDraft, editor.commit == nil,
            let last = waiting.commit, last.tries < Self.mostTries,
            let operation = try? operation(for: editor, last.mode)
        else { return false }
        let origin = waiting.origin ?? waiting.mutation.n
        _ = send([operation], of: editor, last.mode, tries: last.tries + 1, origin: origin, now)
        return true
    }
}

extension Outcome {
    /// All that was in the way is that the element had changed.
    fileprivate var isOnlyChanged: Bool {
        guard case .nothing(let skips) = self else { return false }
        return skips.allSatisfy { $0.code == .changedSince }
    }

    /// Everything that was asked for is so.
    var isDone: Bool {
        switch self {
        case .logged(_, let skips), .nothing(let skips): skips.isEmpty
        case .refused: false
        }
    }
}

extension Editor {
    /// What a touched field would be after a merge; `nil`: both sides changed the same words.
    func merged(_ name: FieldName) -> Value? {
        let mine = touched[name] ?? .null
        let base = base[name] ?? .null
        let theirs = shown[name] ?? .null
        if theirs == base || theirs == mine || Faults.has(.mergeTakesMine) { return mine }
        if mine == base { return theirs }
        guard case .text(let base) = base, case .text(let mine) = mine,
            case .text(let theirs) = theirs
        else { return nil }
        return TextMerge.merge(base: base, mine: mine, theirs: theirs).map { .text($0) }
    }
}
