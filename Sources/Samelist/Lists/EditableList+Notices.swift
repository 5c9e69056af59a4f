internal import ListModel

/// Notices: gathered from what the list and the editor told since the last look.
extension EditableList {
    func gather() {
        // So that who reads the notices is woken by the next one.
        _ = list.lastError
        _ = (opened?.isClosed, opened?.vanished == nil, opened?.conflicts)
        let refusals = list.list.refusals
        for error in refusals.items(from: Swift.max(refusalPlace, refusals.start)) ?? [] {
            tell(.refused(error), error.sentence)
        }
        refusalPlace = refusals.end
        guard let editor = opened else { return }
        let telling = editor.telling
        for event in telling.items(from: Swift.max(editorPlace, telling.start)) ?? [] {
            tell(event, editor)
        }
        editorPlace = telling.end
        if editor.isClosed { opened = nil }
    }

    private func tell(_ event: EditorEvent<Item>, _ editor: Editor<Item>) {
        let what = label(of: editor.draft, editor.id)
        switch event {
        case .vanished(let vanished):
            tell(.vanished(vanished), sentence(of: vanished, editor.id))
        case .returned(let by): tell(.returned(by: by), "\(what) is back.")
        case .conflict(let conflict):
            let who = conflict.by.map { "\($0)" } ?? "Somebody"
            tell(
                .conflict(conflict.field, by: conflict.by),
                "\(who) changed \(conflict.field) of \(what) while you were editing it.")
        case .hidden(let by): tell(.hidden(by: by), "\(what) is no longer among these rows.")
        case .changed, .shown, .presence: break
        }
    }

    private func sentence(of vanished: Vanished<Item>, _ id: Item.ID) -> String {
        let what = label(of: vanished.last, id)
        let kept = vanished.hasDraft ? " Your text is kept." : ""
        switch vanished.cause {
        case .deleted:
            let who = vanished.by.map { "\($0)" } ?? "Somebody"
            return "\(who) removed \(what) while you were editing it.\(kept)"
        case .missing, .rejected:
            return "\(what) can no longer be edited: \(vanished.sentence).\(kept)"
        case .listDeleted, .accessLost:
            // The editor ends with its list; what was typed stands in the notice alone.
            return "\(what) can no longer be edited: \(vanished.sentence)."
        }
    }

    /// What the user meant is not among the rows any more.
    func tellGone(_ id: ElementID) {
        if let error = list.closeReason { return tell(.refused(error), error.sentence) }
        switch list.list.state.standing(of: id) {
        case .living(let element):
            tell(.hidden(by: nil), "\(label(of: element)) is no longer among these rows.")
        case .grave(let grave):
            let who = grave.map { " by \($0.by)" } ?? ""
            let what = "\(grave.map { label(of: $0.last) } ?? "\(id)") was removed\(who)"
            let error = ListError(
                .removed, "\(what); select another row", id: id, by: grave?.by)
            tell(.refused(error), error.sentence)
        case .unknown:
            let error = ListError(.noSuchElement, "\(id) is gone; select another row", id: id)
            tell(.refused(error), error.sentence)
        }
    }

    private func label(of element: ListModel.Element) -> String {
        element.fields[.title]?.text.map { "\"\($0)\"" } ?? "\(element.id)"
    }

    func tell(_ kind: Kind, _ sentence: String) {
        lastNotice += 1
        told.append(Notice(id: lastNotice, kind: kind, sentence: sentence))
    }

    /// What clients call an element by default: its title.
    func label(of element: Item, _ id: Item.ID) -> String {
        let title = (try? ElementCoder.fields(of: element))?[.title]?.text
        return title.map { "\"\($0)\"" } ?? "\(id)"
    }
}
