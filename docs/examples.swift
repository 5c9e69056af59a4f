// What the examples of the documentation take for granted: `tools/docs check` puts this in front
// of each. A declaration of an example takes the place of one here.
import Foundation
import Samelist
import SamelistTesting

struct Todo: ListElement {
    var id = ElementID.new()
    var title: String
    var isDone = false
    var done = false
    var owner: String? = nil
}

@MainActor
struct TextField {
    init(text: Binding<String>) {}
}

func show(_ text: String) {}

// Examples.
@MainActor
func example(
    client: ListClient, todos: LiveList<Todo>, id: ElementID, editor: Editor<Todo>,
    server: InMemoryServer
) async throws {
