import Samelist

struct Todo: ListElement {
    var id = ElementID.new()
    var title: String
    var isDone = false
}

/// A to-do list as a screen has it: rows to toggle, to edit in place, to move, to delete and to
/// add. `EditableList` is its model; what is left is how it looks, and what its gestures are.
@MainActor
final class TodoScreen {
    let model: EditableList<Todo>
    /// The rows as they are shown; what is dragged and swiped away means these.
    private var shown: Rows<Todo>

    init(_ todos: LiveList<Todo>) {
        model = EditableList(todos)
        shown = model.rows
    }

    func draw() -> String {
        shown = model.rows
        return shown.map { row in
            let mark = row.isDone == true ? "x" : " "
            if let editor = model.editor, editor.id == row.id {
                return "[\(mark)] >\(editor.draft.title)<"
            }
            return "[\(mark)] \(row.title ?? "cannot be read")"
        }.joined(separator: "\n")
    }

    /// What the user has to be told, once.
    func takeNotices() -> String {
        let notices = model.notices
        for notice in notices { model.dismiss(notice.id) }
        return notices.map(\.sentence).joined(separator: " ")
    }

    func add(_ title: String) {
        model.select(nil)
        model.add(Todo(title: title))
    }

    func toggle(_ id: Todo.ID) {
        model.select(id)
        model.change { $0.isDone.toggle() }
    }

    func move(from source: [Int], to destination: Int) {
        model.move(fromOffsets: source, toOffset: destination, of: shown)
    }

    func delete(at offsets: [Int]) { model.remove(atOffsets: offsets, of: shown) }

    func beginEditing(_ id: Todo.ID) {
        model.select(id)
        model.edit()
    }

    func type(_ title: String) { model.editor?.draft.title = title }

    /// Saves the row that is edited. Of one that is gone the text is saved as a new row.
    func endEditing() async {
        await model.commit()
        if model.editor?.vanished != nil { await model.saveAsNew() }
    }
}
