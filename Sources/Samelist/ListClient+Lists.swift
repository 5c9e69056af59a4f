package import ListModel
internal import ListProtocol
internal import ListReplica

/// Opening lists.
extension ListClient {
    /// Opens a list: it is answered once it is as the server has it, or, where the server does not
    /// answer within a few seconds, from the local copy.
    package func open(_ name: String, create: Bool = false) async throws(ListError) -> OpenList {
        let wasOpen = ListName(name).flatMap { lists[$0] }.map { $0.end == nil } ?? false
        let list = try beginOpening(name, create: create)
        do throws(ListError) {
            try await list.untilOpen()
        } catch {
            if !wasOpen { close(list.name) }
            throw error
        }
        return list
    }

    /// Opens a list without waiting for it; one that is open already is answered again.
    package func beginOpening(_ name: String, create: Bool) throws(ListError) -> OpenList {
        let name = try Self.checked(name)
        if isStopped { throw ListError(Self.stopped) }
        if let list = lists[name], list.end == nil { return list }
        do throws(Refusal) {
            try perform { core, now throws(Refusal) in
                try core.open(name, create: create, stored: takeKept(of: name), at: now)
            }
        } catch {
            throw ListError(error)
        }
        guard let replica = core.replicas[name] else {
            throw ListError(.closed, "this client is closed; connect anew")
        }
        let list = OpenList(replica, of: self)
        lists[name] = list
        return list
    }

    static func checked(_ name: String) throws(ListError) -> ListName {
        if let name = ListName(name) { return name }
        throw ListError(
            .badName,
            "\"\(name)\" names no list; take 1-64 of a-z 0-9 . _ -, a letter or digit first")
    }

    /// Closes a list. Its pending work and its drafts are kept and taken up when it is opened
    /// again. Of a list that is not open, nothing happens.
    public func close(_ name: String) { ListName(name).map { close($0) } }

    package func close(_ name: ListName) {
        let sentence = "the list \(name) was closed; its work goes on when it is opened again"
        close(name, with: Refusal(.notOpen, sentence))
    }

    func close(_ name: ListName, with refusal: Refusal) {
        lists.removeValue(forKey: name)?.ended(with: refusal)
        perform { core, now in core.close(name, at: now) }
    }

    /// Cuts the client off from the server until `goOnline`.
    public func goOffline() {
        if !isStopped { perform { core, now in core.goOffline(at: now) } }
    }

    /// Connects again, and stays connected. Of one that was stopped, nothing happens.
    public func goOnline() {
        if !isStopped { perform { core, now in core.goOnline(at: now) } }
    }

    /// Tells open lists what concerns them.
    func route(_ news: News) {
        switch news {
        case .caughtUp(let name), .changed(let name), .presence(let name): lists[name]?.refresh()
        case .failed(let name, let refusal): lists[name]?.failed(with: refusal)
        case .closed(let name, let gone):
            lists[name]?.ended(with: Refusal(gone.code, gone.sentence(of: name)))
        case .logReplaced(let name, let replacement): lists[name]?.replaced(replacement)
        case .editor(let name, let id, let event): lists[name]?.told(event, of: id)
        case .outcome(let name, let n, let report):
            lists[name]?.decided(n, report.answer.outcome, ofEditor: report.editor != nil)
        case .committed(let name, let id, _, _): lists[name]?.committed(id)
        case .link:
            linkChanges += 1
            if core.link.isOnline { trouble = nil }
            wake()
        case .answer(let request, let reply): asked.removeValue(forKey: request)?.answered(reply)
        case .saved, .stateFailed, .entries: break
        }
    }
}

extension ServerMessage.Gone {
    fileprivate func sentence(of list: ListName) -> String {
        switch code {
        case .accessLost: "the right to read the list \(list) was taken away"
        default: "the list \(list) was deleted by \(by?.text ?? "somebody")"
        }
    }
}
