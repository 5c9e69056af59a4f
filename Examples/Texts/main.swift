// Editable texts with equal contents. Rows are told apart by ID, so that any of them can be deleted
// and no other one changes, nor does what is typed into one row appear in another.
import Samelist
import Stage

struct Line: ListElement {
    var id = ElementID.new()
    var text: String
}

/// What a row of the screen is: a text field on a binding.
@MainActor
struct TextRow {
    @Binding var line: Line

    func type(_ text: String) { line.text += text }
}

let stage = try await Stage("texts", with: (1...4).map { _ in Line(text: "same") })
let lines = stage.ana
let rows = try lines.map { TextRow(line: try lines.binding(for: $0.id)) }

@MainActor
func show(_ what: String) {
    print("\(what): \(lines.map { $0.text ?? "?" }.joined(separator: ", "))")
}

show("four rows")
rows[2].type(", but third")
show("typed into the third")
try await stage.bo.remove(stage.bo[0].id).acknowledged()
await stage.bothAgree()
show("bo deleted the first")
rows[2].type(" still")
rows[3].type(", and fourth")
show("typed into the third and the fourth")
let second = lines[0].id
try lines.rows.remove(atOffsets: [0])
show("deleted the one at the top, the second")
rows[1].type(" lost?")
let refusal = lines.lastError?.sentence.replacing(second.text, with: "the second")
print("typed into the second: \(refusal ?? "taken")")
show("nothing else changed")
try lines.rows.remove(atOffsets: [lines.count - 1])
show("deleted the last")
try lines.rows.remove(atOffsets: [0])
show("deleted the only one")
await stage.bothAgree()
print("bo sees \(stage.bo.count) rows")
stage.end()
