internal import ListModel
package import ListReplica

/// Editors on the elements of a list.
extension OpenList {
    /// Opens an editor on an element, through a view where there is one of that number. Those that
    /// draft share one, be it open or kept from earlier, and look through the view that was named
    /// last; any other is new.
    package func edit(
        _ id: ElementID, _ policy: EditorPolicy = .draft, through view: ViewNumber = .shell
    ) throws(EditorFault) -> OpenEditor {
        guard policy == .draft else {
            let number = try client.perform { core, now throws(EditorFault) in
                try core.accompany(id, policy, through: view, in: name, at: now)
            }
            let editor = OpenEditor(id, policy, number, in: self)
            companions[number] = Weak(editor)
            return editor
        }
        if replica.editors[id] != nil, view != .shell {
            client.perform { core, now in core.look(at: id, through: view, in: name, at: now) }
        }
        if let open = drafting[id]?.object, !open.isClosed { return open }
        if replica.editors[id] == nil {
            _ = try client.perform { core, now throws(EditorFault) in
                try core.edit(id, policy, through: view, in: name, at: now)
            }
        }
        let editor = OpenEditor(id, policy, nil, in: self)
        drafting[id] = Weak(editor)
        return editor
    }

    /// Editors that nobody holds, whose drafts were kept.
    package var keptEditors: [ElementID] {
        _ = state
        return replica.openEditors.map(\.id).filter { drafting[$0]?.object == nil }
    }

    func told(_ event: ListReplica.EditorEvent, of id: ElementID) {
        drafting[id]?.object?.told(event)
    }

    func told(_ event: ListReplica.EditorEvent, _ number: EditorNumber) {
        companions[number]?.object?.told(event)
    }

    /// A commit is done. Another editor may stand on the element by now.
    func committed(_ id: ElementID) {
        if replica.editors[id] == nil { drafting[id]?.object?.saved() }
    }

    /// Nobody holds an editor any more: it is closed, unless there is something to be kept.
    func letGo(_ id: ElementID, _ number: EditorNumber?) {
        if let number {
            companions[number] = nil
            return client.perform { core, now in core.dismiss(number, in: name, at: now) }
        }
        guard drafting[id]?.object == nil else { return }
        drafting[id] = nil
        guard let editor = replica.editors[id], !editor.hasDraft, editor.commit == nil else {
            return
        }
        _ = client.perform { core, now in core.cancel(id, in: name, at: now) }
    }
}
