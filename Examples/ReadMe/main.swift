import Samelist

struct Todo: ListElement {
    var id = ElementID.new()
    var title: String
    var done = false

    // What stands for fields that other programs left out.
    static var defaults: Todo? { Todo(title: "") }
}

let server = CommandLine.arguments.dropFirst().first ?? "ws://127.0.0.1:7420"
let client = try await ListClient.connect(to: server, credentials: .name("ana"))
let todos = try await client.open("todos", as: Todo.self, ifMissing: .create)

// A live list: what others do shows by itself, what one does oneself shows at once.
let cable = try todos.append(Todo(title: "Order cable"))
try todos.update(cable.id) { $0.done = true }
for row in todos { print(row.done == true ? "[x]" : "[ ]", row.title ?? "unreadable") }

// An editor: it keeps to its element, whatever becomes of the rows.
let editor = try todos.edit(cable.id)
editor.draft.title = "Order 2 cables"
print("Editing it. Now remove it elsewhere: samelist rm todos \(cable.id)")

// The vanish notice: who did it, the last value, and what was typed is kept.
for await event in editor.events {
    guard case .vanished(let vanished) = event else { continue }
    print("\"\(vanished.last.title)\" is gone: \(vanished.sentence).")
    let saved = try await editor.saveAsNew(at: .first)
    print("Saved what was typed as \(saved.id): \(todos[0].title ?? "")")
}
client.stop()
