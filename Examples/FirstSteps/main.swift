import Samelist

struct Todo: ListElement {
    var id = ElementID.new()
    var title: String
    var isDone = false
}

let server = CommandLine.arguments.dropFirst().first ?? "ws://127.0.0.1:7420"
let client = try await ListClient.connect(to: server, credentials: .name("ana"))
let todos = try await client.open("todos", as: Todo.self, ifMissing: .create)

let cable = try todos.append(Todo(title: "Order cable"))
try await cable.acknowledged()

let editor = try todos.edit(cable.id)
editor.draft.title += " for rack 7"
print("Editing \(cable.id). In another shell: samelist rm todos \(cable.id)")

for await event in editor.events {
    guard case .vanished(let gone) = event else { continue }
    print("\"\(gone.last.title)\": \(gone.sentence).")
    try await editor.saveAsNew(at: .first)
}

for row in todos { print("\(row.isDone == true ? "x" : "-") \(row.title ?? "cannot be read")") }
client.stop()
