import Samelist
import SamelistTesting
import Testing

/// Typed lists on the stand-in, as those use it who test their own screens; the first test is the
/// one of the documentation.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ScreenTests {
    private struct Todo: ListElement {
        var id = ElementID.new()
        var title: String
    }

    private let server = InMemoryServer()

    private func two() async throws -> (LiveList<Todo>, LiveList<Todo>) {
        let ana = try await server.client("ana").open("todos", as: Todo.self, ifMissing: .create)
        return (ana, try await server.client("bo").open("todos", as: Todo.self))
    }

    @Test func `a deleted todo keeps its draft`() async throws {
        let (ana, bo) = try await two()
        let todo = try ana.append(Todo(title: "Order cable"))
        server.settle()
        let editor = try ana.edit(todo.id)
        editor.draft.title = "Order 2 cables"
        try bo.remove(todo.id)
        server.settle()
        #expect(editor.vanished?.by?.text == "bo")
        #expect(editor.draft.title == "Order 2 cables")
        let saved = try await editor.saveAsNew(at: .first)
        #expect(bo[id: saved.id]?.title == "Order 2 cables")
    }

    @Test func `a constant list shows its elements and stays as it is`() throws {
        let todos = LiveList.constant([Todo(title: "Order cable"), Todo(title: "Page on-call")])
        #expect(todos.map(\.title) == ["Order cable", "Page on-call"])
        let first = try #require(todos.first?.element)
        #expect { try todos.remove(first.id) } throws: { ($0 as? ListError)?.code == .readOnly }
        #expect {
            try todos.append(Todo(title: "New"))
        } throws: {
            ($0 as? ListError)?.code == .readOnly
        }
        #expect { try todos.edit(first.id) } throws: { ($0 as? ListError)?.code == .readOnly }
        #expect(try todos.edit(first.id, policy: .snapshot).element.title == "Order cable")
        #expect(try todos.binding(for: first.id).title.wrappedValue == "Order cable")
        #expect(todos.closeReason?.code == .readOnly)
        #expect(todos.count == 2)
    }

    @Test func `what is awaited comes without settle: acknowledgements, commits, events, changes`()
        async throws
    {
        let (ana, bo) = try await two()
        let todo = try ana.append(Todo(title: "Order cable"))
        #expect(try await todo.acknowledged() != nil)
        let editor = try bo.edit(todo.id)
        editor.draft.title = "Order 2 cables"
        var events = editor.events.makeAsyncIterator()
        try await editor.commit()
        #expect(ana[id: todo.id]?.title == "Order 2 cables")
        let gone = try bo.edit(todo.id, policy: .live)
        events = gone.events.makeAsyncIterator()
        try ana.remove(todo.id)
        while let event = await events.next() {
            if case .vanished(let vanished) = event {
                #expect(vanished.by?.text == "ana")
                return
            }
        }
        Issue.record("nothing vanished")
    }

    @Test func `those who edit the same are told of each other`() async throws {
        let (ana, bo) = try await two()
        let todo = try ana.append(Todo(title: "Order cable"))
        server.settle()
        let mine = try ana.edit(todo.id)
        let theirs = try bo.edit(todo.id)
        server.settle()
        #expect(mine.others.map(\.text) == ["bo"] && theirs.others.map(\.text) == ["ana"])
        server.kill()
        server.settle()
        server.start()
        server.settle()
        #expect(mine.others.map(\.text) == ["bo"])
    }

    @Test func `a draft survives the end of its program`() async throws {
        let client = server.client("ana")
        let todos = try await client.open("todos", as: Todo.self, ifMissing: .create)
        let todo = try todos.append(Todo(title: "Order cable"))
        server.settle()
        try todos.edit(todo.id).draft.title = "Order 2 cables"
        let again = try await server.relaunch(client).open("todos", as: Todo.self)
        #expect(again.keptDrafts == [todo.id])
        #expect(try again.edit(todo.id).draft.title == "Order 2 cables")
    }
}
