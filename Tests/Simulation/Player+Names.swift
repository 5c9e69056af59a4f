internal import ListModel
internal import ListReplica

/// By whom things were done, as editors are told, and who else edits.
extension Player {
    func checkNames(_ id: ElementID, _ event: EditorEvent, _ replica: Replica) {
        switch event {
        case .vanished(let vanish) where vanish.cause == .deleted:
            let known = replica.epoch.flatMap {
                simulation.truth.deletion(
                    of: id, in: $0, upTo: replica.speculation.confirmedHead)
            }
            if vanish.by == node.user, replica.isDeletedByPending(id) { return }
            let (by, version) = known.map { ($0.by, $0.version) } ?? (node.user, vanish.version)
            guard vanish.by == by, vanish.version == version else {
                return complain(.editor, "is told \(id) \(vanish), which was \(by) at \(version as Any)")
            }
        case .changed(_, _, let by, _), .conflict(_, _, _, _, let by), .hidden(let by),
            .shown(let by):
            guard let by, by != node.user else { return }
            if !simulation.truth.hasWritten(by, to: id) {
                complain(.editor, "is told that \(by) did this, and they did not: \(id) \(event)")
            }
        case .presence(let names):
            if others[id] == names { complain(.presence, "is told twice of \(names) at \(id)") }
            others[id] = names
        // One returns by whom its own deletion is refused for, too, who may only have looked at it.
        case .vanished, .returned: break
        }
    }

    /// Editors begin with whom they see.
    func meet(_ id: ElementID, _ replica: Replica) { others[id] = replica.othersEditing(id) }
}

extension Replica {
    fileprivate func isDeletedByPending(_ id: ElementID) -> Bool {
        speculation.pending.contains { pending in
            pending.resolution.operations.contains {
                if case .delete(id) = $0 { return true }
                return false
            }
        }
    }
}

extension Truth {
    /// Who deleted an element last, as a log has it at a version.
    func deletion(of id: ElementID, in epoch: Epoch, upTo head: Version) -> Entry? {
        for entry in (logs[epoch]?.entries.prefix(Int(head.number)) ?? []).reversed() {
            for operation in entry.operations.reversed() {
                switch operation {
                case .delete(id): return entry
                case .insert(id, _, _), .restore(id, _): return nil
                default: break
                }
            }
        }
        return nil
    }

    /// Whether somebody ever wrote to an element, in whatever log.
    func hasWritten(_ user: UserName, to id: ElementID) -> Bool {
        logs.values.contains { log in
            log.entries.contains { $0.by == user && $0.operations.contains { $0.touches(id) } }
        }
    }
}

extension ResolvedOperation {
    fileprivate func touches(_ element: ElementID) -> Bool {
        switch self {
        case .insert(let id, _, _), .set(let id, _), .count(let id, _, _, _), .delete(let id),
            .restore(let id, _):
            id == element
        case .move(let ids, _), .forget(let ids): ids.contains(element)
        case .describe: false
        }
    }
}
