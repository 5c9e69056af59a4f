import Samelist

struct Todo: ListElement {
    var id = ElementID.new()
    var title: String
    var isDone = false
}

/// A to-do list as a screen has it: rows to toggle, to edit in place, to move, to delete and to
/// add. It keeps no copy of the list and no row number.
@MainActor
final class TodoScreen {
    let todos: LiveList<Todo>
    /// The rows as they are shown; what is dragged and swiped away means these.
    private var shown: Rows<Todo>
    /// The row that is edited in place; one at a time.
    private(set) var editor: Editor<Todo>?
    /// What the screen has to say, once.
    private(set) var notice: String?

    init(_ todos: LiveList<Todo>) {
        self.todos = todos
        shown = todos.rows
    }

    func draw() -> String {
        shown = todos.rows
        return shown.map { row in
            let mark = row.isDone == true ? "x" : " "
            if let editor, editor.id == row.id { return "[\(mark)] >\(editor.draft.title)<" }
            return "[\(mark)] \(row.title ?? "cannot be read")"
        }.joined(separator: "\n")
    }

    func add(_ title: String) { attempt { try todos.append(Todo(title: title)) } }

    func toggle(_ id: Todo.ID) { attempt { try todos.update(id) { $0.isDone.toggle() } } }

    func move(from source: [Int], to destination: Int) {
        attempt { try shown.move(fromOffsets: source, toOffset: destination) }
    }

    func delete(at offsets: [Int]) { attempt { try shown.remove(atOffsets: offsets) } }

    func beginEditing(_ id: Todo.ID) { attempt { editor = try todos.edit(id) } }

    func type(_ title: String) { editor?.draft.title = title }

    /// Saves the row that is edited. Of one that is gone the text is saved as a new row.
    func endEditing() async {
        guard let editor else { return }
        do {
            try await editor.commit()
        } catch .vanished {
            notice = "\(editor.vanished?.sentence ?? "it is gone"); your text is a new row"
            _ = try? await editor.saveAsNew(at: .last)
        } catch {
            notice = error.sentence
        }
        self.editor = nil
    }

    private func attempt(_ work: () throws -> Void) {
        do { try work() } catch { notice = "\(error)" }
    }
}
