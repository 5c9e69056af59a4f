// One row, previewed with a constant, with a value of its own, and with a list that needs no
// server; then as it runs.
import Samelist
import SamelistTesting
import Stage

struct Todo: ListElement {
    var id = ElementID.new()
    var title: String
    var isDone = false
}

/// The row of a to-do list. It does not know where its value stands.
@MainActor
struct TodoRow {
    @Binding var todo: Todo

    func toggle() { todo.isDone.toggle() }

    var text: String { "[\(todo.isDone ? "x" : " ")] \(todo.title)" }
}

@MainActor
func play(_ how: String, _ row: TodoRow) {
    let before = row.text
    row.toggle()
    print("\(how): \(before) -> \(row.text)")
}

let todo = Todo(title: "Order cable")

play("constant", TodoRow(todo: .constant(todo)))
play("mock", TodoRow(todo: .mock(todo)))

let preview = LiveList.preview([todo, Todo(title: "Page on-call")])
play("stateful", TodoRow(todo: try preview.binding(for: todo.id)))
print("the list of the preview: \(preview.filter { $0.isDone == true }.count) of \(preview.count)")

let stage = try await Stage("row", with: [todo])
play("live", TodoRow(todo: try stage.ana.binding(for: todo.id)))
await stage.bothAgree()
print("bo sees it, too: \(stage.bo[id: todo.id]?.isDone == true)")
stage.end()
