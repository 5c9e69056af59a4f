import Testing

@testable import Samelist

/// The model of a screen, without one.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct EditableListTests {
    private let room = Room()

    private func screens() async throws -> (EditableList<Todo>, LiveList<Todo>) {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        try await ana.append(contentsOf: "abc".map { Todo(title: "\($0)") }).acknowledged()
        await until { bob.count == 3 }
        return (EditableList(ana), bob)
    }

    private func titles(_ screen: EditableList<Todo>) -> String {
        screen.compactMap(\.title).joined()
    }

    @Test func `the selection keeps to its row, and goes to the next when that is gone (VA14)`()
        async throws
    {
        let (screen, bob) = try await screens()
        #expect(screen.selection == nil)
        screen.remove()
        screen.selectNext()
        screen.selectNext()
        #expect(screen.selection?.title == "b")
        try await bob.insert(Todo(title: "x"), at: .first).acknowledged()
        await until { screen.count == 4 }
        #expect(screen.selection?.title == "b" && screen.selectedIndex == 2)
        screen.remove()
        #expect(titles(screen) == "xac" && screen.selection?.title == "c")
        screen.selectNext()
        #expect(screen.selection?.title == "c")
        try await bob.rows.remove(atOffsets: 0..<4).acknowledged()
        await until { screen.isEmpty }
        #expect(screen.selection == nil && screen.selectedIndex == nil)
        screen.selectNext()
        screen.edit()
        screen.remove()
        screen.move(by: 1)
        screen.change { $0.done = true }
        #expect(screen.editor == nil && screen.notices.isEmpty)
        screen.add(Todo(title: "new"))
        #expect(screen.selection?.title == "new" && screen.selectedIndex == 0)
    }

    @Test func `adding, toggling, moving and undoing act on the selection`() async throws {
        let (screen, _) = try await screens()
        screen.select(at: 0)
        screen.add(Todo(title: "x"))
        #expect(titles(screen) == "axbc" && screen.selection?.title == "x")
        screen.change { $0.done.toggle() }
        #expect(screen.selection?.done == true)
        screen.move(by: 2)
        #expect(titles(screen) == "abcx" && screen.selection?.title == "x")
        screen.move(by: -9)
        #expect(titles(screen) == "xabc")
        screen.undo()
        #expect(titles(screen) == "abcx")
        screen.redo()
        #expect(titles(screen) == "xabc")
    }

    @Test func `who types hears that the element is gone, and what was typed is kept`()
        async throws
    {
        let (screen, bob) = try await screens()
        screen.select(at: 1)
        let id = try #require(screen.selection?.element?.id)
        screen.edit()
        screen.editor?.draft.title = "typed"
        try await bob.remove(id).acknowledged()
        await until { screen.count == 2 }
        #expect(
            screen.notices.map(\.sentence) == [
                "bob removed \"b\" while you were editing it. Your text is kept."
            ])
        await screen.commit()
        #expect(screen.notices.last?.sentence == "Edit skipped: \"typed\" was removed by bob.")
        for notice in screen.notices { screen.dismiss(notice.id) }
        #expect(screen.notices.isEmpty)
        await screen.saveAsNew()
        #expect(screen.editor == nil && screen.selection?.title == "typed")
        #expect(screen.notices.isEmpty && titles(screen) == "atypedc")
    }

    @Test func `nothing typed, nothing kept: the editor closes by itself`() async throws {
        let (screen, bob) = try await screens()
        screen.select(at: 0)
        let id = try #require(screen.selection?.element?.id)
        screen.edit()
        try await bob.remove(id).acknowledged()
        await until { screen.count == 2 }
        #expect(screen.notices.map(\.sentence) == ["bob removed \"a\" while you were editing it."])
        #expect(screen.editor == nil)
    }

    @Test func `filtering keeps the edit of a row that leaves, and skips that of one that is gone`()
        async throws
    {
        let (screen, bob) = try await screens()
        screen.view = screen.list.view(where: { $0.title != "x" })
        screen.select(at: 2)
        let id = try #require(screen.selection?.element?.id)
        screen.edit()
        screen.editor?.draft.owner = "ana"
        try await bob.update(id) { $0.title = "x" }.acknowledged()
        await until { screen.count == 2 }
        #expect(screen.notices.map(\.sentence) == ["\"x\" is no longer among these rows."])
        await screen.commit()
        #expect(screen.list[id: id]?.owner == "ana" && screen.editor == nil)
    }

    @Test func `what the server refuses is a notice`() async throws {
        let (screen, bob) = try await screens()
        screen.list.list.client.goOffline()
        let id = ElementID.new()
        screen.add(Todo(id: id, title: "mine"))
        try await bob.append(Todo(id: id, title: "bob's")).acknowledged()
        screen.list.list.client.goOnline()
        await until { !screen.notices.isEmpty }
        guard case .refused(let error) = screen.notices.first?.kind else {
            Issue.record("no refusal")
            return
        }
        #expect(error.code == .idTaken)
    }

    @Test func `what is refused at once is told once`() async throws {
        let (screen, _) = try await screens()
        screen.select(at: 0)
        screen.change { $0.title = String(repeating: "x", count: 70_000) }
        #expect(screen.notices.count == 1 && screen.list.lastError == nil)
        guard case .refused(let error)? = screen.notices.first?.kind else {
            Issue.record("no refusal")
            return
        }
        #expect(error.code == .tooLarge && error.sentence.contains("; "))
    }

    @Test func `what a filter hides is added all the same, and the user is told`() async throws {
        let (screen, _) = try await screens()
        screen.view = screen.list.view(where: { !$0.done })
        screen.select(at: 1)
        screen.add(Todo(title: "x", done: true))
        #expect(titles(screen) == "abc" && screen.list.compactMap(\.title).joined() == "abxc")
        #expect(screen.selection?.title == "b")
        #expect(
            screen.notices.map(\.sentence) == ["\"x\" was added, and is not among these rows."])
    }

    @Test func `a closed editor is none, and its last notices are still read`() async throws {
        let (screen, bob) = try await screens()
        screen.select(at: 0)
        screen.edit()
        let id = try #require(screen.editor?.id)
        try await bob.remove(id).acknowledged()
        await until { screen.count == 2 }
        #expect(screen.editor == nil)
        #expect(screen.notices.map(\.sentence) == ["bob removed \"a\" while you were editing it."])
        screen.select(at: 0)
        screen.edit()
        screen.edit(policy: .live)
        #expect(screen.editor?.policy == .live, "as it was asked for")
        screen.editor?.close()
        #expect(screen.editor == nil)
    }

    @Test func `gestures mean the rows that were shown`() async throws {
        let (screen, bob) = try await screens()
        let rows = screen.rows
        try await bob.insert(Todo(title: "x"), at: .first).acknowledged()
        await until { screen.count == 4 }
        screen.remove(atOffsets: [0], of: rows)
        screen.move(fromOffsets: [2], toOffset: 1, of: rows)
        #expect(titles(screen) == "xcb" && screen.notices.isEmpty)
    }
}
