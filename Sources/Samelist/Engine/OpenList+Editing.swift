internal import ListModel
package import ListReplica

/// Editors on the elements of a list.
extension OpenList {
    /// Opens an editor on an element, through a view where there is one of that number. One that
    /// somebody holds is answered again, and one whose draft was kept is taken up.
    package func edit(
        _ id: ElementID, _ policy: EditorPolicy = .draft, through view: ViewNumber = .shell
    ) throws(EditorFault) -> OpenEditor {
        if let open = editors[id]?.object, !open.isClosed {
            guard open.policy == policy else { throw .alreadyOpen }
            return open
        }
        if let kept = replica.editors[id] {
            guard kept.policy == policy else { throw .alreadyOpen }
        } else {
            _ = try client.perform { core, now throws(EditorFault) in
                try core.edit(id, policy, through: view, in: name, at: now)
            }
        }
        let editor = OpenEditor(id, policy, in: self)
        editors[id] = Weak(editor)
        return editor
    }

    /// Editors that nobody holds, whose drafts were kept.
    package var keptEditors: [ElementID] {
        _ = state
        return replica.openEditors.map(\.id).filter { editors[$0]?.object == nil }
    }

    func told(_ event: ListReplica.EditorEvent, of id: ElementID) {
        editors[id]?.object?.told(event)
    }

    /// Its work is done, or it was cancelled.
    func closed(_ id: ElementID) { editors.removeValue(forKey: id)?.object?.closed() }

    /// Nobody holds an editor any more: it is closed, unless there is something to be kept.
    func letGo(_ id: ElementID) {
        guard editors[id]?.object == nil else { return }
        editors[id] = nil
        guard let editor = replica.editors[id], !editor.hasDraft, editor.commit == nil else {
            return
        }
        _ = client.perform { core, now in core.cancel(id, in: name, at: now) }
    }
}
