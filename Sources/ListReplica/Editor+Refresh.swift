internal import ListModel

/// The element under an editor as it is now.
enum Look {
    case living(Element)
    /// `last` is what its grave holds, where that is known.
    case gone(Vanish, last: Fields?)
}

/// Why the list under the editors changed.
enum Cause {
    /// This client's own doing.
    case own
    /// Entries or a snapshot from the server. `by` says to whom it is due that own work on an
    /// element came to nothing.
    case remote(by: [ElementID: UserName], Authors = Authors())
}

extension Editor {
    /// Compares what is with what was last shown, and tells the difference: never more than that,
    /// whatever came between (laws 1, 2, 4 and 5 of the design).
    mutating func refresh(
        _ look: Look, _ cause: Cause, isInView now: Bool?, keptFor: UserName? = nil
    ) -> [EditorEvent] {
        noteWriters(cause)
        defer { noteRestorer(cause) }
        switch (state, look) {
        case (.open, .gone(let vanish, let last)):
            depart(as: vanish, last)
            return [.vanished(vanish)]
        case (.vanished(let vanish), .gone(let other, let last)):
            if Faults.has(.vanishToldTwice) { return [.vanished(other)] }
            // Better known by now, not vanished again: deleted, or never to be this editor's again.
            guard vanish.canReturn else { return [] }
            switch other.cause {
            case .rejected where Faults.has(.refusedInsertReturns): break
            case .deleted, .rejected, .listDeleted: depart(as: other, last)
            case .missing, .accessLost: break
            }
            return []
        case (.vanished(let vanish), .living(let element)):
            // While one's own restoring is on its way the editor waits for its outcome, which
            // closes it.
            guard vanish.canReturn, commit?.mode != .restore else { return [] }
            state = .open
            // Who gave the right back is not known; it need not be who wrote last.
            let by = vanish.cause == .accessLost ? nil : restorer(element, cause, keptFor)
            return [.returned(by: by)] + follow(element, cause, isInView: now)
        case (.open, .living(let element)):
            return follow(element, cause, isInView: now)
        }
    }

    /// What a vanished editor shows is the element's last value, be it newer than the last one
    /// told.
    private mutating func depart(as vanish: Vanish, _ last: Fields?) {
        state = .vanished(vanish)
        if let last, policy != .snapshot { shown = last }
    }

    private mutating func follow(_ element: Element, _ cause: Cause, isInView now: Bool?)
        -> [EditorEvent]
    {
        var events: [EditorEvent] = []
        if policy != .snapshot, shown != element.fields || isTouchedChanged(element) {
            events = policy == .draft ? followDraft(element, cause) : followLive(element, cause)
        }
        if let was = isInView, let now, was != now, !Faults.has(.hiddenNotTold) {
            isInView = now
            let by = mover(element, cause)
            events.append(now ? .shown(by: by) : .hidden(by: by))
        }
        return events
    }

    private func isTouchedChanged(_ element: Element) -> Bool {
        touched.pairs.contains { (element.fields[$0.name] ?? .null) != theirs[$0.name] }
    }

    private mutating func followLive(_ element: Element, _ cause: Cause) -> [EditorEvent] {
        let changes = shown.changes(to: element.fields)
        let old = shown.values(of: changes.names)
        shown = element.fields
        if case .own = cause, !Faults.has(.ownWriteIsNews) { return [] }
        guard !changes.isEmpty else { return [] }
        return [
            .changed(
                old: old, new: changes, by: writer(of: changes.names, element, cause),
                version: element.version)
        ]
    }

    private mutating func followDraft(_ element: Element, _ cause: Cause) -> [EditorEvent] {
        let changes = shown.changes(to: element.fields)
        let old = shown
        shown = element.fields
        guard case .remote = cause else {
            // One's own write under the draft moves what the draft is compared with; what a commit
            // writes does not, since it may come to nothing.
            for pair in touched.pairs {
                let now = element.fields[pair.name] ?? .null
                guard now != theirs[pair.name], now != commit?.written[pair.name] else { continue }
                base[pair.name] = now
                theirs[pair.name] = now
            }
            return []
        }
        var flowing = changes
        var conflicts: [EditorEvent] = []
        for pair in touched.pairs {
            flowing[pair.name] = nil
            let now = element.fields[pair.name] ?? .null
            let mine = pair.value
            // While a commit is on its way, its own value is no news.
            guard now != theirs[pair.name], now != commit?.written[pair.name] else { continue }
            theirs[pair.name] = now
            let writer = writer(of: [pair.name], element, cause)
            let base = base[pair.name] ?? .null
            if now == base || now == mine {
                flowing[pair.name] = now
            } else {
                conflicts.append(
                    .conflict(pair.name, base: base, mine: mine, theirs: now, by: writer))
            }
        }
        guard !flowing.isEmpty else { return conflicts }
        let changed = EditorEvent.changed(
            old: old.values(of: flowing.names), new: flowing,
            by: writer(of: flowing.names, element, cause), version: element.version)
        return [changed] + conflicts
    }

    private mutating func noteWriters(_ cause: Cause) {
        guard case .remote(_, let authors) = cause else { return }
        if authors.isWhole { restorer = nil }
        if authors.isOfOtherLog { writers = [:] }
        guard policy != .snapshot else { return }
        for (name, writer) in authors.writers(of: id) { writers[name] = writer }
    }

    /// Who wrote one of these fields last. `nil`: nobody did since the editor was opened, own work
    /// came to nothing.
    private func writer(of names: [FieldName], _ element: Element, _ cause: Cause) -> UserName? {
        guard case .remote(_, let authors) = cause, !Faults.has(.changeNamesTheRow) else {
            return element.by
        }
        return authors.writer(of: names, of: id) ?? names.compactMap { writers[$0] }.first
    }

    /// An element that is open has nobody to be brought back by.
    private mutating func noteRestorer(_ cause: Cause) {
        guard vanish != nil else {
            restorer = nil
            rowRestorer = nil
            return
        }
        guard case .remote(_, let authors) = cause else { return }
        if authors.isWhole { rowRestorer = commit?.mode == .restore ? authors.living[id] : nil }
        guard authors.hasTurned(id) else { return }
        restorer = authors.restorer(of: id)
        rowRestorer = nil
    }

    /// Who brought it back: by an entry, by being the reason why own work came to nothing, or as
    /// far as a snapshot knows. `nil`: nobody, own work came to nothing by itself.
    private func restorer(
        _ element: Element, _ cause: Cause, _ keptFor: UserName?
    ) -> UserName? {
        guard case .remote(let by, let authors) = cause else { return element.by }
        return authors.restorer(of: id) ?? restorer ?? keptFor ?? rowRestorer ?? by[id]
            ?? authors.living[id]
    }

    /// Who moved it into the view or out of it.
    private func mover(_ element: Element, _ cause: Cause) -> UserName? {
        guard case .remote(_, let authors) = cause else { return element.by }
        return authors.writer(of: id) ?? restorer(element, cause, nil) ?? authors.graves[id]
    }
}

extension Vanish {
    /// What was never there, or belonged to a list that is no more, does not come back.
    var canReturn: Bool {
        switch cause {
        case .deleted, .missing, .accessLost: true
        case .listDeleted, .rejected: false
        }
    }
}
