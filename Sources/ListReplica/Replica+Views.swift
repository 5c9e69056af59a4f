internal import ListModel

/// Which of a list's views.
package struct ViewNumber: Hashable, Sendable {
    let number: UInt64

    /// The only one that the shell's language knows.
    package static let shell = ViewNumber(number: 0)
}

/// Views: any number of them, each kept up to date by what changes.
extension Replica {
    /// The shell's.
    package var view: View? { views[.shell] }

    /// Another filter releases the editors that were opened through the last one.
    package func show(_ view: View?) { show(view, as: .shell) }

    /// Keeps a view up to date from now on; answers by which number it is known.
    package func add(_ view: View) -> ViewNumber {
        lastView += 1
        let number = ViewNumber(number: lastView)
        views[number] = view
        return number
    }

    package func remove(_ number: ViewNumber) { show(nil, as: number) }

    private func show(_ view: View?, as number: ViewNumber) {
        views[number] = view
        for (id, editor) in editors where editor.view == number { editors[id]?.isInView = nil }
        for (key, editor) in companions where editor.view == number {
            companions[key]?.isInView = nil
        }
    }

    /// The elements under editors that were opened through a view.
    func pinned(in number: ViewNumber) -> Set<ElementID> {
        Set(
            allEditors.filter {
                $0.isInView != nil && $0.view == number && $0.vanish == nil
            }.map(\.id))
    }

    /// Whether an editor's element is among the results; a pinned one does not leave them.
    func holds(_ editor: Editor) -> Bool? {
        guard let view = views[editor.view] else { return nil }
        let stays = view.pins && !Faults.has(.pinsForgotten)
        return list[editor.id].map { stays || view.admits($0) } ?? false
    }

    /// Which rows may look different since this was last asked, and on whose account.
    package func takeTouched() -> Touched {
        defer { touchedRows = Touched() }
        return touchedRows
    }
}
