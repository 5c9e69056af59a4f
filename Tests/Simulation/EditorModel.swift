internal import ListModel
internal import ListReplica

/// What editors must be told, said once more and simply: the difference between what each showed
/// last and what is now. It looks at the visible list after every step, and knows nothing of
/// entries, snapshots or how they came; what its own client did is no news to it.
struct EditorModel {
    struct Watched: Equatable {
        let id: ElementID
        let policy: Editor.Policy
        var shown: Fields
        var isGone = false
        /// Cannot come back.
        var isFinal = false
        var touched = Fields()
        var base = Fields()
        var theirs = Fields()
        var commit: Editor.Commit?
        /// The own insert that made the element, until it is known to be logged.
        var birth: MutationNumber?
        /// Whether the element is among the results of the view; `nil`: not opened through one.
        var isInView: Bool?
    }

    /// An event without what only the log knows.
    enum Event: Equatable {
        case changed(Fields)
        case conflict(FieldName, base: Value, mine: Value, theirs: Value)
        case vanished(Cause)
        case returned
        case hidden
        case shown
    }

    enum Cause: Equatable {
        case deleted, listDeleted, accessLost, rejected, missing
    }

    struct Told: Equatable {
        let id: ElementID
        let event: Event
    }

    /// What a client sees after a step.
    struct Sight {
        /// `nil`: the list is no more.
        let list: ListState?
        let isLogged: (MutationNumber) -> Bool
        /// Own mutations that came to nothing.
        let denied: Set<MutationNumber>
        /// Whether an element in the confirmed list is somebody else's.
        let isTaken: (ElementID) -> Bool
        /// The elements on which the client itself has just worked; `nil`: others did something.
        let own: Set<ElementID>?
        let lens: Lens?
    }

    private(set) var watched: [Watched] = []
    /// All that was ever to be stored of an editor, and the state write that holds it; `nil`: it
    /// has no draft, or is closed.
    private var past: [ElementID: [(ticket: UInt64, editor: Watched?)]] = [:]

    mutating func open(_ editor: Editor, _ birth: MutationNumber?) {
        watched.append(Watched(editor, birth))
    }

    /// Takes an editor as it is, where this model does not say what becomes of it.
    mutating func takeOver(_ editor: Editor) {
        replace(Watched(editor, self[editor.id]?.birth))
    }

    mutating func replace(_ editor: Watched) { change(editor.id) { $0 = editor } }

    mutating func close(_ id: ElementID, at ticket: UInt64) {
        watched.removeAll { $0.id == id }
        if past[id] != nil { past[id]?.append((ticket, nil)) }
    }

    mutating func type(_ changes: Fields, into id: ElementID) {
        change(id) { editor in
            for pair in changes.pairs {
                if editor.touched[pair.name] == nil {
                    editor.base[pair.name] = editor.shown[pair.name] ?? .null
                    editor.theirs[pair.name] = editor.shown[pair.name] ?? .null
                }
                editor.touched[pair.name] = pair.value
                if editor.base[pair.name] == pair.value {
                    editor.touched[pair.name] = nil
                    editor.base[pair.name] = nil
                    editor.theirs[pair.name] = nil
                }
            }
        }
    }

    mutating func commit(_ id: ElementID, _ commit: Editor.Commit) {
        change(id) { $0.commit = commit }
    }

    /// What made the element, or carries the draft, goes on under another number.
    mutating func renumber(_ old: MutationNumber, _ new: MutationNumber) {
        for index in watched.indices {
            if watched[index].birth == old { watched[index].birth = new }
        }
    }

    /// The commit that was this mutation came to nothing.
    mutating func abandon(_ n: MutationNumber) {
        for index in watched.indices where watched[index].commit?.n == n {
            watched[index].commit = nil
        }
    }

    /// Another view: those that were opened through the last one are released.
    mutating func releaseFromView() {
        for index in watched.indices { watched[index].isInView = nil }
    }

    private mutating func change(_ id: ElementID, _ body: (inout Watched) -> Void) {
        guard let index = watched.firstIndex(where: { $0.id == id }) else { return }
        body(&watched[index])
    }

    /// The editors that looking would change.
    func differing(from sight: Sight) -> Set<ElementID> {
        var copy = self
        _ = copy.look(at: sight, ticket: 0)
        return Set(watched.filter { copy[$0.id] != $0 }.map(\.id))
    }

    subscript(id: ElementID) -> Watched? { watched.first { $0.id == id } }

    // What survives the client.

    mutating func remember(at ticket: UInt64) {
        for editor in watched {
            let stored = editor.touched.isEmpty ? nil : editor
            if past[editor.id]?.last?.editor != stored {
                past[editor.id, default: []].append((ticket, stored))
            }
        }
    }

    /// The client starts again, with these editors: each must be what it once was, and no less than
    /// was durable. Answers what is wrong.
    mutating func restart(with editors: [Editor], saved: UInt64) -> String? {
        var faults: [String] = []
        let before = past
        self = EditorModel()
        for editor in editors {
            let states = Self.possible(before[editor.id] ?? [], saved)
            if let known = states.last(where: { $0?.isLike(editor) ?? false }), let known {
                watched.append(known)
                change(editor.id) {
                    $0.commit = editor.commit
                    $0.isInView = nil
                }
            } else {
                faults.append("\(editor.id) came back as what it was not: \(editor)")
            }
        }
        for (id, states) in before where !editors.contains(where: { $0.id == id }) {
            if !Self.possible(states, saved).contains(nil) {
                faults.append("the draft of \(id) was durable, and is lost")
            }
        }
        remember(at: 0)
        return faults.min()
    }

    /// What may be found after a crash: what was durable, or anything later.
    private static func possible(
        _ states: [(ticket: UInt64, editor: Watched?)], _ saved: UInt64
    ) -> [Watched?] {
        guard let durable = states.lastIndex(where: { $0.ticket <= saved }) else {
            return [nil] + states.map(\.editor)
        }
        return states[durable...].map(\.editor)
    }
}

extension EditorModel.Watched {
    init(_ editor: Editor, _ birth: MutationNumber?) {
        self.init(id: editor.id, policy: editor.policy, shown: editor.shown)
        isGone = editor.vanish != nil
        isFinal = editor.isFinal
        touched = editor.touched
        base = editor.base
        theirs = editor.theirs
        commit = editor.commit
        isInView = editor.isInView
        self.birth = birth
    }

    fileprivate func isLike(_ editor: Editor) -> Bool {
        shown == editor.shown && touched == editor.touched && theirs == editor.theirs
            && base == editor.base && isGone == (editor.vanish != nil)
            && isFinal == editor.isFinal && (isFinal || birth == editor.birthNumber)
    }
}

extension Editor {
    fileprivate var birthNumber: MutationNumber? {
        if case .pending(let n) = birth { return n }
        return nil
    }

    fileprivate var isFinal: Bool {
        switch vanish?.cause {
        case .rejected?, .listDeleted?: true
        case .deleted?, .missing?, .accessLost?, nil: false
        }
    }
}

extension EditorModel.Told {
    /// `nil` for what this model does not speak of.
    init?(_ id: ElementID, _ event: EditorEvent) {
        self.id = id
        switch event {
        case .changed(_, let new, _, _): self.event = .changed(new)
        case .conflict(let name, let base, let mine, let theirs, _):
            self.event = .conflict(name, base: base, mine: mine, theirs: theirs)
        case .vanished(let vanish): self.event = .vanished(EditorModel.Cause(vanish.cause))
        case .returned: self.event = .returned
        case .hidden: self.event = .hidden
        case .shown: self.event = .shown
        case .presence: return nil
        }
    }
}

extension EditorModel.Cause {
    fileprivate init(_ cause: Vanish.Cause) {
        switch cause {
        case .deleted: self = .deleted
        case .listDeleted: self = .listDeleted
        case .accessLost: self = .accessLost
        case .rejected: self = .rejected
        case .missing: self = .missing
        }
    }
}
