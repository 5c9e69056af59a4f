// A to-do list: toggling, editing in place, moving, deleting and adding, while somebody else does
// the same.
import Samelist
import Stage

let stage = try await Stage<Todo>("todos", with: [])
let screen = TodoScreen(stage.ana)

@MainActor
func show(_ what: String) async {
    await stage.bothAgree()
    print("\(what)\n\(screen.draw())\n")
}

for title in ["Page on-call", "Fail over db-1", "Order cable"] { screen.add(title) }
await show("added three")
let cable = stage.ana[2].id

screen.toggle(cable)
screen.move(from: [2], to: 0)
await show("toggled the last and moved it to the top")

screen.beginEditing(cable)
screen.type("Order 2 cables")
try await stage.bo.move(cable, to: .last).acknowledged()
try await stage.bo.update(stage.bo[0].id) { $0.title = "Page the manager" }.acknowledged()
await show("bo moved the row under the editor and renamed another")
await screen.endEditing()
await show("saved")

screen.beginEditing(cable)
screen.type("Order 3 cables")
try await stage.bo.remove(cable).acknowledged()
await show("bo deleted the row under the editor")
await screen.endEditing()
await show("saved as a new row. \(screen.takeNotices())")

screen.delete(at: [0, 2])
await show("deleted the first and the last")
try stage.ana.undo()
await show("undone")
stage.end()
