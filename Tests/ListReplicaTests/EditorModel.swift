import ListModel

@testable import ListReplica

/// What editors must be told, said once more and simply: the difference between what each showed
/// last and what is now. It looks at the visible list only, after every step, and knows nothing of
/// entries, snapshots, outcomes or pending work.
///
/// Editors of elements on which their own client worked are left out: there the difference alone
/// does not say what is news.
struct EditorModel {
    struct Watched: Equatable {
        let policy: Editor.Policy
        var shown: Fields
        var isGone = false
        /// Cannot come back.
        var isFinal = false
        var touched = Fields()
        var base = Fields()
        var theirs = Fields()
    }

    /// An event without what only the log knows.
    enum Event: Equatable {
        case changed(Fields)
        case conflict(FieldName, base: Value, mine: Value, theirs: Value)
        case vanished(Vanish.Cause)
        case returned
    }

    private(set) var watched: [(id: ElementID, editor: Watched)] = []
    /// All that each editor ever was: to one of these it may be set back by a crash.
    private var past: [ElementID: [Watched]] = [:]

    mutating func open(_ id: ElementID, _ policy: Editor.Policy, _ fields: Fields) {
        watched.append((id, Watched(policy: policy, shown: fields)))
        remember()
    }

    private mutating func remember() {
        for (id, editor) in watched where past[id]?.last != editor {
            past[id, default: []].append(editor)
        }
    }

    /// The model after a crash, going on from what these editors are now; what none of them ever
    /// was is answered as a fault.
    func revived(by editors: [Editor]) -> (EditorModel, faults: [String]) {
        var model = EditorModel()
        var faults: [String] = []
        for editor in editors where isWatching(editor.id) {
            let known = past[editor.id]?.last {
                $0.shown == editor.shown && $0.touched == editor.touched
                    && $0.theirs == editor.theirs && $0.isGone == (editor.vanish != nil)
            }
            if let known {
                model.watched.append((editor.id, known))
            } else {
                faults.append("\(editor.id) came back as what it never was: \(editor)")
            }
        }
        model.remember()
        return (model, faults)
    }

    mutating func type(_ changes: Fields, into id: ElementID) {
        guard let index = watched.firstIndex(where: { $0.id == id }) else { return }
        for pair in changes.pairs {
            if watched[index].editor.touched[pair.name] == nil {
                let now = watched[index].editor.shown[pair.name] ?? .null
                watched[index].editor.base[pair.name] = now
                watched[index].editor.theirs[pair.name] = now
            }
            watched[index].editor.touched[pair.name] = pair.value
        }
        remember()
    }

    mutating func forget(_ id: ElementID) {
        watched.removeAll { $0.id == id }
        past[id] = nil
    }

    func isWatching(_ id: ElementID) -> Bool { watched.contains { $0.id == id } }

    /// What is to be told, in order, now that the list is this; `nil` as list: it is no more.
    mutating func look(at list: ListState?) -> [(ElementID, Event)] {
        var events: [(ElementID, Event)] = []
        for index in watched.indices {
            let id = watched[index].id
            events += look(at: list, id, &watched[index].editor).map { (id, $0) }
        }
        remember()
        return events
    }

    private func look(at list: ListState?, _ id: ElementID, _ editor: inout Watched) -> [Event] {
        guard let list else {
            defer { (editor.isGone, editor.isFinal) = (true, true) }
            return editor.isGone ? [] : [.vanished(.listDeleted)]
        }
        switch list.standing(of: id) {
        case .living(let element):
            if editor.isFinal { return [] }
            let events: [Event] = editor.isGone ? [.returned] : []
            editor.isGone = false
            return events + follow(element.fields, &editor)
        case .grave(let grave):
            if let grave, editor.policy != .snapshot { editor.shown = grave.last.fields }
            defer { editor.isGone = true }
            return editor.isGone ? [] : [.vanished(grave == nil ? .missing : .deleted)]
        case .unknown:
            defer { editor.isGone = true }
            return editor.isGone ? [] : [.vanished(.missing)]
        }
    }

    private func follow(_ fields: Fields, _ editor: inout Watched) -> [Event] {
        if editor.policy == .snapshot { return [] }
        var news = Fields()
        var conflicts: [Event] = []
        let names = Set(fields.names + editor.shown.names + editor.touched.names).sorted()
        for name in names {
            let now = fields[name] ?? .null
            guard let mine = editor.touched[name] else {
                if now != editor.shown[name] ?? .null { news[name] = now }
                continue
            }
            guard now != editor.theirs[name] else { continue }
            editor.theirs[name] = now
            let base = editor.base[name] ?? .null
            if now == base || now == mine {
                news[name] = now
            } else {
                conflicts.append(.conflict(name, base: base, mine: mine, theirs: now))
            }
        }
        editor.shown = fields
        return (news.isEmpty ? [] : [.changed(news)]) + conflicts
    }
}

extension EditorModel.Event {
    /// `nil` for what this model does not speak of.
    init?(_ event: EditorEvent) {
        switch event {
        case .changed(_, let new, _, _): self = .changed(new)
        case .conflict(let name, let base, let mine, let theirs, _):
            self = .conflict(name, base: base, mine: mine, theirs: theirs)
        case .vanished(let vanish): self = .vanished(vanish.cause)
        case .returned: self = .returned
        case .hidden, .shown, .presence: return nil
        }
    }
}
