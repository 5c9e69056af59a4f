internal import ListModel
internal import ListReplica

/// By whom things were done, as editors are told, and who else edits.
extension Player {
    func checkNames(_ id: ElementID, _ event: EditorEvent, _ replica: Replica) {
        let fault: String?
        switch event {
        case .vanished(let vanish):
            fault = self.fault(of: vanish, of: id, replica)
            let isOwn = vanish.by == node.user && replica.isDeletedByPending(id)
            departures[id] = Departure(epoch: replica.epoch, isOwn: isOwn)
        case .changed(_, let new, let by, _): fault = wrong(by, wrote: new.names, of: id, replica)
        case .conflict(let name, _, _, _, let by):
            fault = wrong(by, wrote: [name], of: id, replica)
        case .hidden(let by), .shown(let by): fault = wrong(by, moved: id, replica)
        case .returned(let by): fault = wrong(by, returned: id, replica)
        case .presence(let names):
            if others[id] == names { complain(.presence, "is told twice of \(names) at \(id)") }
            others[id] = names
            fault = nil
        }
        complain(.editor, fault.map { "is told of \(id) \(event), where \($0)" })
    }

    /// What the replica's log has, no further than the replica is; of an element that stands in it.
    private func deeds(_ replica: Replica, _ id: ElementID) -> (Deeds, Version)? {
        let head = replica.speculation.confirmedHead
        guard let log = replica.epoch.flatMap({ simulation.truth.logs[$0] }),
            log.deeds.turn(of: id, upTo: head)?.kind != .forgotten
        else { return nil }
        return (log.deeds, head)
    }

    private func fault(of vanish: Vanish, of id: ElementID, _ replica: Replica) -> String? {
        guard let (deeds, head) = deeds(replica, id) else { return nil }
        let deed = deeds.turn(of: id, upTo: head)
        guard case .deleted(let last)? = deed?.kind, let deed else {
            let isOwn = vanish.by == node.user && replica.isDeletedByPending(id)
            return vanish.cause == .deleted && !isOwn ? "nobody deleted it" : nil
        }
        switch vanish.cause {
        case .deleted: break
        case .missing: return "\(deed.by) deleted it at \(deed.version)"
        case .listDeleted, .accessLost, .rejected: return nil
        }
        if vanish.by == node.user, replica.isDeletedByPending(id) { return nil }
        guard vanish.by == deed.by, vanish.at == deed.at, vanish.version == deed.version else {
            return "\(deed) deleted it"
        }
        guard let editor = replica.editors[id], editor.policy != .snapshot else { return nil }
        return editor.shown == last ? nil : "\(last.words) was its last value"
    }

    /// Whoever wrote one of the fields last; where that came with a snapshot, which does not say
    /// who wrote what, whoever the row names. Nobody, where none was written since the editor was
    /// opened: own work came to nothing.
    private func wrong(
        _ by: UserName?, wrote names: [FieldName], of id: ElementID, _ replica: Replica
    ) -> String? {
        guard let (deeds, head) = deeds(replica, id) else { return nil }
        let writers = names.compactMap { deeds.writer(of: [$0], of: id, upTo: head) }
        if writers.contains(where: { $0.by == by }) { return nil }
        let row = deeds.lastWriter(of: id, upTo: head)
        let blind = wholes(replica).filter { whole in
            writers.isEmpty || writers.contains { $0.version <= whole }
        }.union(deeds.deletions(of: id, upTo: head))
        if let by, blind.contains(where: { deeds.lastWriter(of: id, upTo: $0)?.by == by }) {
            return nil
        }
        if let by, !blind.isEmpty, row?.by == by { return nil }
        // Where a snapshot has the value that was known, nobody has changed it, as far as it tells.
        if !blind.isEmpty, by.map({ deeds.hasWritten($0, names, of: id, upTo: head) }) ?? true {
            return nil
        }
        if by == nil, writers.allSatisfy({ $0.version <= opened(id, replica) }) { return nil }
        // What stands there now is one's own, which waits, under what came to nothing.
        if by == nil || by == node.user, replica.writesByPending(names, id) { return nil }
        return "\(writers), row \(row.map { "\($0)" } ?? "of nobody")"
    }

    /// Up to where the replica's log is what the editor was opened on.
    private func opened(_ id: ElementID, _ replica: Replica) -> Version {
        guard let opening = openings[id], opening.epoch != replica.epoch else {
            return openings[id]?.version ?? .zero
        }
        let logs = [opening.epoch, replica.epoch].map { epoch in
            epoch.flatMap { simulation.truth.logs[$0]?.entries } ?? []
        }
        let common = zip(logs[0], logs[1]).prefix { $0 == $1 }.count
        return min(opening.version, Version(UInt64(common)))
    }

    /// Whoever wrote to it; oneself, where one's own work moves it; nobody, where own work came to
    /// nothing, or who is the reason for that.
    private func wrong(_ by: UserName?, moved id: ElementID, _ replica: Replica) -> String? {
        guard let (deeds, head) = deeds(replica, id) else { return nil }
        if own != nil { return by == node.user ? nil : "oneself did" }
        let writers = [
            deeds.anyWriter(of: id, upTo: head), deeds.lastWriter(of: id, upTo: head),
        ].compactMap { $0 }
        if writers.contains(where: { $0.by == by }) { return nil }
        if let by, blamed.contains(by) { return nil }
        // A commit is proposed again, which says nothing, because of somebody else.
        if replica.editors[id]?.commit != nil { return nil }
        if by == nil, writers.allSatisfy({ $0.version <= last.version }) { return nil }
        // Own work that waits has brought it back, as it is now.
        if by == nil || by == node.user, replica.isMadeByPending(id) { return nil }
        return "\(writers)"
    }

    /// Whoever restored it, or oneself; nobody, where own work that waits does so by now. From
    /// one's own deletion, which came to nothing, it returns by whom that is due to, who may only
    /// have looked at it; and with a snapshot, by whom its row names.
    private func wrong(_ by: UserName?, returned id: ElementID, _ replica: Replica) -> String? {
        guard let (deeds, head) = deeds(replica, id) else { return nil }
        if own != nil { return by == node.user ? nil : "oneself did" }
        let turn = deeds.turn(of: id, upTo: head)
        if turn?.kind == .restored || turn?.kind == .wrote(nil), turn?.by == by { return nil }
        if departures[id]?.isOwn ?? true { return nil }
        if by == nil || by == node.user, replica.isMadeByPending(id) { return nil }
        let row = deeds.lastWriter(of: id, upTo: head)
        let blind = wholes(replica).filter { $0 >= turn?.version ?? .zero }
        if let by, blind.contains(where: { deeds.lastWriter(of: id, upTo: $0)?.by == by }) {
            return nil
        }
        if departures[id]?.epoch != replica.epoch || hasGoneBack, by == nil || row?.by == by {
            return nil
        }
        return turn.map { "\($0)" } ?? "nobody turned it"
    }

    func blamed(for news: [News], _ replica: Replica) -> Set<UserName> {
        var skips: [Skip] = []
        for case .outcome(_, _, let report) in news { skips += report.answer.outcome.skips }
        if let log = replica.epoch.flatMap({ simulation.truth.logs[$0] }) {
            let fresh = log.entries.prefix(Int(replica.speculation.confirmedHead.number))
                .dropFirst(Int(last.version.number))
            for entry in fresh where entry.client == node.id { skips += entry.skips }
        }
        return Set(skips.compactMap(\.by))
    }

    /// Where snapshots of the replica's log stood.
    private func wholes(_ replica: Replica) -> Set<Version> {
        replica.epoch.flatMap { wholes[$0] } ?? []
    }

    /// Editors begin with whom they see.
    func meet(_ id: ElementID, _ replica: Replica) {
        others[id] = replica.othersEditing(id)
        openings[id] = (replica.epoch, replica.speculation.confirmedHead)
    }

    /// How an element was last told to have gone.
    struct Departure {
        let epoch: Epoch?
        /// By one's own deletion, which was not logged then.
        let isOwn: Bool
    }
}

extension Replica {
    fileprivate func isMadeByPending(_ id: ElementID) -> Bool {
        speculation.pending.contains { pending in
            pending.resolution.operations.contains {
                switch $0 {
                case .restore(id, _), .insert(id, _, _): true
                default: false
                }
            }
        }
    }

    fileprivate func writesByPending(_ names: [FieldName], _ id: ElementID) -> Bool {
        let written = speculation.pending.flatMap(\.resolution.operations).flatMap {
            switch $0 {
            case .set(id, let fields), .insert(id, _, let fields), .restore(id, let fields):
                fields.names
            case .count(id, let name, _, _): [name]
            default: [FieldName]()
            }
        }
        return names.allSatisfy(written.contains)
    }

    fileprivate func isDeletedByPending(_ id: ElementID) -> Bool {
        speculation.pending.contains { pending in
            pending.resolution.operations.contains {
                if case .delete(id) = $0 { return true }
                return false
            }
        }
    }
}
