internal import ListModel
internal import ListProtocol

/// Fates and history.
extension Authority {
    /// What became of an element, as far as it is durable.
    func fate(of id: ElementID, in list: HostedList) -> Fate {
        switch list.speculation.list.standing(of: id) {
        case .living: .alive(id)
        case .grave(.some(let grave)) where grave.version <= list.durable: .deleted(grave)
        case .grave(.some): .alive(id)
        case .grave(nil), .unknown: .unknown(id)
        }
    }

    func answerFates(
        _ request: RequestID, _ ids: [ElementID], _ list: HostedList, _ id: ConnectionID
    ) {
        guard ids.count <= limits.editing else {
            let refusal = Refusal(.tooMany, "at most \(limits.editing) fates are told at once")
            return send(.error(request, list.name, refusal), to: id)
        }
        let fates = ids.map { fate(of: $0, in: list) }
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
