// Filtered labels. The filter, "included only", reversing and renaming never make an edit touch the
// wrong label; one that leaves the results keeps its edit; one that is gone refuses it.
import Samelist
import Stage

let stage = try await Stage(
    "labels", with: ["apple", "banana", "cherry", "apricot"].map { Label(name: $0) })
let screen = LabelScreen(stage.ana)

@MainActor
func show(_ what: String) async {
    await stage.bothAgree()
    print("\(what): \(screen.text)")
}

await show("as in the list")
screen.filter = "ap"
await show("with \"ap\"")
screen.isReversed = true
await show("reversed")

let editor = try screen.edit(0)
print("editing row 0, \(editor.draft.name)")
screen.isReversed = false
await show("reversed again")
editor.draft.name = "Apricot jam"
screen.filter = "an"
await show("with \"an\"")
print("the edit is kept: \(editor.draft.name), \(await screen.save(editor))")
screen.filter = ""
await show("all")

let banana = try screen.edit(screen.shown.firstIndex { $0.name == "banana" } ?? 0)
screen.includedOnly = true
try await stage.bo.update(banana.id) { $0.isIncluded = false }.acknowledged()
await show("bo excluded banana, included only")
banana.draft.name = "Banana"
print("an element that left the results keeps its edit: \(await screen.save(banana))")
screen.includedOnly = false
await show("all")

let cherry = try screen.edit(screen.shown.firstIndex { $0.name == "cherry" } ?? 0)
cherry.draft.name = "Sour cherry"
try await stage.bo.remove(cherry.id).acknowledged()
await show("bo removed cherry")
print(await screen.save(cherry))
await show("in the end")
stage.end()
