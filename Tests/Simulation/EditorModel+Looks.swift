internal import ListModel

/// The events of a step, by looking.
extension EditorModel {
    /// What is to be told, in order. A commit that is logged closes its editor, which hears no
    /// more.
    mutating func look(at sight: Sight, ticket: UInt64) -> [Told] {
        var events: [Told] = []
        for editor in watched {
            if let own = sight.own, !own.contains(editor.id) { continue }
            guard sight.list == nil || !editor.isSaved(by: sight) else {
                close(editor.id, at: ticket)
                continue
            }
            var now = editor
            events += now.look(at: sight).map { Told(id: editor.id, event: $0) }
            replace(now)
        }
        remember(at: ticket)
        return events
    }
}

extension EditorModel.Watched {
    typealias Event = EditorModel.Event

    fileprivate func isSaved(by sight: EditorModel.Sight) -> Bool {
        guard sight.own == nil, let commit, commit.mode != .restore else { return false }
        return sight.isLogged(commit.n)
    }

    fileprivate mutating func look(at sight: EditorModel.Sight) -> [Event] {
        guard let list = sight.list else {
            commit = nil
            birth = nil
            return leave(as: .listDeleted, isFinal: true)
        }
        if let birth, sight.own == nil {
            if sight.isLogged(birth) {
                self.birth = nil
                isFinal = false
            } else if sight.denied.contains(birth) || sight.isTaken(id) {
                return leave(as: .rejected, isFinal: true)
            }
        }
        switch list.standing(of: id) {
        case .living(let element):
            // One's own restoring, on its way, waits for its outcome.
            if isFinal || (isGone && commit?.mode == .restore) { return [] }
            let events: [Event] = isGone ? [.returned] : []
            isGone = false
            return events + follow(element.fields, isOwn: sight.own != nil)
                + appear(element.fields, in: sight.lens)
        case .grave(let grave):
            if let grave, policy != .snapshot, !isFinal { shown = grave.last.fields }
            return leave(as: grave == nil ? .missing : .deleted)
        case .unknown:
            let isRejected = birth.map { !sight.isLogged($0) } ?? false
            return leave(as: isRejected ? .rejected : .missing, isFinal: isRejected)
        }
    }

    private mutating func leave(as cause: EditorModel.Cause, isFinal: Bool = false) -> [Event] {
        defer {
            isGone = true
            if isFinal { self.isFinal = true }
        }
        return isGone ? [] : [.vanished(cause)]
    }

    private mutating func appear(_ fields: Fields, in lens: Lens?) -> [Event] {
        guard let was = isInView, let lens else { return [] }
        let now = lens.pins || lens.admits(fields)
        isInView = now
        return was == now ? [] : [now ? .shown : .hidden]
    }

    private mutating func follow(_ fields: Fields, isOwn: Bool) -> [Event] {
        if policy == .snapshot { return [] }
        defer { shown = fields }
        guard !isOwn else {
            for name in touched.names {
                let now = fields[name] ?? .null
                guard now != theirs[name], now != commit?.written[name] else { continue }
                (base[name], theirs[name]) = (now, now)
            }
            return []
        }
        var news = Fields()
        var conflicts: [Event] = []
        for name in Set(fields.names + shown.names + touched.names).sorted() {
            let now = fields[name] ?? .null
            guard let mine = touched[name] else {
                if now != shown[name] ?? .null { news[name] = now }
                continue
            }
            guard now != theirs[name], now != commit?.written[name] else { continue }
            theirs[name] = now
            let base = base[name] ?? .null
            if now == base || now == mine {
                news[name] = now
            } else {
                conflicts.append(.conflict(name, base: base, mine: mine, theirs: now))
            }
        }
        return (news.isEmpty ? [] : [.changed(news)]) + conflicts
    }
}
