import ListModel
import Testing

@testable import Samelist

/// Several editors on one element in one client, several typed lists over one list, and how an
/// editor ends.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct ManyEditorsTests {
    private let room = Room()
    private struct Title: ListElement {
        var id = ElementID.new()
        var title: String
    }

    /// Ana's and bob's copy of a list of one element, and its ID.
    private func two() async throws -> (ana: LiveList<Todo>, bob: LiveList<Todo>, id: ElementID) {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        let milk = try ana.append(Todo(title: "Milk"))
        try await milk.acknowledged()
        await until { bob.count == 1 }
        return (ana, bob, milk.id)
    }

    /// What an editor heard so far but for presence, by name.
    private func heard<Item>(_ editor: Editor<Item>) -> [String] {
        (editor.telling.items(from: 0) ?? []).compactMap { event in
            if case .presence = event { return nil }
            return "\("\(event)".prefix { $0 != "(" })"
        }
    }

    @Test func `lists of two types over one list are both alive, and so are their editors`()
        async throws
    {
        let (ana, bob, id) = try await two()
        let todo = try ana.edit(id)
        let titles = try await ana.client.open("todos", as: Title.self)
        let title = try titles.edit(id)
        try await bob.update(id) { $0.done = true }.acknowledged()
        await until { ana[id: id]?.done == true }
        title.draft.title = "Oat milk"
        #expect(todo.draft.title == "Oat milk" && todo.draft.done, "one draft between them")
        try await bob.remove(id).acknowledged()
        await until { titles.isEmpty }
        #expect(heard(todo) == ["changed", "vanished"] && heard(title) == ["changed", "vanished"])
        #expect(todo.vanished?.draft.title == "Oat milk")
        let saved = try await title.saveAsNew()
        #expect(title.closeReason == .savedAsNew && todo.closeReason == .savedAsNew)
        #expect(ana[id: saved.id]?.done == true, "what one type does not know is saved, too")
    }

    @Test func `every policy at once: each editor has its own events, rule and end`() async throws {
        let (ana, bob, id) = try await two()
        let draft = try ana.edit(id, onVanish: .keepDraft)
        let live = try ana.edit(id, policy: .live, onVanish: .dismiss)
        let another = try ana.edit(id, policy: .live)
        let snapshot = try ana.edit(id, policy: .snapshot)
        draft.draft.title = "typed"
        live.draft.owner = "ana"
        #expect(ana[0].owner == "ana" && draft.draft.owner == "ana")
        #expect(another.draft.owner == "ana" && snapshot.element.owner == nil)
        await until { bob[0].owner == "ana" }
        try await bob.update(id) { $0.title = "theirs" }.acknowledged()
        await until { ana[0].title == "theirs" }
        #expect(heard(draft) == ["conflict"] && draft.conflict?.theirs.title == "theirs")
        #expect(heard(live) == ["changed"] && heard(another) == ["changed"])
        #expect(heard(snapshot).isEmpty && live.draft.title == "theirs")
        try await draft.commit(.overwrite)
        #expect(draft.closeReason == .committed && !live.isClosed && live.draft.title == "typed")
        try await bob.remove(id).acknowledged()
        await until { ana.isEmpty }
        #expect(heard(live).last == "vanished" && heard(another).last == "vanished")
        #expect(live.closeReason == .discarded && !another.isClosed && snapshot.vanished != nil)
        #expect { try another.update { $0.title = "x" } } throws: {
            ($0 as? ListError)?.code == .vanished
        }
        try await another.restoreWithDraft()
        #expect(another.closeReason == .restored && ana[0].title == "typed")
        #expect(snapshot.vanished == nil && snapshot.element.title == "Milk")
    }

    @Test func `an editor is opened by its own arguments, whatever is open already`() async throws {
        let (ana, bob, id) = try await two()
        let open = ana.view(where: { !$0.done })
        let plain = try ana.edit(id, policy: .live)
        let seen = try open.edit(id, policy: .live, onVanish: .dismiss)
        #expect(seen !== plain && seen.onVanish == .dismiss)
        try await bob.update(id) { $0.done = true }.acknowledged()
        await until { open.isEmpty }
        #expect(heard(plain) == ["changed"] && heard(seen) == ["changed", "hidden"])
        seen.close()
        #expect(seen.closeReason == .closed && !plain.isClosed)
        plain.draft.title = "on"
        #expect(ana[0].title == "on" && seen.element.title == "Milk", "it shows what it showed")
        seen.draft.title = "late"
        #expect(seen.lastError?.code == .closed && ana[0].title == "on")
    }

    @Test func `a kept draft that is taken up through a view is told what the view shows`()
        async throws
    {
        let (ana, bob, id) = try await two()
        let open = ana.view(where: { !$0.done })
        let pinning = ana.view(where: { !$0.done }, pinning: true)
        try ana.edit(id).draft.title = "kept"
        let plain = try ana.edit(id)
        let seen = try open.edit(id)
        try await bob.update(id) { $0.done = true }.acknowledged()
        await until { open.isEmpty }
        #expect(heard(seen) == ["changed", "hidden"] && heard(plain) == ["changed"])
        try await bob.update(id) { $0.done = false }.acknowledged()
        await until { !open.isEmpty }
        #expect(heard(seen).last == "shown")
        let pinned = try pinning.edit(id)
        try await bob.update(id) { $0.done = true }.acknowledged()
        await until { open.isEmpty }
        #expect(pinning.count == 1 && pinning.isPinned(id) && pinned.draft.title == "kept")
        #expect(heard(pinned) == ["changed"])
        pinned.discard()
        #expect(pinning.isEmpty && plain.closeReason == .discarded)
    }

    @Test func `the events of an editor that is dropped end`() async throws {
        let (ana, _, id) = try await two()
        for policy in EditorPolicy.allCases {
            var editor: Editor<Todo>? = try ana.edit(id, policy: policy)
            let events = try #require(editor?.events)
            let reading = Task { for await _ in events {} }
            editor = nil
            await reading.value
        }
        #expect(ana.list.replica.editors.isEmpty && ana.list.replica.companions.isEmpty)
        #expect(ana.list.companions.isEmpty)
    }

    @Test func `closed or discarded while a commit is on its way`() async throws {
        let (ana, bob, id) = try await two()
        ana.client.goOffline()
        let first = try ana.edit(id)
        first.draft.title = "first"
        let commit = Task { try await first.commit() }
        await until { first.isCommitting }
        #expect { try first.update { $0.title = "no" } } throws: {
            ($0 as? ListError)?.code == .committing
        }
        first.discard()
        let second = try ana.edit(id)
        #expect(first.closeReason == .discarded && second.draft.title == "first")
        second.draft.owner = "ana"
        ana.client.goOnline()
        try await commit.value
        #expect(!second.isClosed && second.draft.owner == "ana", "it is another editor's commit")
        second.close()
        #expect(ana.keptDrafts == [id] && second.closeReason == .closed)

        ana.client.goOffline()
        let third = try ana.edit(id)
        let last = Task { try await third.commit() }
        await until { third.isCommitting }
        third.close()
        try await bob.remove(id).acknowledged()
        ana.client.goOnline()
        await #expect { try await last.value } throws: { ($0 as? ListError)?.id == id }
        await until { ana.pendingCount == 0 && ana.isEmpty }
        #expect(ana.keptDrafts == [id], "a commit that came to nothing leaves its draft")
        #expect(try ana.edit(id).vanished?.draft.owner == "ana")
    }

    @Test func `editors end with their list, and say why`() async throws {
        let (ana, _, id) = try await two()
        let draft = try ana.edit(id)
        let live = try ana.edit(id, policy: .live)
        draft.draft.title = "kept"
        ana.close()
        for editor in [draft, live] {
            guard case .listClosed(let error)? = editor.closeReason else {
                Issue.record("\(String(describing: editor.closeReason))")
                continue
            }
            #expect(error.code == .closed)
            #expect { try editor.update { $0.title = "x" } } throws: {
                ($0 as? ListError) == error
            }
        }
        let again = try await ana.client.open("todos", as: Todo.self)
        #expect(try again.edit(id).draft.title == "kept")
    }
}
