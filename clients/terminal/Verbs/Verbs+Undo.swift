internal import ListModel
internal import ListReplica

/// Taking back what the same user's verbs did.
extension Verbs {
    @MainActor
    static func undo(_ call: inout Invocation) async throws(Failure) {
        try await takeBack(&call, isRedo: false)
    }

    @MainActor
    static func redo(_ call: inout Invocation) async throws(Failure) {
        try await takeBack(&call, isRedo: true)
    }

    @MainActor
    private static func takeBack(_ call: inout Invocation, isRedo: Bool) async throws(Failure) {
        let name = try call.listName()
        try call.end()
        let done = try await Conversation.run(call) {
            talk throws(Failure) -> (ids: [ElementID], what: String, report: Report) in
            let replica = try await talk.open(name)
            talk.recallUndo(of: replica)
            let steps = replica.keptSteps.filter { $0.isRedo == isRedo }
            guard let step = steps.last else {
                throw Failure(
                    .refused, isRedo ? "nothing_to_redo" : "nothing_to_undo",
                    "there is nothing that samelist can \(isRedo ? "redo" : "undo") in \(name): "
                        + "it knows what this user's commands on this machine did; samelist "
                        + "history \(name) shows everything.")
            }
            try await talk.learn(step.operations.flatMap(\.targets), in: replica)
            let before = replica.list
            let n = talk.client.perform { core, now in
                isRedo ? core.redo(in: name, at: now) : core.undo(in: name, at: now)
            }
            let report = try await talk.outcome(of: n)
            let operations = step.operations.filter {
                !$0.targets.contains(where: report.skipped.contains)
            }
            let what = deed(of: operations, before, replica.list)
            return (step.operations.flatMap(\.targets).unique, what, report)
        }
        try call.tell(
            done.report, isRedo ? "Done again: \(done.what)" : "Taken back: \(done.what)", name,
            done.ids,
            undo: "samelist \(isRedo ? "undo" : "redo") \(name)\(call.settings.repeated)")
    }

    /// What operations do, in words.
    private static func deed(
        of operations: [Operation], _ before: ListState, _ after: ListState
    ) -> String {
        var deeds: [(verb: String, ids: [ElementID])] = []
        for operation in operations {
            let verb =
                switch operation.intent {
                case .insert: "added"
                case .set, .count: "changed"
                case .move: "moved"
                case .delete: "deleted"
                case .restore: "restored"
                case .describe, .forget: "changed the list"
                }
            if deeds.last?.verb == verb {
                deeds[deeds.count - 1].ids += operation.targets
            } else {
                deeds.append((verb, operation.targets))
            }
        }
        return deeds.map { deed in
            let ids = deed.ids.unique
            let what =
                ids.count == 1 && before[ids[0]] == nil
                ? Verbs.what(ids, in: after) : Verbs.what(ids, in: before)
            return ids.isEmpty ? deed.verb : "\(deed.verb) \(what)"
        }.joined(separator: ", ")
    }
}

extension Conversation {
    /// Asks about graves of which only the place is known: by which entry an element was deleted is
    /// what its restoring is conditional on.
    func learn(_ ids: [ElementID], in replica: Replica) async throws(Failure) {
        let graves = ids.unique.filter { id in
            if case .grave(nil) = replica.list.standing(of: id) { return true }
            return false
        }
        let most = Limits().editing
        for start in stride(from: 0, to: graves.count, by: most) {
            let part = Array(graves[start..<min(start + most, graves.count)])
            _ = try await ask({ .fates($0, replica.name, part) })
        }
    }

    /// From here on the replica's undo is that of this user's verbs, which no other has meanwhile.
    func recallUndo(of replica: Replica) {
        undoFile = UndoFile(replica.name, settings, client: core.client)
        replica.recall(undoFile?.steps ?? [])
    }

    /// Keeps what a later verb can take back, and the names that a shell can complete.
    func keepForLater() {
        KnownRows(settings).keep(from: core)
        for (name, replica) in core.replicas where replica.isLive {
            if let undoFile {
                // Of what has no outcome it is not known whether it can be taken back again.
                if replica.unresolved.isEmpty { undoFile.keep(replica.keptSteps) }
            } else if submitted > 0 {
                let steps = replica.keptSteps
                guard !steps.isEmpty else { continue }
                UndoFile(name, settings, client: core.client)?
                    .add(steps, isWhole: replica.unresolved.isEmpty)
            }
        }
    }
}

extension [ElementID] {
    /// Each once, in the order of their first.
    var unique: [ElementID] {
        var seen: Set<ElementID> = []
        return filter { seen.insert($0).inserted }
    }
}
