internal import ListModel
internal import ListProtocol

/// A connection's question which lists there are, while those are counted that are not in memory:
/// one after the other, so that none but the one being read takes memory.
struct Survey {
    let request: RequestID
    /// When it is answered with what is known by then.
    let until: Timestamp
    /// Lists that are not counted yet, the next one last.
    var left: [ListName]
    /// The one that is being read.
    var reading: ListName?

    /// How long counting may take, in milliseconds; the next question goes on from there.
    static let patience: Int64 = 2_000
}

extension Authority {
    /// A second question of a connection that waits for its first is answered with what is known.
    func askLists(_ request: RequestID, _ id: ConnectionID, _ now: Timestamp) {
        guard surveys[id] == nil else { return answerLists(request, id) }
        let left = lists.keys.filter { isUncounted($0) && mayRead($0, id) }.sorted { $0 > $1 }
        surveys[id] = Survey(
            request: request, until: now.adding(milliseconds: Survey.patience), left: left)
        proceed(id, now)
    }

    private func isUncounted(_ name: ListName) -> Bool {
        switch lists[name] {
        case .stored: counted[name] == nil
        case .coming(_, .loading, _): true
        case .coming, .hosted, .unreadable, nil: false
        }
    }

    /// Has the next list read, or answers.
    private func proceed(_ id: ConnectionID, _ now: Timestamp) {
        guard var survey = surveys[id] else { return }
        while now < survey.until, let name = survey.left.popLast() {
            guard isUncounted(name) else { continue }
            if case .stored(let epoch) = lists[name] {
                lists[name] = .coming(epoch, .loading, [])
                work.append(.load(name))
            }
            survey.reading = name
            surveys[id] = survey
            return
        }
        surveys[id] = nil
        answerLists(survey.request, id)
    }

    /// A list was read, or could not be.
    func surveyed(_ name: ListName, _ now: Timestamp) {
        for (id, survey) in surveys where survey.reading == name { proceed(id, now) }
    }

    /// Surveys that have taken too long.
    func endSurveys(_ now: Timestamp) {
        for (id, survey) in surveys where now >= survey.until { proceed(id, now) }
    }

    private func answerLists(_ request: RequestID, _ id: ConnectionID) {
        let summaries = lists.compactMap { name, place -> ListSummary? in
            guard mayRead(name, id) else { return nil }
            // A list that is not durable yet, is not there yet.
            if case .coming(_, .creating, _) = place { return nil }
            guard case .hosted(let list) = place else {
                return counted[name]
                    ?? ListSummary(name: name, title: "", version: nil, count: nil, open: 0)
            }
            return summary(of: list)
        }
        send(.lists(request, summaries.sorted { $0.name < $1.name }), to: id)
    }

    func summary(of list: HostedList) -> ListSummary {
        withConfirmed(list) { state in
            ListSummary(
                name: list.name, title: state.title, version: list.durable, count: state.count,
                open: list.subscriptions.count)
        }
    }
}
