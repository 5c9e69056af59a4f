internal import ListModel
internal import ListProtocol

/// Fates and history.
extension Authority {
    /// What became of elements, as far as it is durable. Cheap unless work on one of them waits for
    /// the log.
    func fates(of ids: [ElementID], in list: HostedList) -> [Fate] {
        let settled = ids.compactMap { settledFate(of: $0, in: list) }
        if settled.count == ids.count { return settled }
        return withConfirmed(list) { state in ids.map { Self.fate(of: $0, in: state) } }
    }

    private static func fate(of id: ElementID, in state: ListState) -> Fate {
        switch state.standing(of: id) {
        case .living: .alive(id)
        case .grave where Faults.has(.fateForgottenEarly): .unknown(id)
        case .grave(.some(let grave)): .deleted(grave)
        case .grave(nil), .unknown: .unknown(id)
        }
    }

    /// `nil` where pending work may have made it so.
    private func settledFate(of id: ElementID, in list: HostedList) -> Fate? {
        let fate = Self.fate(of: id, in: list.speculation.list)
        if list.speculation.pending.isEmpty { return fate }
        switch fate {
        case .alive:
            let version = list.speculation.list[id]?.version ?? .zero
            return version <= list.durable ? fate : nil
        case .deleted(let grave): return grave.version <= list.durable ? fate : nil
        case .unknown: return nil
        }
    }

    func answerFates(
        _ request: RequestID, _ ids: [ElementID], _ list: HostedList, _ id: ConnectionID
    ) {
        guard ids.count <= limits.editing else {
            let refusal = Refusal(.tooMany, "at most \(limits.editing) fates are told at once")
            return send(.error(request, list.name, refusal), to: id)
        }
        let fates = fates(of: ids, in: list)
        send(.fates(request, list.name, fates), to: id)
    }

    func answerHistory(
        _ name: ListName, _ id: ConnectionID, _ request: RequestID,
        _ result: Result<[Entry], Refusal>
    ) {
        switch result {
        case .success(let entries): send(.history(request, name, entries), to: id)
        case .failure(let refusal): send(.error(request, name, refusal), to: id)
        }
    }
}
