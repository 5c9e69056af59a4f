package import ListModel

/// Which of the editors that stand beside the first ones of their elements.
package struct EditorNumber: Hashable, Sendable {
    let number: UInt64
}

/// What a companion is told.
package struct CompanionEvent: Sendable {
    package let list: ListName
    package let number: EditorNumber
    package let event: EditorEvent
}

/// Companions: editors beside the one that an element has for the draft. Any number of them may be
/// open on an element, each through a view of its own. They hear what every editor hears, and have
/// no draft, so that nothing of them is kept.
extension Replica {
    /// Opens one on a living element. It follows and writes through, or, as a snapshot, stays.
    func accompany(
        _ id: ElementID, _ policy: Editor.Policy, through view: ViewNumber
    ) throws(EditorFault) -> EditorNumber {
        let editor = try opened(on: id, policy, through: view)
        let number = EditorNumber(number: editor.serial)
        companions[number] = editor
        announceEditing()
        return number
    }

    /// Writes through one that is live.
    func type(
        _ changes: Fields, into number: EditorNumber, at now: Timestamp
    ) throws(EditorFault) -> MutationNumber {
        guard let editor = companions[number] else { throw .notOpen }
        if let vanish = editor.vanish { throw .vanished(vanish) }
        guard editor.policy == .live else { throw .readOnly }
        return submit([Operation(.set(editor.id, changes))], at: now)
    }

    /// Closes one.
    func dismiss(_ number: EditorNumber) {
        guard let editor = companions.removeValue(forKey: number) else { return }
        if editor.isInView != nil { touch([editor.id]) }
        announceEditing()
    }

    /// Tells those on elements that may look different; answers which elements turned, as
    /// `refreshEditors` does.
    func refreshCompanions(
        _ cause: Cause, only touched: Set<ElementID>?, vanish: Vanish?
    ) -> Set<ElementID> {
        var turned: Set<ElementID> = []
        let due = companions.filter { touched?.contains($0.value.id) ?? true }
        for (number, before) in due.sorted(by: { $0.value.serial < $1.value.serial }) {
            var editor = before
            let events = refresh(&editor, cause, vanish)
            companions[number] = editor
            if before.state != editor.state { turned.insert(editor.id) }
            tell(events, to: number)
        }
        return turned
    }

    func tell(_ events: [EditorEvent], to number: EditorNumber) {
        companionEvents += events.map { CompanionEvent(list: name, number: number, event: $0) }
    }

    /// All editors, companions included, in the order in which they were opened.
    var allEditors: [Editor] {
        (Array(editors.values) + companions.values).sorted { $0.serial < $1.serial }
    }

    /// The elements that are under editors which can write, each once.
    var edited: [ElementID] { ids(of: { $0.vanish == nil }) }

    /// The elements under these editors, each once.
    func ids(of isMeant: (Editor) -> Bool) -> [ElementID] {
        var seen: Set<ElementID> = []
        return allEditors.filter { isMeant($0) && seen.insert($0.id).inserted }.map(\.id)
    }
}

extension ClientCore {
    /// Opens an editor without a draft beside whatever is open on the element.
    package func accompany(
        _ id: ElementID, _ policy: Editor.Policy, through view: ViewNumber,
        in name: ListName, at now: Timestamp
    ) throws(EditorFault) -> EditorNumber {
        try onReplica(name, now) { replica throws(EditorFault) in
            try replica.accompany(id, policy, through: view)
        }
    }

    /// Where no editor with a draft is open on the element, nothing happens.
    package func look(
        at id: ElementID, through view: ViewNumber, in name: ListName, at now: Timestamp
    ) {
        _ = with(name, now) { $0.look(at: id, through: view) }
    }

    package func type(
        _ changes: Fields, into number: EditorNumber, in name: ListName, at now: Timestamp
    ) throws(EditorFault) -> MutationNumber {
        try onReplica(name, now) { replica throws(EditorFault) in
            try replica.type(changes, into: number, at: now)
        }
    }

    /// Where there is none, nothing happens.
    package func dismiss(_ number: EditorNumber, in name: ListName, at now: Timestamp) {
        _ = with(name, now) { $0.dismiss(number) }
    }

    /// What companions were told since this was last asked, in order.
    package func takeCompanionEvents() -> [CompanionEvent] {
        defer { companionEvents = [] }
        return companionEvents
    }
}
