import Testing

@testable import Samelist

/// Values that stand elsewhere.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct BindingTests {
    private let room = Room()

    @MainActor
    private struct TodoRow {
        @Binding var todo: Todo

        var title: Binding<String> { $todo.title }

        func tick() { todo.done = true }
    }

    @Test func `a binding keeps to its element, wherever that stands (VA4)`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        try ana.append(contentsOf: "abc".map { Todo(title: "\($0)") })
        let id = try #require(ana[1].element?.id)
        let row = TodoRow(todo: try ana.binding(for: id))
        try ana.rows.remove(atOffsets: [0])
        row.title.wrappedValue = "B"
        row.tick()
        #expect(ana.map(\.title) == ["B", "c"] && ana.map(\.done) == [true, false])
        try ana.rows.move(fromOffsets: [0], toOffset: 2)
        row.title.wrappedValue += "!"
        #expect(ana.map(\.title) == ["c", "B!"])
    }

    @Test
    func `once its element is gone it reads as it was last, and a write is refused (VA1, VA2)`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        try await ana.append(contentsOf: "abc".map { Todo(title: "\($0)") }).acknowledged()
        let id = try #require(ana[2].element?.id)
        var refused: [ListError] = []
        let title = try ana.binding(for: id).onRefusal { refused.append($0) }.title
        #expect(title.wrappedValue == "c")
        await until { bob.count == 3 }
        try bob.update(id) { $0.title = "last" }
        try await bob.remove(id).acknowledged()
        await until { ana.count == 2 }
        #expect(title.wrappedValue == "last", "not what it happened to read last")
        title.wrappedValue = "typed on"
        #expect(title.wrappedValue == "last" && ana.map(\.title) == ["a", "b"])
        #expect(refused.map(\.code) == [.removed] && refused.first?.by?.text == "bob")
        #expect(ana.lastError == refused.first)
        #expect { try ana.binding(for: id) } throws: { ($0 as? ListError)?.code == .removed }
    }

    @Test func `constants take no writes, mocks keep them`() {
        let constant = Binding.constant(Todo(title: "a"))
        constant.title.wrappedValue = "b"
        #expect(constant.wrappedValue.title == "a")
        let mock = Binding.mock(Todo(title: "a"))
        mock.title.wrappedValue = "b"
        #expect(mock.wrappedValue.title == "b")
        let row = TodoRow(todo: mock)
        row.tick()
        #expect(mock.wrappedValue.done)
    }
}
