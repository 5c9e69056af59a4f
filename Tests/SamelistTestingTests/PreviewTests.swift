import Samelist
import SamelistTesting
import Testing

/// A list for previews is whole: no server, and nothing to wait for.
@MainActor
struct PreviewTests {
    private struct Todo: ListElement {
        var id: Int
        var title: String
    }

    private let todos = LiveList.preview([Todo(id: 1, title: "Milk"), Todo(id: 2, title: "Tea")])

    private var titles: [String] { todos.map { $0.title ?? "?" } }

    @Test func `it has its elements at once, in order, and they are not one's own work`() {
        #expect(titles == ["Milk", "Tea"])
        #expect(todos.pendingCount == 0)
        #expect(!todos.canUndo)
        #expect(todos.connection == .online)
    }

    @Test func `what is done to it is confirmed when the verb returns`() async throws {
        let submission = try todos.append(Todo(id: 3, title: "Oats"))
        #expect(!submission.isPending && todos.pendingCount == 0)
        try todos.update(1) { $0.title = "Oat milk" }
        try todos.rows.move(fromOffsets: [2], toOffset: 0)
        #expect(titles == ["Oats", "Oat milk", "Tea"])
        try todos.remove(2)
        try todos.undo()
        #expect(titles == ["Oats", "Oat milk", "Tea"] && todos.pendingCount == 0)
        #expect(try await submission.acknowledged() != nil)
    }

    @Test func `it refuses what a server would refuse`() throws {
        #expect(throws: ListError.self) { try todos.append(Todo(id: 1, title: "Again")) }
        try todos.remove(1)
        #expect(throws: ListError.self) { try todos.update(1) { $0.title = "Gone" } }
    }

    @Test func `each preview is a list of its own`() throws {
        let other = LiveList.preview([Todo(id: 1, title: "Milk")])
        try other.remove(1)
        #expect(other.isEmpty && todos.count == 2)
    }
}
