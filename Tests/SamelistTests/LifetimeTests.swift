import SamelistTesting
import Testing

@testable import Samelist

/// What is held by nobody is gone, and what was stopped says so.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct LifetimeTests {
    private let room = Room()

    @Test func `a client goes with the last that holds it, a list or itself`() async throws {
        var client: ListClient? = try room.fleeting("ana")
        weak let watched = client
        var list: LiveList<Todo>? = try await client?.open("todos", ifMissing: .create)
        weak let watchedList = list
        weak let watchedOpen = list?.list
        client = nil
        let milk = try list?.append(Todo(title: "Milk"))
        let id = try #require(milk?.id)
        try await milk?.acknowledged()
        #expect(watched != nil)
        var view = list?.view(where: { !$0.done })
        var editor = try list?.edit(id)
        var rows = list?.rows
        editor?.draft.title = "Oat milk"
        list = nil
        #expect(view?.count == 1 && rows?.count == 1 && watchedList != nil)
        (view, rows) = (nil, nil)
        #expect(watchedList == nil && watched != nil, "the editor needs no typed list")
        #expect(editor?.draft.title == "Oat milk" && watchedOpen != nil)
        editor = nil
        // A submission is one of those that wait.
        #expect(milk?.isPending == false && watched != nil)
        await theEnd(of: milk, watched: { watched == nil && watchedOpen == nil })
    }

    private func theEnd(of last: consuming Submission<Todo>?, watched: () -> Bool) async {
        #expect(!watched())
        last = nil
    }

    @Test func `whoever reads hears the end of a client that nobody holds`() async throws {
        var list: LiveList<Todo>? = try await room.fleeting("ana").open("todos", ifMissing: .create)
        weak let watched = list?.client
        let refusals = try #require(list?.refusals)
        let reading = Task { for await _ in refusals {} }
        list = nil
        await reading.value
        #expect(watched == nil)
    }

    @Test func `previews leave nothing behind`() throws {
        var list: LiveList<Todo>? = .preview([Todo(title: "a")])
        weak let client = list?.client
        weak let surroundings = list?.client.surroundings
        try list?.rows.remove(atOffsets: [0])
        #expect(client != nil && list?.isEmpty == true)
        list = nil
        #expect(client == nil && surroundings == nil)
    }

    @Test func `a stopped client refuses, and can be read`() async throws {
        let client = try room.client("ana")
        let list = try await client.open("todos", as: Todo.self, ifMissing: .create)
        let milk = try list.append(Todo(title: "Milk"))
        let editor = try list.edit(milk.id, policy: .live)
        let binding = try list.binding(for: milk.id)
        client.stop()
        #expect(list.map(\.title) == ["Milk"] && editor.element.title == "Milk")
        func refuses(_ body: () async throws -> Void) async {
            do {
                try await body()
                Issue.record("it was taken")
            } catch {
                #expect((error as? ListError)?.code == .closed)
                #expect("\(error)".contains("was stopped; connect anew"))
            }
        }
        await refuses { try list.append(Todo(title: "Tea")) }
        await refuses { try list.update(milk.id) { $0.done = true } }
        await refuses { try list.rows.remove(atOffsets: [0]) }
        await refuses { try list.undo() }
        await refuses { _ = try list.edit(milk.id) }
        await refuses { try editor.update { $0.done = true } }
        await refuses { _ = try await client.open("todos", as: Todo.self) }
        await refuses { try await client.delete("todos") }
        await refuses { _ = try await client.lists() }
        binding.done.wrappedValue = true
        #expect(list.lastError?.code == .closed && list[0].done == false)
        client.goOnline()
        client.stop()
        #expect(client.connection != .online)
    }
}
